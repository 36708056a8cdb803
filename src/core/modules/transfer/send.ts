/**
 * Sends transfers over a channel or from a client (ibc-go v10 `modules/apps/transfer/keeper/msg_server.go` and
 * `relay.go`). Steps are in the Go node's order, which determines the first error and the gas.
 */
import { create, fromBinary } from '@bufbuild/protobuf';
import { MAX_UINT256 } from '../../bigint.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { EMPTY } from '../../bytes/bytes.js';
import { ParamsSchema } from '../../proto/ibc/applications/transfer/v1/transfer_pb.js';
import type { MsgTransfer } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { MsgSendPacketResponseSchema, MsgSendPacketSchema } from '../../proto/ibc/core/channel/v2/tx_pb.js';
import { encodeAddress, requireAddress } from '../../sdk/codec/address.js';
import { packAny } from '../../sdk/codec/any.js';
import { parseAmount } from '../../sdk/coins/coins.js';
import { emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { sendToModule } from '../bank/module-accounts.js';
import { isBlocked, requireSendEnabled } from '../bank/send-rules.js';
import { getSpendable } from '../bank/spendable.js';
import { burnCoins } from '../bank/supply.js';
import { getChannel } from '../ibc/channel/channels.js';
import { ibcErrors } from '../ibc/errors.js';
import { sendPacket } from '../ibc/channel/packets.js';
import { heightOf } from '../ibc/self-height.js';
import { type Denom, pathOf } from './denom.js';
import { getDenom } from './denoms.js';
import { transferErrors } from './errors.js';
import { escrow, coinOfToken, isReturning, MODULE, type Token } from './moves.js';
import { encodePacketData, type PacketTexts, validatePacketData } from './packet-data.js';
import { encodePayload, JSON_TEXT } from './payload.js';
import { PARAMS_KEY, STORE, VERSION } from './store.js';

const PORT = 'transfer';

/** Takes the sender's coins and sends a packet; returns its sequence. Throws SdkError. */
export function sendTransfer(context: Context, message: MsgTransfer): bigint {
  requireSendingOn(context);
  const { sourcePort, sourceChannel, token, receiver, memo, timeoutHeight, timeoutTimestamp } = message;
  const { denom = '', amount = '' } = token ?? {};
  const sender = requireAddress(context.chain.bech32Prefix, message.sender, 'invalid sender address');
  const typed = parseAmount(amount) ?? 0n;
  const value = typed === MAX_UINT256 ? getSpendable(context, sender, denom) : typed;
  if (value === 0n) throw new SdkError(transferErrors.invalidAmount, `empty spendable balance for ${denom}`);
  const denomination = denominationOf(context, denom);
  const texts = {
    denom: pathOf(denomination),
    amount: value.toString(),
    sender: message.sender,
    receiver,
    memo,
  };
  validatePacketData(texts, 'failed to validate ics20-1 packet data');
  if (getChannel(context, { portId: sourcePort, channelId: sourceChannel }) === undefined)
    return sendToClient(context, message, texts);
  takeToken(context, sender, sourceChannel, { denom: denomination, amount: value });
  const sequence = sendPacket(context, {
    source: { portId: PORT, channelId: sourceChannel },
    timeoutHeight: heightOf(timeoutHeight),
    timeoutTimestamp,
    data: encodePacketData(texts),
  });
  emitTransfer(context, texts);
  return sequence;
}

/** Emits that a token was sent. */
export function emitTransfer(context: Context, texts: PacketTexts): void {
  emit(context, 'ibc_transfer', () => [
    ['sender', texts.sender],
    ['receiver', texts.receiver],
    ['denom', texts.denom],
    ['amount', texts.amount],
    ['memo', texts.memo],
  ]);
  emit(context, 'message', () => [['module', MODULE]]);
}

function requireSendingOn({ store }: Context): void {
  if (!fromBinary(ParamsSchema, store.get(STORE, PARAMS_KEY) ?? new Uint8Array()).sendEnabled)
    throw new SdkError(transferErrors.sendDisabled);
}

/** Denom with trace of a local denom. */
function denominationOf(context: Context, denom: string): Denom {
  const [, digits] = /^ibc\/(.*)$/s.exec(denom) ?? [];
  if (digits === undefined) return { base: denom, trace: [] };
  const found = getDenom(context, bytesOfDigits(digits) ?? EMPTY);
  if (found === undefined) throw new SdkError(transferErrors.denomNotFound, digits);
  return found;
}

/** Burns a token that returns over the channel or client it came over; escrows others. */
export function takeToken(context: Context, sender: Uint8Array, channelId: string, token: Token): void {
  requireSendingOn(context);
  if (isBlocked(context, sender))
    throw new SdkError(
      ibcErrors.unauthorized,
      `${encodeAddress(context.chain.bech32Prefix, sender)} is not allowed to send funds`,
    );
  const coin = coinOfToken(context, token);
  try {
    requireSendEnabled(context, [coin]);
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw new SdkError(transferErrors.sendDisabled, error.message);
  }
  const channel = { portId: PORT, channelId };
  if (!isReturning(token.denom, channel)) {
    escrow(context, channel, sender, coin);
    return;
  }
  sendToModule(context, sender, MODULE, [coin]);
  burnCoins(context, MODULE, [coin]);
}

/** Sends a token from a client, given instead of a channel; the timeout is in seconds. */
function sendToClient(
  context: Context,
  { encoding, sourceChannel, timeoutTimestamp }: MsgTransfer,
  texts: PacketTexts,
) {
  const chosen = encoding === '' ? JSON_TEXT : encoding;
  const ports = { sourcePort: PORT, destinationPort: PORT };
  const payload = { ...ports, version: VERSION, encoding: chosen, value: encodePayload(texts, chosen) };
  const sent = create(MsgSendPacketSchema, {
    sourceClient: sourceChannel,
    timeoutTimestamp,
    payloads: [payload],
    signer: texts.sender,
  });
  // v2 packets are sent by a message, which accounts may also send themselves.
  const { typeUrl, value } = packAny(MsgSendPacketSchema, sent);
  return fromBinary(MsgSendPacketResponseSchema, context.router.find(typeUrl).handle(context, value)).sequence;
}
