/** Sends, receives and acknowledges packets (ibc-go v10 `modules/core/04-channel/keeper/packet.go`). */
import { create } from '@bufbuild/protobuf';
import { be64, readBe64 } from '../../../bytes/big-endian.js';
import { concat, equal, utf8 } from '../../../bytes/bytes.js';
import type { Crypto } from '../../../ports/crypto.js';
import {
  type Channel,
  Order,
  type Packet,
  PacketSchema,
  State,
} from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import type { MsgAcknowledgement, MsgRecvPacket } from '../../../proto/ibc/core/channel/v1/tx_pb.js';
import { listedBytes } from '../../../sdk/go/go-text.js';
import type { Context } from '../../../sdk/module/context.js';
import { has } from '../../../sdk/module/gas.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { canonicalAcknowledgement } from './acknowledgement.js';
import { connectionHopOf, requireChannel, requireOpen } from './handshake.js';
import { getChannel } from './channels.js';
import { latestHeight, requireActive, timestampAt } from '../client/clients.js';
import { getConnection } from '../connection/connections.js';
import { verifyAcknowledgement, verifyCommitment } from '../connection/counterparty.js';
import { channelErrors, clientErrors, connectionErrors } from '../errors.js';
import {
  nextSequenceAckKey,
  nextSequenceRecvKey,
  nextSequenceSendKey,
  packetKey,
  type PortChannel,
  receiveStartKey,
} from '../keys.js';
import { stateName } from '../names.js';
import { emitPacket } from './packet-events.js';
import type { Delivered } from './port.js';
import { heightOf, isZeroHeight, type RevisionHeight, selfHeight } from '../self-height.js';
import { STORE } from '../store.js';
import { hasElapsed, timeoutElapsedError } from './timeout.js';
import { validatePacket } from './validate-packet.js';

const RECEIVED = Uint8Array.of(1);

/** A packet to send. */
export interface Sent {
  readonly source: PortChannel;
  /** Timeout height; 0-0 means none. */
  readonly timeoutHeight: RevisionHeight;
  /** Timeout in nanoseconds; 0 means none. */
  readonly timeoutTimestamp: bigint;
  readonly data: Uint8Array;
}

/** Source port and channel of a packet. */
export const sourceOf = ({ sourcePort, sourceChannel }: Packet): PortChannel => ({
  portId: sourcePort,
  channelId: sourceChannel,
});
/** Destination port and channel of a packet. */
export const destinationOf = ({ destinationPort, destinationChannel }: Packet): PortChannel => ({
  portId: destinationPort,
  channelId: destinationChannel,
});

/** Packet commitment that the sender stores, 32 bytes (ibc-go v10 `CommitPacket`). */
export function commitmentOf({ crypto }: { readonly crypto: Pick<Crypto, 'sha256'> }, packet: Packet): Uint8Array {
  const { revisionNumber, revisionHeight } = heightOf(packet.timeoutHeight);
  return crypto.sha256(
    concat(be64(packet.timeoutTimestamp), be64(revisionNumber), be64(revisionHeight), crypto.sha256(packet.data)),
  );
}

/** Requires an open channel. */
function requireOpenChannel({ state }: Channel): void {
  if (state !== State.OPEN)
    throw new SdkError(channelErrors.invalidState, `channel is not OPEN (got ${stateName(state)})`);
}

/** Reads the channel of an application; throws when it is missing or not open. */
function requireOpenEnd(context: Context, names: PortChannel): Channel {
  const channel = getChannel(context, names);
  if (channel === undefined) throw new SdkError(channelErrors.notFound, names.channelId);
  requireOpenChannel(channel);
  return channel;
}

/** Reads a sequence of a channel; throws `refusal` when there is none. */
function sequenceOf(context: Context, key: Uint8Array, refusal: SdkError): bigint {
  const value = context.store.get(STORE, key);
  if (value === undefined) throw refusal;
  return readBe64(value);
}

/** Sends a packet over an open channel; returns its sequence. */
export function sendPacket(context: Context, { source, timeoutHeight, timeoutTimestamp, data }: Sent): bigint {
  const { store } = context;
  const channel = requireOpenEnd(context, source);
  const { portId, channelId } = source;
  const sequence = sequenceOf(
    context,
    nextSequenceSendKey(source),
    new SdkError(channelErrors.noSendSequence, `source port: ${portId}, source channel: ${channelId}`),
  );
  const packet = create(PacketSchema, {
    sequence,
    sourcePort: portId,
    sourceChannel: channelId,
    destinationPort: channel.counterparty?.portId ?? '',
    destinationChannel: channel.counterparty?.channelId ?? '',
    data,
    timeoutHeight,
    timeoutTimestamp,
  });
  wrapping('constructed packet failed basic validation', () => validatePacket(packet));
  const hop = connectionHopOf(channel);
  const connection = getConnection(context, hop);
  if (connection === undefined) throw new SdkError(connectionErrors.notFound, hop);
  const { clientId } = connection;
  requireActive(context, clientId, (status) => `cannot send packet using client (${clientId}) with status ${status}`);
  const latest = latestHeight(context, clientId);
  if (isZeroHeight(latest))
    throw new SdkError(clientErrors.invalidHeight, `cannot send packet using client (${clientId}) with zero height`);
  const now = timestampAt(context, clientId, latest);
  if (hasElapsed(packet, latest, now)) throw timeoutElapsedError(packet, latest, now, 'invalid packet timeout');
  store.set(STORE, nextSequenceSendKey(source), be64(sequence + 1n));
  store.set(STORE, packetKey('commitments', source, sequence), commitmentOf(context, packet));
  emitPacket(context, 'send_packet', packet, channel);
  return sequence;
}

/** Requires that a packet comes from the counterparty channel. */
function requireSource({ sourcePort, sourceChannel }: Packet, { counterparty }: Channel): void {
  const refuse = (what: string, got: string, expected = ''): SdkError =>
    new SdkError(
      channelErrors.invalidPacket,
      `packet source ${what} doesn't match the counterparty's ${what} (${got} ≠ ${expected})`,
    );
  if (sourcePort !== counterparty?.portId) throw refuse('port', sourcePort, counterparty?.portId);
  if (sourceChannel !== counterparty.channelId) throw refuse('channel', sourceChannel, counterparty.channelId);
}

/** Requires that a packet is for the counterparty channel. */
export function requireDestination({ destinationPort, destinationChannel }: Packet, { counterparty }: Channel): void {
  const refuse = (what: string, got: string, expected = ''): SdkError =>
    new SdkError(
      channelErrors.invalidPacket,
      `packet destination ${what} doesn't match the counterparty's ${what} (${got} ≠ ${expected})`,
    );
  if (destinationPort !== counterparty?.portId) throw refuse('port', destinationPort, counterparty?.portId);
  if (destinationChannel !== counterparty.channelId)
    throw refuse('channel', destinationChannel, counterparty.channelId);
}

/** Verifies a packet's proof and records its receipt; undefined when it was received before. */
export function receivePacket(
  context: Context,
  { packet, proofCommitment, proofHeight }: { packet: Packet } & Pick<MsgRecvPacket, 'proofCommitment' | 'proofHeight'>,
): Delivered | undefined {
  const channel = requireOpenEnd(context, destinationOf(packet));
  requireSource(packet, channel);
  const connection = requireOpen(context, connectionHopOf(channel));
  const [height, now] = [selfHeight(context), context.time];
  if (hasElapsed(packet, height, now)) throw timeoutElapsedError(packet, height, now, 'packet timeout elapsed');
  const proof = { proof: proofCommitment, height: heightOf(proofHeight) };
  wrapping("couldn't verify counterparty packet commitment", () =>
    verifyCommitment(context, connection, proof, sourceOf(packet), packet.sequence, commitmentOf(context, packet)),
  );
  return noteReceipt(context, packet, channel);
}

/** Records a packet's receipt without verifying its proof, for CheckTx of verified packets. */
export function receiveWithoutProof(context: Context, packet: Packet): Delivered | undefined {
  const channel = getChannel(context, destinationOf(packet));
  if (channel === undefined) throw new SdkError(channelErrors.notFound, packet.destinationChannel);
  return noteReceipt(context, packet, channel);
}

function refuseBeforeStart(context: Context, packet: Packet): void {
  const value = context.store.get(STORE, receiveStartKey(destinationOf(packet)));
  if (value !== undefined && packet.sequence < readBe64(value))
    throw new SdkError(channelErrors.packetReceived, 'packet already processed in previous channel upgrade');
}

function noteReceipt(context: Context, packet: Packet, channel: Channel): Delivered | undefined {
  const { store } = context;
  const destination = destinationOf(packet);
  refuseBeforeStart(context, packet);
  if (channel.ordering === Order.UNORDERED) {
    const key = packetKey('receipts', destination, packet.sequence);
    if (store.get(STORE, key) !== undefined) return undefined;
    store.set(STORE, key, RECEIVED);
  } else if (channel.ordering === Order.ORDERED) {
    const { portId, channelId } = destination;
    const next = sequenceOf(
      context,
      nextSequenceRecvKey(destination),
      new SdkError(channelErrors.noReceiveSequence, `destination port: ${portId}, destination channel: ${channelId}`),
    );
    if (packet.sequence < next) return undefined;
    if (packet.sequence !== next)
      throw new SdkError(
        channelErrors.outOfOrder,
        `packet sequence ≠ next receive sequence (${packet.sequence} ≠ ${next})`,
      );
    store.set(STORE, nextSequenceRecvKey(destination), be64(next + 1n));
  }
  emitPacket(context, 'recv_packet', packet, channel);
  return { packet, version: channel.version };
}

/** Stores the acknowledgement of a packet. */
export function writeAcknowledgement(context: Context, packet: Packet, acknowledgement: Uint8Array): void {
  const { store, crypto } = context;
  const destination = destinationOf(packet);
  const channel = requireOpenEnd(context, destination);
  refuseBeforeStart(context, packet);
  const key = packetKey('acks', destination, packet.sequence);
  if (has(store, STORE, key)) throw new SdkError(channelErrors.acknowledgementExists);
  if (acknowledgement.length === 0)
    throw new SdkError(channelErrors.invalidAcknowledgement, 'acknowledgement cannot be empty');
  store.set(STORE, key, crypto.sha256(acknowledgement));
  emitPacket(context, 'write_acknowledgement', packet, channel, acknowledgement);
}

/** Requires that a packet matches the stored commitment; `say` makes the error text from both commitments. */
export function requireSent(
  context: Context,
  packet: Packet,
  kept: Uint8Array,
  say: (kept: string, got: string) => string,
): void {
  const got = commitmentOf(context, packet);
  if (!equal(kept, got)) throw new SdkError(channelErrors.invalidPacket, say(listedBytes(kept), listedBytes(got)));
}

/** Verifies the proof of an acknowledgement; undefined when the packet was acknowledged before. */
export function acknowledgePacket(
  context: Context,
  message: { packet: Packet } & Pick<MsgAcknowledgement, 'acknowledgement' | 'proofAcked' | 'proofHeight'>,
): Delivered | undefined {
  const { store } = context;
  const { packet, acknowledgement, proofAcked, proofHeight } = message;
  const source = sourceOf(packet);
  const channel = requireChannel(context, source);
  requireOpenChannel(channel);
  requireDestination(packet, channel);
  const connection = requireOpen(context, connectionHopOf(channel));
  const commitmentKey = packetKey('commitments', source, packet.sequence);
  const sent = store.get(STORE, commitmentKey);
  if (sent === undefined) return undefined;
  const canonical = canonicalAcknowledgement(acknowledgement);
  if (canonical !== undefined && !equal(utf8(canonical), acknowledgement))
    throw new SdkError(channelErrors.invalidAcknowledgement, 'acknowledgement marshalling error');
  requireSent(context, packet, sent, (kept, got) => `commitment bytes are not equal: got (${got}), expected (${kept})`);
  const proof = { proof: proofAcked, height: heightOf(proofHeight) };
  verifyAcknowledgement(context, connection, proof, destinationOf(packet), packet.sequence, acknowledgement);
  if (channel.ordering === Order.ORDERED) {
    const { portId, channelId } = source;
    const next = sequenceOf(
      context,
      nextSequenceAckKey(source),
      new SdkError(channelErrors.noAcknowledgementSequence, `source port: ${portId}, source channel: ${channelId}`),
    );
    if (packet.sequence !== next)
      throw new SdkError(
        channelErrors.outOfOrder,
        `packet sequence ≠ next ack sequence (${packet.sequence} ≠ ${next})`,
      );
    store.set(STORE, nextSequenceAckKey(source), be64(next + 1n));
  }
  store.delete(STORE, commitmentKey);
  emitPacket(context, 'acknowledge_packet', packet, channel);
  return { packet, version: channel.version };
}
