/** Builds the anchor row that can replace old records, from a snapshot. */
import { fromBinary } from '@bufbuild/protobuf';
import { EMPTY, equal } from '../../core/bytes/bytes.js';
import type { NodeStarted, Recorded, Stream } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, toPosition, type Height, type Position } from '../../core/primitives.js';
import { BlockSchema } from '../../core/proto/tendermint/types/block_pb.js';
import { ANCHOR_POSITION, encodeAnchor } from '../../store/log/anchor.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { History } from '../../store/history/history.js';
import { recordKey } from '../../store/keys.js';
import type { LogHead } from '../../store/log/head.js';
import { readRecord } from '../../store/log/read-records.js';
import { BLOCK_SECTIONS, decodeHeader, type RecordHeader } from '../../store/log/record.js';
import { SNAPSHOT_FORMAT } from '../snapshots/chunks.js';
import type { AnchoredState } from '../chain/restored-chain.js';

/** A complete snapshot in the database. */
export interface TakenState {
  readonly chain: AnchoredState;
  /** The sha256 of each part. */
  readonly parts: readonly Uint8Array[];
  /** The NodeStarted data of the process that made the next block. */
  readonly started: NodeStarted['data'];
}

export interface MakeAnchorOptions {
  readonly log: Pick<EventLog, 'head' | 'read' | 'recordOf' | 'blockAt'>;
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly crypto: Crypto;
  readonly history: History;
}

/**
 * Builds an anchor row. Undefined when the next block's record cannot be the first kept one: it contains part of
 * another block, was written by an old build, or is not on this chain.
 */
export async function makeAnchor(options: MakeAnchorOptions, taken: TakenState): Promise<Uint8Array | undefined> {
  const { log, history } = options;
  const { chain, parts, started } = taken;
  const { height } = chain;
  const last = log.blockAt(height);
  const record = log.recordOf(height)?.executed?.record;
  const next = firstKept(options, height);
  const genesis = headerAt(options, toPosition(1n));
  const block = log.blockAt(toHeight(height + 1n))?.decided.event.data.block;
  if (last?.executed === undefined || record === undefined || next === undefined || block === undefined)
    return undefined;
  if (genesis?.count !== 1 || !equal(fromBinary(BlockSchema, block).header?.appHash ?? EMPTY, chain.appHash))
    return undefined;
  const before = await eventsBefore(log, record, next.first);
  const streams = await streamsAt(log, next.first);
  const { upgradeHeight } = last.executed.event.data;
  return encodeAnchor({
    next: next.first,
    previousHash: genesis.hash,
    hash: next.previousHash,
    streams,
    time: before.at(-1)?.time ?? last.executed.time,
    history: history.heldRows(height),
    parts,
    restored: { ...chain, upgradeHeight, format: SNAPSHOT_FORMAT, chunks: [] },
    started,
  });
}

const ENVELOPES = new Set(['envelope', 'other'] as const);

/** Header of the record of block `height + 1`, if a pruned log can begin with it. */
export function firstKept(
  options: Pick<MakeAnchorOptions, 'log' | 'store' | 'crypto'>,
  height: Height,
): RecordHeader | undefined {
  const { log, store, crypto } = options;
  const executed = log.recordOf(height)?.executed;
  const next = log.recordOf(toHeight(height + 1n));
  const first = next?.decided.record;
  // The anchor itself occupies two positions.
  if (first === undefined || first < ANCHOR_POSITION + 2n || next?.executed?.record !== first) return undefined;
  if (executed === undefined || executed.record >= first) return undefined;
  const header = headerAt(options, first);
  // Later rows are delta-encoded against its state writes.
  if (header?.envelopes === undefined || !header.sections.has('writes')) return undefined;
  const { events } = readRecord(store, crypto, first, BLOCK_SECTIONS);
  const isOfBlock = events.every(
    ({ event, position }) => event.type !== 'Reverted' || position > next.decided.position,
  );
  return isOfBlock ? header : undefined;
}

function headerAt(
  { store, crypto }: Pick<MakeAnchorOptions, 'store' | 'crypto'>,
  first: Position,
): RecordHeader | undefined {
  const row = store.get(recordKey(first, 0));
  return row && decodeHeader(first, row, crypto);
}

async function eventsBefore(log: Pick<EventLog, 'read'>, from: Position, next: Position): Promise<readonly Recorded[]> {
  const found: Recorded[] = [];
  for await (const events of log.read({ from, limit: Number(next - from), sections: ENVELOPES }))
    for (const event of events) found.push(event);
  return found;
}

/** Last position of each stream before the record at `next`; a stream without later events is as at the head. */
async function streamsAt(
  log: Pick<EventLog, 'read' | 'head'>,
  next: Position,
): Promise<Readonly<Record<Stream, bigint>>> {
  const head: LogHead = log.head();
  const found: Partial<Record<Stream, bigint>> = {};
  const limit = Number(head.position - next) + 1;
  for await (const events of log.read({ from: next, limit, sections: ENVELOPES })) {
    for (const { stream, streamPosition } of events) found[stream] ??= streamPosition - 1n;
    if (Object.keys(found).length === Object.keys(head.streams).length) break;
  }
  return { ...head.streams, ...found };
}
