/**
 * Received packets, acknowledgements and timeouts of transfers (ibc-go v10 `ibc_module.go` and `keeper/relay.go`).
 */
import { equal, utf8 } from '../../bytes/bytes.js';
import { upperHex } from '../../bytes/hex.js';
import { fromBinary } from '@bufbuild/protobuf';
import { ParamsSchema } from '../../proto/ibc/applications/transfer/v1/transfer_pb.js';
import { type Acknowledgement as Answer, AcknowledgementSchema } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { encodeAddress, moduleAddress, parseAddress } from '../../sdk/codec/address.js';
import { compactText } from '../../sdk/go/compact-text.js';
import { goJsonText } from '../../sdk/go/go-json-text.js';
import { emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { isReturned, wrapping } from '../../sdk/module/returned-error.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { isBlocked } from '../bank/send-rules.js';
import { mintCoins } from '../bank/supply.js';
import { sendCoins } from '../bank/transfer.js';
import {
  canonicalAcknowledgement,
  errorAcknowledgement,
  readAcknowledgement,
  resultAcknowledgement,
} from '../ibc/channel/acknowledgement.js';
import { ibcErrors } from '../ibc/errors.js';
import type { Acknowledgement, Delivered } from '../ibc/channel/port.js';
import type { Denom } from './denom.js';
import { denomHash, pathOf } from './denom.js';
import { setVoucher } from './denoms.js';
import { transferErrors } from './errors.js';
import { coinOfToken, type Ends, isReturning, MODULE, receivedDenom, unescrow } from './moves.js';
import { decodePacketData, type PacketData } from './packet-data.js';
import { PARAMS_KEY, STORE, VERSION } from './store.js';

/** Maximum bytes of a memo. */
const MAX_MEMO = 32_768;
const TAKEN = Uint8Array.of(1);

const moduleEvent = (context: Context): void => emit(context, 'message', () => [['module', MODULE]]);

/** Decodes the data of a packet. */
function dataOf({ packet, version }: Delivered): PacketData {
  if (version !== VERSION) throw new SdkError(transferErrors.invalidVersion, version);
  return decodePacketData(packet.data);
}

/** Receives a transfer: native coins leave the channel's escrow, other tokens are minted as vouchers. */
export function receiveTransfer(context: Context, delivered: Delivered): Acknowledgement {
  let data: PacketData | undefined;
  let refusal: SdkError | undefined;
  try {
    data = dataOf(delivered);
    takeIn(context, delivered.packet, data);
  } catch (error) {
    if (!isReturned(error)) throw error;
    refusal = error;
  }
  emitReceived(context, data, { success: refusal === undefined, refusal });
  return refusal === undefined ? resultAcknowledgement(TAKEN) : errorAcknowledgement(refusal);
}

/** Emits that a transfer was received or rejected. */
export function emitReceived(
  context: Context,
  data: PacketData | undefined,
  { success, refusal }: { readonly success: boolean; readonly refusal: SdkError | undefined },
): void {
  emit(context, 'fungible_token_packet', () => [
    ...attributesOf(data),
    ['success', String(success)],
    ...(refusal === undefined ? [] : [['error', refusal.message] as const]),
  ]);
  moduleEvent(context);
}

const attributesOf = (data: PacketData | undefined) =>
  [
    ['sender', data?.sender ?? ''],
    ['receiver', data?.receiver ?? ''],
    ['denom', data === undefined ? '' : pathOf(data.denom)],
    ['amount', data?.amountText ?? ''],
    ['memo', data?.memo ?? ''],
  ] as const;

/** Credits the token of a packet; throws SdkError to reject it. */
export function takeIn(context: Context, packet: Ends, { denom, amount, receiver: name, memo }: PacketData): void {
  const { store, chain } = context;
  if (utf8(memo).length > MAX_MEMO)
    throw new SdkError(
      transferErrors.invalidMemo,
      `error validating ICS-20 transfer packet data: memo must not exceed ${MAX_MEMO} bytes`,
    );
  if (!fromBinary(ParamsSchema, store.get(STORE, PARAMS_KEY) ?? new Uint8Array()).receiveEnabled)
    throw new SdkError(transferErrors.receiveDisabled);
  const receiver = parseAddress(chain.bech32Prefix, name);
  if (receiver === undefined)
    throw new SdkError(ibcErrors.invalidAddress, `failed to decode receiver address: ${name}`);
  requireReceiver(context, receiver);
  const source = { portId: packet.sourcePort, channelId: packet.sourceChannel };
  const destination = { portId: packet.destinationPort, channelId: packet.destinationChannel };
  const voucher = receivedDenom(packet, denom);
  if (isReturning(denom, source)) {
    unescrow(context, destination, receiver, coinOfToken(context, { denom: voucher, amount }));
    return;
  }
  setVoucher(context, voucher);
  emit(context, 'denomination', () => [
    ['denom_hash', upperHex(denomHash((bytes) => context.crypto.sha256(bytes), voucher))],
    ['denom', denomJson(voucher)],
  ]);
  const coins = [coinOfToken(context, { denom: voucher, amount })];
  wrapping('failed to mint IBC tokens', () => mintCoins(context, MODULE, coins));
  wrapping(`failed to send coins to receiver ${name}`, () =>
    sendCoins(context, moduleAddress(context.crypto, MODULE), receiver, coins),
  );
}

function requireReceiver(context: Context, account: Uint8Array): void {
  if (isBlocked(context, account))
    throw new SdkError(
      ibcErrors.unauthorized,
      `${encodeAddress(context.chain.bech32Prefix, account)} is not allowed to receive funds`,
    );
}

/** Denom as Go's JSON. */
function denomJson({ base, trace }: Denom): string {
  const member = (name: string, value: string): string[] => (value === '' ? [] : [`"${name}":${goJsonText(value)}`]);
  const hops = trace.map(
    ({ portId, channelId }) => `{${[...member('port_id', portId), ...member('channel_id', channelId)].join(',')}}`,
  );
  const traces = hops.length === 0 ? 'null' : `[${hops.join(',')}]`;
  return `{${[...member('base', base), `"trace":${traces}`].join(',')}}`;
}

/** Handles an acknowledgement: refunds a rejected transfer. */
export function acknowledgeTransfer(context: Context, delivered: Delivered, acknowledgement: Uint8Array): void {
  const answer = readAcknowledgement(acknowledgement);
  if (answer === undefined)
    throw new SdkError(ibcErrors.unknownRequest, 'cannot unmarshal ICS-20 transfer packet acknowledgement');
  const data = dataOf(delivered);
  const canonical = utf8(canonicalAcknowledgement(acknowledgement) ?? '');
  if (!equal(canonical, acknowledgement))
    throw new SdkError(
      ibcErrors.invalidType,
      `acknowledgement did not marshal to expected bytes: ${upperHex(canonical)} ≠ ${upperHex(acknowledgement)}`,
    );
  settle(context, delivered.packet, data, answer);
}

/** Completes a transfer by its acknowledgement: refunds a rejected token. */
export function settle(context: Context, packet: Ends, data: PacketData, answer: Answer): void {
  const { response } = answer;
  if (response.case === undefined)
    throw new SdkError(
      ibcErrors.invalidType,
      'expected one of [types.Acknowledgement_Result, types.Acknowledgement_Error], got <nil>',
    );
  if (response.case === 'error') refund(context, packet, data);
  emit(context, 'fungible_token_packet', () => [
    ...attributesOf(data),
    ['acknowledgement', compactText(AcknowledgementSchema, answer)],
  ]);
  moduleEvent(context);
  emit(context, 'fungible_token_packet', () => [
    response.case === 'result' ? ['success', new TextDecoder().decode(response.value)] : ['error', response.value],
  ]);
}

/** Refunds a transfer that timed out. */
export function timeOutTransfer(context: Context, delivered: Delivered): void {
  giveBack(context, delivered.packet, dataOf(delivered));
}

/** Refunds the sender, and emits events. */
export function giveBack(context: Context, packet: Ends, data: PacketData): void {
  refund(context, packet, data);
  emit(context, 'timeout', () => [
    ['receiver', data.sender],
    ['refund_tokens', `{"denom":${denomJson(data.denom)},"amount":${goJsonText(data.amountText)}}`],
    ['memo', data.memo],
  ]);
  moduleEvent(context);
}

function refund(context: Context, packet: Ends, { denom, amount, sender: name }: PacketData): void {
  const { chain, crypto } = context;
  const sender = parseAddress(chain.bech32Prefix, name);
  if (sender === undefined) throw new SdkError(ibcErrors.invalidAddress, name);
  requireReceiver(context, sender);
  const source = { portId: packet.sourcePort, channelId: packet.sourceChannel };
  const coin = coinOfToken(context, { denom, amount });
  if (!isReturning(denom, source)) {
    unescrow(context, source, sender, coin);
    return;
  }
  mintCoins(context, MODULE, [coin]);
  sendCoins(context, moduleAddress(crypto, MODULE), sender, [coin]);
}
