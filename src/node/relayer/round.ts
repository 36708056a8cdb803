import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { Query as Channels } from '../../core/proto/ibc/core/channel/v1/query_pb.js';
import { heightOfChain } from '../../core/relayer/clients.js';
import { TRANSFER_PORT } from '../../core/relayer/handshake.js';
import {
  keyOfNeed,
  messageOfNeed,
  needOfUnreceived,
  packetOfEvent,
  type PacketNeed,
  type TextEvent,
  type ToldPacket,
} from '../../core/relayer/packets.js';
import type { PathEnd, PathEnds, Side } from '../../core/relayer/path.js';
import type { Postponed } from '../../core/relayer/postponed.js';
import { asObject } from '../../core/text/json-object.js';
import { type Proven, provenMessages } from './deliver.js';
import type { Remotes } from './open-path.js';
import { type Remote, type RemoteHead, TxFailed } from './remote.js';
import { send } from './send.js';

export type Heads = Readonly<Record<Side, RemoteHead>>;

/** The needs of the packets of one channel end, on either chain. */
interface Needs {
  /** On the destination. */
  readonly received: readonly PacketNeed[];
  /** On the source: answers and timeouts. */
  readonly ended: readonly PacketNeed[];
}

/** Memory of one run of the relayer: what failed, and how that is told. */
export interface RoundHost {
  readonly postponed: Postponed;
  readonly failed: (error: unknown) => void;
}

/**
 * Brings what waits on both chains at these heads: packets, their answers and their timeouts. Every fact is read of the
 * chains, so that a round after any crash does what is left, and nothing twice. Resolves with false where some failed.
 */
export async function relayRound(remotes: Remotes, ends: PathEnds, heads: Heads, host: RoundHost): Promise<boolean> {
  const { a, b } = remotes;
  const ofA = await needsOf({ remote: a, head: heads.a }, { remote: b, head: heads.b }, ends.a, host.postponed);
  const ofB = await needsOf({ remote: b, head: heads.b }, { remote: a, head: heads.a }, ends.b, host.postponed);
  // each sends on a chain of its own; neither is left alone when the other one throws
  const brought = await Promise.allSettled([
    bring(a, b, ends.a, heads, [...ofB.received, ...ofA.ended], host),
    bring(b, a, ends.b, { a: heads.b, b: heads.a }, [...ofA.received, ...ofB.ended], host),
  ]);
  return brought
    .map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    })
    .every((isDone) => isDone);
}

/** A chain, and the head at which it is read. */
interface Read {
  readonly remote: Remote;
  readonly head: RemoteHead;
}

async function needsOf(
  { remote: source, head: from }: Read,
  { remote: destination, head: to }: Read,
  { channelId }: PathEnd,
  postponed: Postponed,
): Promise<Needs> {
  const port = { portId: TRANSFER_PORT, channelId };
  const { channel } = await source.query(Channels.method.channel, port, from.height);
  const other = { portId: TRANSFER_PORT, channelId: channel?.counterparty?.channelId ?? '' };
  const pagination = { limit: FIXED_LIMITS.relayedPackets };
  const { commitments } = await source.query(Channels.method.packetCommitments, { ...port, pagination }, from.height);
  const waiting = commitments.map(({ sequence }) => sequence).toSorted((one, two) => Number(one - two));
  if (waiting.length === 0) return { received: [], ended: [] };
  const request = { ...other, packetCommitmentSequences: waiting };
  const { sequences } = await destination.query(Channels.method.unreceivedPackets, request, to.height);
  const unreceived = new Set(sequences);
  const received: PacketNeed[] = [];
  const ended: PacketNeed[] = [];
  for (const sequence of waiting) {
    if (received.length >= FIXED_LIMITS.relayedMessages || ended.length >= FIXED_LIMITS.relayedMessages) break;
    if (unreceived.has(sequence)) {
      const told = await toldPacket(source, 'send_packet', 'packet_src_channel', channelId, sequence);
      if (told === undefined) continue;
      const next = heightOfChain(destination.chain.chainId, to.height + 1n);
      const need = needOfUnreceived(told.packet, next, to.time);
      if (need.kind === 'receive' && !postponed.has(need, to.height)) received.push(need);
      if (need.kind === 'timeout' && !postponed.has(need, from.height)) ended.push(need);
    } else {
      const told = await toldPacket(
        destination,
        'write_acknowledgement',
        'packet_dst_channel',
        other.channelId,
        sequence,
      );
      if (told === undefined) continue;
      const need: PacketNeed = { kind: 'acknowledge', ...told };
      if (!postponed.has(need, from.height)) ended.push(need);
    }
  }
  return { received, ended };
}

/** The packet of the last event that tells of it: of a transaction, or of a block, as proposals send. */
async function toldPacket(
  remote: Remote,
  type: 'send_packet' | 'write_acknowledgement',
  key: 'packet_src_channel' | 'packet_dst_channel',
  channelId: string,
  sequence: bigint,
): Promise<ToldPacket | undefined> {
  const query = `${type}.packet_sequence=${sequence} AND ${type}.${key}='${channelId}'`;
  const search = { query, per_page: '10', order_by: 'desc' };
  const { txs } = await remote.call('tx_search', search);
  const results = (Array.isArray(txs) ? txs : []).map((tx: unknown) => asObject(asObject(tx)?.['tx_result']));
  const ofTx = results.flatMap((result) => packetsOf(result?.['events'], type));
  const isIt = ({ packet }: ToldPacket): boolean =>
    packet.sequence === sequence &&
    (key === 'packet_src_channel' ? packet.sourceChannel : packet.destinationChannel) === channelId;
  const found = ofTx.find(isIt);
  if (found !== undefined) return found;
  const { blocks } = await remote.call('block_search', search);
  for (const block of Array.isArray(blocks) ? blocks : []) {
    const header = asObject(asObject(asObject(block)?.['block'])?.['header']);
    const { finalize_block_events: events } = await remote.call('block_results', {
      height: String(header?.['height']),
    });
    const ofBlock = packetsOf(events, type).find(isIt);
    if (ofBlock !== undefined) return ofBlock;
  }
  return undefined;
}

function packetsOf(events: unknown, type: 'send_packet' | 'write_acknowledgement'): readonly ToldPacket[] {
  return (Array.isArray(events) ? events : []).flatMap((event: unknown) => {
    const { type: name, attributes } = asObject(event) ?? {};
    const told: TextEvent = {
      type: String(name),
      attributes: (Array.isArray(attributes) ? attributes : []).map((attribute: unknown) => {
        const { key, value } = asObject(attribute) ?? {};
        return { key: String(key), value: String(value) };
      }),
    };
    return packetOfEvent(told, type) ?? [];
  });
}

/**
 * Sends what `on`, which is `heads.a`, needs of `of`. Where all together fail, each goes alone, so that one does not
 * hold the others. Resolves with false where one failed.
 */
async function bring(
  on: Remote,
  of: Remote,
  { clientId }: PathEnd,
  heads: Heads,
  needs: readonly PacketNeed[],
  { postponed, failed }: RoundHost,
): Promise<boolean> {
  const now = needs.slice(0, FIXED_LIMITS.relayedMessages);
  const sent = async (some: readonly PacketNeed[]): Promise<boolean> => {
    const facts = some.map((need): Proven => ({
      key: keyOfNeed(need),
      message: (proof) => messageOfNeed(need, proof, on.chain.account.bech32),
    }));
    const { update, messages } = await provenMessages(on, of, clientId, heads.b.height, facts, of.chain.isMinedAtOnce);
    try {
      await send(on, [update, ...messages], on.chain.isMinedAtOnce);
      return true;
    } catch (error) {
      if (!(error instanceof TxFailed)) throw error;
      failed(error);
      return false;
    }
  };
  if (now.length === 0 || (now.length > 1 && (await sent(now)))) return true;
  let isDone = true;
  for (const need of now) {
    if (await sent([need])) continue;
    postponed.add(need, heads.a.height);
    isDone = false;
  }
  return isDone;
}
