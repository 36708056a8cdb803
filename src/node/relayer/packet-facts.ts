import type { PacketStatus, RelayedPacket } from '../../core/ethereum/packet-commands.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { Query as Channels } from '../../core/proto/ibc/core/channel/v1/query_pb.js';
import { isDelayed, isHeld, type PacketControls } from '../../core/relayer/controls.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { TRANSFER_PORT } from '../../core/relayer/handshake.js';
import { isCommitted } from '../../core/relayer/packets.js';
import type { PathEnd, Side } from '../../core/relayer/path.js';
import type { OpenPath } from './relayer-state.js';
import { momentOf } from './moment.js';
import type { Remote } from './remote.js';
import { findPacket, findPackets } from './packet-search.js';
import { inactiveClient } from './views.js';

/** One direction of a channel: the source and destination chains with their channel ends. */
export interface Direction {
  readonly source: Remote;
  readonly destination: Remote;
  readonly from: PathEnd;
  readonly to: PathEnd;
  readonly crypto: Pick<Crypto, 'sha256'>;
}

/** The direction of packets that a chain sends. */
export function directionOf({ remotes, ends, crypto }: OpenPath, side: Side): Direction {
  const other = side === 'a' ? 'b' : 'a';
  return { source: remotes[side], destination: remotes[other], from: ends[side], to: ends[other], crypto };
}

/** Packet commitments of packets that have not ended, by sequence. */
async function commitmentsOf({ source, from }: Direction): Promise<ReadonlyMap<bigint, Uint8Array>> {
  const pagination = { limit: FIXED_LIMITS.relayedPackets };
  const port = { portId: TRANSFER_PORT, channelId: from.channelId };
  const { commitments } = await source.query(Channels.method.packetCommitments, { ...port, pagination });
  return new Map(commitments.map(({ sequence, data }) => [sequence, data]));
}

/** Sequences of packets that have not ended, lowest first, up to a limit. */
export async function openSequences(direction: Direction): Promise<readonly bigint[]> {
  return [...(await commitmentsOf(direction)).keys()].toSorted((one, two) => Number(one - two));
}

/** Statuses of packets by sequence; packets that were never sent are left out. */
export async function statusesOf(
  direction: Direction,
  sequences: readonly bigint[],
): Promise<ReadonlyMap<bigint, PacketStatus>> {
  const { source, destination, from, to } = direction;
  const own = { portId: TRANSFER_PORT, channelId: from.channelId };
  const other = { portId: TRANSFER_PORT, channelId: to.channelId };
  const { nextSequenceSend } = await source.query(Channels.method.nextSequenceSend, own);
  const sent = sequences.filter((sequence) => sequence > 0n && sequence < nextSequenceSend);
  if (sent.length === 0) return new Map();
  // query in this order: a packet that ends between the two queries counts as received
  const { sequences: open } = await source.query(Channels.method.unreceivedAcks, { ...own, packetAckSequences: sent });
  const { sequences: unreceived } = await destination.query(Channels.method.unreceivedPackets, {
    ...other,
    packetCommitmentSequences: sent,
  });
  const lost = await lostOf(
    direction,
    open.filter((sequence) => !unreceived.includes(sequence)),
  );
  const statusOf = (sequence: bigint): PacketStatus => {
    if (lost.has(sequence)) return 'lost';
    if (open.includes(sequence)) return unreceived.includes(sequence) ? 'waiting' : 'received';
    return unreceived.includes(sequence) ? 'timed out' : 'acknowledged';
  };
  return new Map(sent.map((sequence) => [sequence, statusOf(sequence)]));
}

/** Sequences whose acknowledgement on the other chain is for another packet (from before a revert). */
async function lostOf(direction: Direction, received: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  if (received.length === 0) return new Set();
  const { destination, to, crypto } = direction;
  const commitments = await commitmentsOf(direction);
  const answered = await findPackets(destination, 'write_acknowledgement', to.channelId, received);
  return new Set(
    [...answered].flatMap(([sequence, { packet }]) => {
      const commitment = commitments.get(sequence);
      return commitment === undefined || isCommitted(crypto, packet, commitment) ? [] : [sequence];
    }),
  );
}

/** Facts of packets in the requested order, with acknowledgements and the reasons why they wait. */
export async function packetFacts(
  direction: Direction,
  controls: PacketControls,
  sequences: readonly bigint[],
): Promise<readonly RelayedPacket[]> {
  const statuses = await statusesOf(direction, [...new Set([...sequences, ...controls.order])]);
  const waits = [...statuses].flatMap(([sequence, status]) => (status === 'waiting' ? [sequence] : []));
  const facts: RelayedPacket[] = [];
  for (const sequence of sequences) {
    const status = statuses.get(sequence);
    if (status === undefined) continue;
    facts.push({
      sequence,
      channel: direction.from.channelId,
      destinationChannel: direction.to.channelId,
      status,
      reason: await reasonOf(direction, controls, sequence, status, waits),
      acknowledgement: await answerOf(direction, sequence, status),
    });
  }
  return facts;
}

/** Explains why a packet is lost and what to do. */
export const lostReason = (chainId: string): string =>
  `${chainId} received another packet with this sequence: take it back, too, or reset a chain (anvil_reset)`;

async function answerOf(
  { destination, to }: Direction,
  sequence: bigint,
  status: PacketStatus,
): Promise<Uint8Array | undefined> {
  if (status !== 'received' && status !== 'acknowledged') return undefined;
  return (await findPacket(destination, 'write_acknowledgement', to.channelId, sequence))?.acknowledgement;
}

async function reasonOf(
  { source, destination, from, to }: Direction,
  controls: PacketControls,
  sequence: bigint,
  status: PacketStatus,
  waits: readonly bigint[],
): Promise<string | undefined> {
  if (status === 'acknowledged' || status === 'timed out') return undefined;
  if (status === 'lost') return lostReason(destination.chain.chainId);
  if (isHeld(controls, sequence)) return 'held';
  // the acknowledgement goes back to the source chain
  if (status === 'received') return inactiveClient(source, from.clientId);
  if (controls.dropped.has(sequence)) return 'dropped';
  const place = controls.order.indexOf(sequence);
  const before = controls.order
    .slice(0, Math.max(place, 0))
    .find((one) => waits.includes(one) && !controls.dropped.has(one));
  if (before !== undefined) return `behind packet ${before}`;
  const found = await findPacket(source, 'send_packet', from.channelId, sequence);
  if (found !== undefined && isDelayed(controls, await momentOf(source, found.height, controls), await source.head()))
    return 'delayed';
  return inactiveClient(destination, to.clientId);
}
