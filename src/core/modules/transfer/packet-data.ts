/** Transfer packet data in JSON, written and read like Go (ibc-go v10 `modules/apps/transfer/types/packet.go`). */
import { text, utf8 } from '../../bytes/bytes.js';
import { canonicalNumber, WrongNumber } from '../../sdk/codec/message-numbers.js';
import { goJsonText } from '../../sdk/go/go-json-text.js';
import { jsonProblem } from '../../sdk/go/go-json-syntax.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { asObject } from '../../text/json-object.js';
import { parseJson } from '../../text/json-text.js';
import { ibcErrors } from '../ibc/errors.js';
import { type Denom, denomOfPath, denomRefusal } from './denom.js';
import { transferErrors } from './errors.js';

const NAMES = ['denom', 'amount', 'sender', 'receiver', 'memo'] as const;

/** Packet data as strings; `amount` is an integer in any notation of Go. */
export type PacketTexts = Readonly<Record<(typeof NAMES)[number], string>>;

/** Decoded packet data: token, sender and receiver. */
export interface PacketData {
  readonly denom: Denom;
  /** Amount as written in the packet. */
  readonly amountText: string;
  /** Amount in base units of the denom. */
  readonly amount: bigint;
  readonly sender: string;
  readonly receiver: string;
  readonly memo: string;
}

/** Encodes packet data; empty strings are omitted. */
export function encodePacketData(texts: PacketTexts): Uint8Array {
  const members = NAMES.flatMap((name) => (texts[name] === '' ? [] : `"${name}":${goJsonText(texts[name])}`));
  return utf8(`{${members.join(',')}}`);
}

/** Decodes packet data; throws for malformed bytes. */
export function decodePacketData(bytes: Uint8Array): PacketData {
  const problem = jsonProblem(bytes);
  const refuse = (reason: string): SdkError =>
    new SdkError(ibcErrors.invalidType, `cannot unmarshal ICS20-V1 transfer packet data: ${reason}`);
  if (problem !== undefined) throw refuse(problem);
  const json = parseJson(text(bytes));
  const texts: Record<(typeof NAMES)[number], string> = { denom: '', amount: '', sender: '', receiver: '', memo: '' };
  if (typeof json !== 'object' || Array.isArray(json))
    throw refuse('json: cannot unmarshal value into Go value of type types.FungibleTokenPacketData');
  if (json === null)
    throw new SdkError(ibcErrors.invalidType, 'cannot convert proto message into FungibleTokenPacketData');
  for (const [key, value] of Object.entries(json)) {
    const name = NAMES.find((each) => each === key.toLowerCase());
    if (name === undefined) throw refuse(`json: unknown field ${goJsonText(key)}`);
    if (value === null) continue;
    if (typeof value !== 'string')
      throw refuse(
        `json: cannot unmarshal ${typeof value} into Go struct field FungibleTokenPacketData.${name} of type string`,
      );
    texts[name] = value;
  }
  return validatePacketData(texts, 'invalid packet data');
}

/** True for JSON with member names other than the standard spelling; `decodePacketData` accepts any case. */
export function hasOtherMembers(bytes: Uint8Array): boolean {
  const json = parseJson(text(bytes));
  return Object.keys(asObject(json) ?? {}).some((key) => !NAMES.some((name) => name === key));
}

/**
 * Validates packet data: positive amount, non-blank sender and receiver, valid denom; error texts begin with `what`.
 */
export function validatePacketData(texts: PacketTexts, what: string): PacketData {
  const { sender, receiver, memo, amount: amountText } = texts;
  const amount = amountOf(amountText);
  if (amount === undefined)
    throw new SdkError(
      transferErrors.invalidAmount,
      `${what}: unable to parse transfer amount (${amountText}) into math.Int`,
    );
  if (amount <= 0n)
    throw new SdkError(transferErrors.invalidAmount, `${what}: amount must be strictly positive: got ${amount}`);
  if (isBlank(sender)) throw new SdkError(ibcErrors.invalidAddress, `${what}: sender address cannot be blank`);
  if (isBlank(receiver)) throw new SdkError(ibcErrors.invalidAddress, `${what}: receiver address cannot be blank`);
  const denom = denomOfPath(texts.denom);
  const refusal = denomRefusal(denom);
  if (refusal !== undefined) throw new SdkError({ ...refusal.registered, text: refusal.message }, what);
  return { denom, amountText, amount, sender, receiver, memo };
}

function amountOf(amount: string): bigint | undefined {
  if (amount === '') return undefined;
  try {
    return BigInt(canonicalNumber('integer', amount));
  } catch (error) {
    if (error instanceof WrongNumber) return undefined;
    throw error;
  }
}
