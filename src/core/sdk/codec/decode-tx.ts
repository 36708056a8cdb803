import { type DescMessage, fromBinary } from '@bufbuild/protobuf';
import * as pb from '../../proto/cosmos/tx/v1beta1/tx_pb.js';
import { EMPTY } from '../../bytes/bytes.js';
import '../../text/message-text.js';
import { MessageFields } from '../../bytes/message-fields.js';
import { EXTENSION_URL, type LocatedWrapper, MESSAGE_URL, readWrapper } from '../../ethereum/wrapper-codec.js';
import { WrongContent } from './field-values.js';
import { keepLastOneofMembers } from './last-oneof-members.js';
import { normalizeNumbers, WrongNumber } from './message-numbers.js';
import { SdkError, sdkErrors } from '../module/sdk-error.js';
import { type ChainTypes, checkFields, UnknownField } from './unknown-fields.js';

/** A decoded transaction together with the exact bytes that were signed. */
export interface DecodedTx {
  readonly body: pb.TxBody;
  readonly authInfo: pb.AuthInfo;
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
  readonly signatures: readonly Uint8Array[];
  /** Length of the transaction in bytes; it pays gas per byte. */
  readonly size: number;
  /** True when the body or one of its messages has unknown non-critical fields. */
  readonly unknownFields: boolean;
}

/** Decoded transactions by byte arrays that this process built. */
const made = new WeakMap<Uint8Array, DecodedTx>();

/** Records the decoded form of `bytes`, so that `decodeTx` need not decode them. */
export function rememberDecoded(bytes: Uint8Array, decoded: DecodedTx): void {
  made.set(bytes, decoded);
}

/**
 * Decodes TxRaw like the SDK v0.53 DefaultTxDecoder: requires the ADR-027 form of the outer message, rejects unknown
 * fields except non-critical ones in the body, and rejects types that an `Any` may not contain on the chain. Without
 * `chain`, all types are accepted. Throws SDK error 2.
 */
export function decodeTx(bytes: Uint8Array, chain?: ChainTypes): DecodedTx {
  const known = made.get(bytes);
  if (known !== undefined) return known;
  const wrapper = readWrapper(bytes);
  if (wrapper !== undefined) return decodedWrapper(wrapper, bytes.length);
  requireAdr027(bytes);
  const check = (schema: DescMessage, part: Uint8Array, nonCritical: boolean): boolean =>
    reading(() => checkFields(schema, part, { chain, nonCritical }));
  check(pb.TxRawSchema, bytes, false);
  const { bodyBytes, authInfoBytes, signatures } = reading(() => fromBinary(pb.TxRawSchema, bytes));
  const unknownFields = check(pb.TxBodySchema, bodyBytes, true);
  check(pb.AuthInfoSchema, authInfoBytes, false);
  const body = reading(() => fromBinary(pb.TxBodySchema, bodyBytes));
  const authInfo = reading(() => fromBinary(pb.AuthInfoSchema, keepLastOneofMembers(pb.AuthInfoSchema, authInfoBytes)));
  normalizeNumbers(pb.AuthInfoSchema, authInfo, false);
  return { body, authInfo, bodyBytes, authInfoBytes, signatures, size: bytes.length, unknownFields };
}

/** Decoded form of a transaction that wraps an Ethereum one; equal to the codec's result. */
function decodedWrapper(wrapper: LocatedWrapper, size: number): DecodedTx {
  const { message, denom, amount, gasLimit, bodyBytes, authInfoBytes } = wrapper;
  return {
    body: {
      $typeName: 'cosmos.tx.v1beta1.TxBody',
      messages: [{ $typeName: 'google.protobuf.Any', typeUrl: MESSAGE_URL, value: message }],
      memo: '',
      timeoutHeight: 0n,
      unordered: false,
      extensionOptions: [{ $typeName: 'google.protobuf.Any', typeUrl: EXTENSION_URL, value: EMPTY }],
      nonCriticalExtensionOptions: [],
    },
    authInfo: {
      $typeName: 'cosmos.tx.v1beta1.AuthInfo',
      signerInfos: [],
      fee: {
        $typeName: 'cosmos.tx.v1beta1.Fee',
        amount: amount === '' ? [] : [{ $typeName: 'cosmos.base.v1beta1.Coin', denom, amount }],
        gasLimit,
        payer: '',
        granter: '',
      },
    },
    bodyBytes,
    authInfoBytes,
    signatures: [],
    size,
    unknownFields: false,
  };
}

function parseError(reason: string): SdkError {
  // The SDK's decoder wraps its own error once more, so the registered text appears twice.
  return new SdkError(sdkErrors.txDecode, `${reason}: ${sdkErrors.txDecode.text}`);
}

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const hasOwnText = error instanceof UnknownField || error instanceof WrongNumber || error instanceof WrongContent;
    throw parseError(hasOwnText ? error.message : 'unexpected EOF');
  }
}

/**
 * Requires ADR-027: only length-delimited fields in ascending order with minimal length prefixes. The last of several
 * bodies counts.
 */
function requireAdr027(bytes: Uint8Array): void {
  let at = 0;
  let previous = 0;
  while (at < bytes.length) {
    const tag = varint(bytes, at);
    const wireType = Number(tag.value & 7n);
    const field = Number(tag.value >> 3n);
    if (field === 0) throw parseError('invalid length; proto: invalid field number');
    if (wireType !== 2) throw parseError(`expected 2 wire type, got ${wireType}`);
    if (field < previous) throw parseError(`txRaw must follow ADR-027, got tagNum ${field} after tagNum ${previous}`);
    previous = field;
    const length = varint(bytes, tag.next);
    const shortest = Math.max(1, Math.ceil(length.value.toString(2).length / 7));
    if (length.next - tag.next !== shortest) {
      throw parseError(
        `length prefix varint for tagNum ${field} is not as short as possible, read ${length.next - tag.next}, only need ${shortest}`,
      );
    }
    at = length.next + Number(length.value);
    if (at > bytes.length) throw parseError('invalid length; unexpected EOF');
  }
}

/** Rejects a transaction with duplicate bodies or auth infos: anybody could change its hash by adding one. */
export function requireSingleParts(bytes: Uint8Array): void {
  const fields = new MessageFields(bytes);
  for (let previous = 0; fields.next(); previous = fields.field)
    if (fields.field === previous && previous !== 3)
      throw parseError(`txRaw must follow ADR-027, got duplicate tagNum ${previous}`);
}

function varint(bytes: Uint8Array, start: number): { readonly value: bigint; readonly next: number } {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) throw parseError('invalid length; unexpected EOF');
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return { value, next: start + i + 1 };
  }
  throw parseError('invalid length; variable length integer overflow');
}
