import { EMPTY } from '../../core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { Query as Channels } from '../../core/proto/ibc/core/channel/v1/query_pb.js';
import { heightOfChain } from '../../core/relayer/clients.js';
import { arranged, isDelayed, isHeld, type PacketControls } from '../../core/relayer/controls.js';
import { TRANSFER_PORT } from '../../core/relayer/handshake.js';
import {
  isCommitted,
  keyOfNeed,
  messageOfNeed,
  needOfUnreceived,
  type PacketNeed,
} from '../../core/relayer/packets.js';
import type { PathEnd, PathEnds, Side } from '../../core/relayer/path.js';
import type { Postponed } from '../../core/relayer/postponed.js';
import { type Proven, provenMessages } from './deliver.js';
import type { RelayerState } from './relayer-state.js';
import { momentOf } from './moment.js';
import type { Heads, Remotes } from './reverted.js';
import { type Remote, RemoteFailed, type RemoteHead, TxFailed } from './remote.js';
import { send } from './send.js';
import { findPackets } from './packet-search.js';
import { inactiveClient } from './views.js';

/** A step that a packet needs, and the height of the state that proves it. */
type PlacedNeed = PacketNeed & { readonly provenAt: bigint };

/** The steps that packets of one direction need, on either chain. */
interface Needs {
  /** Packets to receive on the destination. */
  readonly received: readonly PlacedNeed[];
  /** Acknowledgements and timeouts for the source. */
  readonly ended: readonly PlacedNeed[];
  /** Sequences that the source reused after a revert; the destination has received the earlier packets. */
  readonly lost: readonly bigint[];
}

/** Shared state and reporting of one run of the relayer. */
export interface RoundHost {
  readonly postponed: Postponed;
  readonly failed: (error: unknown) => void;
  /** Reports the lost packets of a chain. */
  readonly lost: (side: Side, sequences: readonly bigint[]) => void;
  readonly relayerState: RelayerState;
  readonly crypto: Pick<Crypto, 'sha256'>;
}

/** The packets and controls of one round for one chain. */
interface Bringing extends RoundHost {
  /** Version of the controls by which the packets were chosen; a newer version ends the round. */
  readonly changes: number;
  /** Sequences that must be received in this order. */
  readonly order: readonly bigint[];
}

/**
 * Relays packets, acknowledgements and timeouts that are pending on both chains at these heads. All facts are read
 * from the chains, so a round after a crash does only what is left. Resolves with false if some failed.
 */
export async function relayRound(remotes: Remotes, ends: PathEnds, heads: Heads, host: RoundHost): Promise<boolean> {
  const { a, b } = remotes;
  const { relayerState } = host;
  const { changes } = relayerState;
  const [readA, readB]: readonly [Read, Read] = [
    { remote: a, head: heads.a },
    { remote: b, head: heads.b },
  ];
  const ofA = await needsOf(readA, readB, ends.a, relayerState.controls('a'), host);
  const ofB = await needsOf(readB, readA, ends.b, relayerState.controls('b'), host);
  host.lost('a', ofA.lost);
  host.lost('b', ofB.lost);
  // each direction sends to another chain; wait for both even if one throws
  const brought = await Promise.allSettled([
    bring(readA, b, ends.a, [...ofB.received, ...ofA.ended], {
      ...host,
      changes,
      order: relayerState.controls('b').order,
    }),
    bring(readB, a, ends.b, [...ofA.received, ...ofB.ended], {
      ...host,
      changes,
      order: relayerState.controls('a').order,
    }),
  ]);
  return brought
    .map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    })
    .every((isDone) => isDone);
}

/** A chain and the head at which it is read. */
interface Read {
  readonly remote: Remote;
  readonly head: RemoteHead;
}

/** The steps that packets of `source` need; held and delayed packets need none. */
async function needsOf(
  { remote: source, head: from }: Read,
  { remote: destination, head: to }: Read,
  { channelId }: PathEnd,
  controls: PacketControls,
  { postponed, crypto }: Pick<RoundHost, 'postponed' | 'crypto'>,
): Promise<Needs> {
  const port = { portId: TRANSFER_PORT, channelId };
  const { channel } = await source.query(Channels.method.channel, port, from.height);
  const other = { portId: TRANSFER_PORT, channelId: channel?.counterparty?.channelId ?? '' };
  const pagination = { limit: FIXED_LIMITS.relayedPackets };
  const { commitments } = await source.query(Channels.method.packetCommitments, { ...port, pagination }, from.height);
  const committed = new Map(commitments.map(({ sequence, data }) => [sequence, data]));
  const waiting = [...committed.keys()].toSorted((one, two) => Number(one - two));
  if (waiting.length === 0) return { received: [], ended: [], lost: [] };
  const request = { ...other, packetCommitmentSequences: waiting };
  const { sequences } = await destination.query(Channels.method.unreceivedPackets, request, to.height);
  const unreceived = new Set(sequences);
  const awaited = new Set(sequences);
  const open = waiting.filter((sequence) => !isHeld(controls, sequence));
  const [sent, answered] = await Promise.all([
    findPackets(
      source,
      'send_packet',
      channelId,
      open.filter((sequence) => unreceived.has(sequence)),
    ),
    findPackets(
      destination,
      'write_acknowledgement',
      other.channelId,
      open.filter((sequence) => !unreceived.has(sequence)),
    ),
  ]);
  const next = heightOfChain(destination.chain.chainId, to.height + 1n);
  const ready = new Map<bigint, PlacedNeed>();
  const ended: PlacedNeed[] = [];
  const lost: bigint[] = [];
  for (const sequence of open) {
    const [found, answer] = [sent.get(sequence), answered.get(sequence)];
    if (unreceived.has(sequence) && found !== undefined) {
      const need = needOfUnreceived(found.packet, next, to.time);
      if (need.kind === 'timeout') {
        awaited.delete(sequence);
        if (!postponed.has(need, from.height)) ended.push({ ...need, provenAt: to.height });
      } else if (!controls.dropped.has(sequence) && !postponed.has(need, to.height)) {
        const moment = await momentOf(source, found.height, controls);
        if (!isDelayed(controls, moment, from)) ready.set(sequence, { ...need, provenAt: found.height });
      }
    } else if (!unreceived.has(sequence) && answer !== undefined) {
      const { packet, acknowledgement, height: provenAt } = answer;
      const need = { kind: 'acknowledge', packet, acknowledgement, provenAt } as const;
      if (!isCommitted(crypto, packet, committed.get(sequence) ?? EMPTY)) lost.push(sequence);
      else if (!postponed.has(need, from.height)) ended.push(need);
    }
  }
  const received = arranged(controls, [...ready.keys()], awaited).flatMap((sequence) => ready.get(sequence) ?? []);
  return { received, ended, lost };
}

/**
 * Sends to `on` the messages about facts of `of`. If the batch fails, sends each message alone, so that one does not
 * block the others. Resolves with false if one failed. Stops early if a command changes the controls.
 */
async function bring(
  { remote: on, head: { height: headHeight } }: Read,
  of: Remote,
  { clientId }: PathEnd,
  needs: readonly PlacedNeed[],
  { postponed, failed, relayerState, changes, order }: Bringing,
): Promise<boolean> {
  const now = needs.slice(0, FIXED_LIMITS.relayedMessages);
  const sent = async (some: readonly PlacedNeed[]): Promise<boolean> => {
    if (relayerState.changes !== changes) return true;
    const facts = some.map((need): Proven => ({
      key: keyOfNeed(need),
      message: (proof) => messageOfNeed(need, proof, on.chain.account.bech32),
    }));
    const height = some.reduce((maximum, { provenAt }) => (provenAt > maximum ? provenAt : maximum), 0n);
    const { update, messages } = await provenMessages(on, of, clientId, height, facts, of.chain.isMinedAtOnce);
    // waiting for the blocks of the proofs may have taken long
    if (relayerState.changes !== changes) return true;
    try {
      await send(on, [update, ...messages], on.chain.isMinedAtOnce);
      return true;
    } catch (error) {
      if (!(error instanceof TxFailed)) throw error;
      failed(error);
      return false;
    }
  };
  if (now.length === 0) return true;
  const reason = await inactiveClient(on, clientId);
  if (reason !== undefined) {
    // the client is the cause, not a packet: all are relayed once the client is active again
    failed(new RemoteFailed(reason));
    return true;
  }
  if (now.length > 1 && (await sent(now))) return true;
  let isDone = true;
  for (const need of now) {
    if (await sent([need])) continue;
    postponed.add(need, headHeight);
    isDone = false;
    if (need.kind === 'receive' && order.includes(need.packet.sequence)) break;
  }
  return isDone;
}
