/** Packet timeouts (ibc-go v10 `modules/core/04-channel/keeper/timeout.go`). */
import { create } from '@bufbuild/protobuf';
import * as pb from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import type { MsgTimeout, MsgTimeoutOnClose } from '../../../proto/ibc/core/channel/v1/tx_pb.js';
import type { ConnectionEnd } from '../../../proto/ibc/core/connection/v1/connection_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { RecoveredPanic, SdkError } from '../../../sdk/module/sdk-error.js';
import { connectionHopOf, counterpartyChannel, counterpartyNames, requireChannel } from './handshake.js';
import { setChannel } from './channels.js';
import { timestampAt } from '../client/clients.js';
import { getConnection } from '../connection/connections.js';
import { type Proof, verifyChannelState, verifyNextReceived, verifyNoReceipt } from '../connection/counterparty.js';
import { channelErrors, connectionErrors } from '../errors.js';
import { packetKey } from '../keys.js';
import { orderName } from '../names.js';
import { emitClosed, emitPacket } from './packet-events.js';
import { destinationOf, requireDestination, requireSent, sourceOf } from './packets.js';
import type { Delivered } from './port.js';
import { heightOf } from '../self-height.js';
import { STORE } from '../store.js';
import { hasElapsed, timeoutNotReachedError } from './timeout.js';

interface Ends {
  readonly channel: pb.Channel;
  readonly connection: ConnectionEnd;
}

function endsOf(context: Context, packet: pb.Packet): Ends {
  const channel = requireChannel(context, sourceOf(packet));
  requireDestination(packet, channel);
  const hop = connectionHopOf(channel);
  const connection = getConnection(context, hop);
  if (connection === undefined) throw new SdkError(connectionErrors.notFound, hop);
  return { channel, connection };
}

/** True when the message's packet is not acknowledged yet; throws for another packet with its sequence. */
function isWaiting(context: Context, packet: pb.Packet): boolean {
  const kept = context.store.get(STORE, packetKey('commitments', sourceOf(packet), packet.sequence));
  if (kept === undefined) return false;
  requireSent(
    context,
    packet,
    kept,
    (sent, got) => `packet commitment bytes are not equal: got (${sent}), expected (${got})`,
  );
  return true;
}

/** Verifies that a packet was not received before its timeout; undefined when it is no longer pending. */
export function timeOut(
  context: Context,
  message: { packet: pb.Packet } & Pick<MsgTimeout, 'proofUnreceived' | 'proofHeight' | 'nextSequenceRecv'>,
): Delivered | undefined {
  const { packet, proofUnreceived, proofHeight, nextSequenceRecv } = message;
  const { channel, connection } = endsOf(context, packet);
  const height = heightOf(proofHeight);
  const now = timestampAt(context, connection.clientId, height);
  if (!hasElapsed(packet, height, now)) throw timeoutNotReachedError(packet, height, now);
  if (!isWaiting(context, packet)) return undefined;
  if (channel.ordering === pb.Order.ORDERED && nextSequenceRecv > packet.sequence)
    throw new SdkError(
      channelErrors.packetReceived,
      `packet already received, next sequence receive > packet sequence (${nextSequenceRecv} > ${packet.sequence})`,
    );
  verifyUnreceived(context, { channel, connection }, packet, { proof: proofUnreceived, height }, nextSequenceRecv);
  return end(context, channel, packet);
}

/** Verifies that a packet was not received and the counterparty channel is closed. */
export function timeOutOnClose(
  context: Context,
  message: { packet: pb.Packet } & Pick<
    MsgTimeoutOnClose,
    'proofUnreceived' | 'proofClose' | 'proofHeight' | 'nextSequenceRecv'
  >,
): Delivered | undefined {
  const { packet, proofUnreceived, proofClose, proofHeight, nextSequenceRecv } = message;
  const { channel, connection } = endsOf(context, packet);
  if (!isWaiting(context, packet)) return undefined;
  const height = heightOf(proofHeight);
  const closed = counterpartyChannel(sourceOf(packet), channel, connection, pb.State.CLOSED);
  verifyChannelState(context, connection, { proof: proofClose, height }, counterpartyNames(channel), closed);
  if (channel.ordering === pb.Order.ORDERED && nextSequenceRecv > packet.sequence)
    throw new SdkError(
      channelErrors.invalidPacket,
      `packet already received, next sequence receive > packet sequence (${nextSequenceRecv} > ${packet.sequence}`,
    );
  verifyUnreceived(context, { channel, connection }, packet, { proof: proofUnreceived, height }, nextSequenceRecv);
  return end(context, channel, packet);
}

function verifyUnreceived(
  context: Context,
  { channel, connection }: Ends,
  packet: pb.Packet,
  proof: Proof,
  nextSequenceRecv: bigint,
): void {
  const { ordering } = channel;
  if (ordering === pb.Order.ORDERED)
    verifyNextReceived(context, connection, proof, destinationOf(packet), nextSequenceRecv);
  else if (ordering === pb.Order.UNORDERED)
    verifyNoReceipt(context, connection, proof, destinationOf(packet), packet.sequence);
  else throw new RecoveredPanic(`${orderName(ordering)}: ${channelErrors.invalidOrdering.text}`);
}

/** Deletes the packet commitment and closes an ordered channel. */
function end(context: Context, channel: pb.Channel, packet: pb.Packet): Delivered {
  const source = sourceOf(packet);
  context.store.delete(STORE, packetKey('commitments', source, packet.sequence));
  if (channel.ordering === pb.Order.ORDERED) {
    const closed = create(pb.ChannelSchema, { ...channel, state: pb.State.CLOSED });
    setChannel(context, source, closed);
    emitClosed(context, packet, closed);
  }
  emitPacket(context, 'timeout_packet', packet, channel);
  return { packet, version: channel.version };
}
