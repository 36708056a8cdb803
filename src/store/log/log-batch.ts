/** Builds one batch from waiting `append` calls: one record of the log, with the rows derived from it. */
import { toOrderedString } from '../../core/bytes/key-order.js';
import { STREAM_OF, type LogEvent, type Recorded } from '../../core/log-events.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import type { Clock } from '../../core/ports/time.js';
import { toPosition, type Height, type Position } from '../../core/primitives.js';
import { decodeHeightRow, encodeHeightRow, encodeLocation } from './block-index.js';
import { ByteReader, ByteWriter } from '../bytes.js';
import { checkpointRow } from './checkpoint.js';
import { durableRow } from './durable.js';
import { CorruptionError } from '../errors.js';
import { encodeHead, heightsAfter, type LogHead } from './head.js';
import { headKey, heightKey, onceKey, restoredKey } from '../keys.js';
import type { LogSync } from '../../core/ports/log-sync.js';
import { readRecord } from './read-records.js';
import { BLOCK_SECTIONS, encodeRecord, type Sha256 } from './record.js';
import { abandonedHeights } from '../state/revert.js';
import { isLatestKey } from '../state/tables.js';

export interface Appending {
  readonly event: LogEvent;
  /** Id of the command that caused the event. */
  readonly cause?: string;
}

/** Rows written in the same batch as the events: a list, or a function of the position of the call's first event. */
export type AppendRows = readonly StoreOperation[] | ((first: Position) => readonly StoreOperation[]);

export interface AppendOptions {
  /** Overrides the sync mode. */
  readonly sync?: boolean;
  /** Idempotency key: a second append with this id writes nothing and returns the events of the first. */
  readonly once?: string;
  /** Rows written before all others of the batch; generated lazily while the batch is filled (`CommitOptions`). */
  readonly before?: Iterable<StoreOperation>;
}

/** A waiting `append` call. */
export interface Call {
  readonly events: readonly Appending[];
  readonly rows: AppendRows;
  readonly options: AppendOptions;
  readonly resolve: (recorded: readonly Recorded[]) => void;
  readonly reject: (error: unknown) => void;
}

export interface Batch {
  /** The head after the batch. */
  readonly head: LogHead;
  readonly operations: readonly StoreOperation[];
  /** `AppendOptions.before` of the first call. */
  readonly before: Iterable<StoreOperation> | undefined;
  readonly sync: boolean;
  /** True when the batch also moves the verification checkpoint to this record. */
  readonly isCheckpoint: boolean;
  /** All events of the batch. */
  readonly events: readonly Recorded[];
  readonly answers: readonly { readonly call: Call; readonly recorded: readonly Recorded[] }[];
}

export interface LogEnd {
  readonly store: KeyValueStore;
  readonly crypto: Sha256;
  readonly clock: Clock;
  readonly sync: LogSync;
  readonly head: LogHead;
  /** Record of the last checkpoint. */
  readonly checkpoint: Position;
  /** Position up to which the log is fsynced. */
  readonly durable: Position;
}

/**
 * Takes the first calls that fit into one record together (at least one). A record has at most one executed block, so
 * that a block can be read without its neighbours. A call with `before` rows must be the first of its batch.
 */
export function takeCalls(queue: Call[]): readonly Call[] {
  let events = 0;
  let calls = 0;
  let hasBlock = false;
  for (const call of queue) {
    const isBlock = call.events.some(({ event }) => event.type === 'BlockExecuted');
    const isFirst = call.options.before !== undefined;
    events += call.events.length;
    if (calls > 0 && (isFirst || events > FIXED_LIMITS.eventsPerBatch || (hasBlock && isBlock))) break;
    hasBlock ||= isBlock;
    calls += 1;
  }
  return queue.splice(0, calls);
}

/** True when the call appends admissions only. Block production never waits for such a call. */
export function isAdmission({ events }: Call): boolean {
  return events.every(({ event }) => event.type === 'TxAdmitted');
}

/** Takes the first call when it is one whole block (decided and executed); otherwise takes nothing. */
export function takeBlock(queue: Call[]): readonly Call[] {
  const [first] = queue;
  const { once, before } = first?.options ?? {};
  const types = once === undefined && before === undefined ? first?.events.map(({ event }) => event.type) : undefined;
  const isBlock = types?.length === 2 && types[0] === 'BlockDecided' && types[1] === 'BlockExecuted';
  return isBlock ? queue.splice(0, 1) : [];
}

/**
 * Assembles the next batch. Calls that need no write, or cannot be written, are settled here. Undefined when nothing is
 * left to write.
 */
export function assembleBatch(calls: readonly Call[], end: LogEnd): Batch | undefined {
  const record = toPosition(end.head.position + 1n);
  const answers: { call: Call; recorded: readonly Recorded[] }[] = [];
  const once = new Map<string, readonly Recorded[]>();
  const operations: StoreOperation[] = [];
  const fresh: Recorded[] = [];
  let { head } = end;
  let sync = false;
  let before: Iterable<StoreOperation> | undefined;
  for (const call of calls) {
    try {
      const id = call.options.once;
      const same = id === undefined ? undefined : once.get(id);
      const earlier = id === undefined || same !== undefined ? undefined : caused(id, end);
      if (earlier !== undefined) {
        call.resolve(earlier);
        continue;
      }
      if (same !== undefined) {
        answers.push({ call, recorded: same });
        continue;
      }
      const draft = stamp(call.events, head, end.clock);
      const first = toPosition(head.position + 1n);
      for (const row of typeof call.rows === 'function' ? [...call.rows(first)] : call.rows) operations.push(row);
      if (id !== undefined) {
        once.set(id, draft.recorded);
        operations.push({ type: 'put', key: onceKey(id), value: onceRow(record, first, call.events.length) });
      }
      head = draft.head;
      before ??= call.options.before;
      sync ||= call.options.sync ?? isSynced(call.events, end.sync);
      answers.push({ call, recorded: draft.recorded });
      for (const event of draft.recorded) fresh.push(event);
    } catch (error) {
      call.reject(error);
    }
  }
  const [firstEvent, ...rest] = fresh;
  if (firstEvent === undefined) return undefined;
  const encoded = encodeRecord([firstEvent, ...rest], end.head.hash, end.crypto);
  const { position, time, streams, decided, executed } = head;
  head = { position, record, hash: encoded.hash, time, streams, decided, executed };
  for (const { key, value } of encoded.rows) operations.push({ type: 'put', key, value });
  for (const row of heightRows(fresh, record, end)) operations.push(row);
  operations.push({ type: 'put', key: headKey(), value: encodeHead(head) });
  const isCheckpoint = head.position - end.checkpoint >= FIXED_LIMITS.eventsPerCheckpoint;
  operations.push(durableRow(end.durable));
  if (isCheckpoint) operations.push(checkpointRow({ record, hash: encoded.hash }));
  return { head, operations, before, sync, isCheckpoint, events: fresh, answers };
}

/** Merges records into one database batch; it is synced when any record requires it. */
export function mergeBatches(records: readonly Batch[]): Pick<Batch, 'operations' | 'before' | 'sync'> & {
  readonly head: LogHead | undefined;
} {
  const [first, ...others] = records;
  const operations = others.length === 0 ? (first?.operations ?? []) : withoutOverwritten(records);
  const sync = records.some((record) => record.sync);
  return { head: records.at(-1)?.head, operations, before: first?.before, sync };
}

/**
 * Concatenates the operations of several records, without rows of `latest` that a later record overwrites, since
 * consecutive blocks mostly write the same rows. The overwritten values are kept in the undo pages.
 */
function withoutOverwritten(records: readonly Batch[]): readonly StoreOperation[] {
  const seen = new Set<string>();
  const kept: StoreOperation[] = [];
  for (let index = records.length - 1; index >= 0; index -= 1) {
    const operations = records[index]?.operations ?? [];
    for (let place = operations.length - 1; place >= 0; place -= 1) {
      const operation = operations[place];
      if (operation === undefined) continue;
      if (isLatestKey(operation.key)) {
        const name = toOrderedString(operation.key);
        if (seen.has(name)) continue;
        seen.add(name);
      }
      kept.push(operation);
    }
  }
  return kept.reverse();
}

/** Assigns positions and time to the events of one call; throws OutOfOrderError. */
function stamp(
  events: readonly Appending[],
  start: LogHead,
  clock: Clock,
): { readonly recorded: readonly Recorded[]; readonly head: LogHead } {
  const time = clock.now();
  const { chain, mempool, upgrade, node, filters } = start.streams;
  const streams = { chain, mempool, upgrade, node, filters };
  let heights = { decided: start.decided, executed: start.executed };
  let position = start.position;
  const recorded = events.map(({ event, cause = '' }): Recorded => {
    heights = heightsAfter(heights, event);
    const stream = STREAM_OF[event.type];
    position = toPosition(position + 1n);
    streams[stream] += 1n;
    return { position, stream, streamPosition: streams[stream], time, cause, event };
  });
  const { record, hash } = start;
  const { decided, executed } = heights;
  // Field by field instead of a spread, because this runs for every admission.
  return { recorded, head: { position, record, hash, time, streams, decided, executed } };
}

/**
 * Height rows, and the row of a restored snapshot. A height row is rewritten when its block is executed in a later
 * record, and deleted when its block is reverted.
 */
export function heightRows(
  events: readonly Recorded[],
  record: Position,
  { store, head }: Pick<LogEnd, 'store' | 'head'>,
): StoreOperation[] {
  const rows = new Map<Height, Uint8Array | undefined>();
  let { decided } = head;
  let restored: StoreOperation[] = [];
  for (const { event, position } of events) {
    if (event.type === 'SnapshotRestored') {
      restored = [{ type: 'put', key: restoredKey(), value: encodeLocation({ record, position }) }];
      decided = event.data.height;
    }
    if (event.type === 'Reverted') {
      for (const height of abandonedHeights(decided, event.data.toHeight)) rows.set(height, undefined);
      decided = event.data.toHeight;
    }
    if (event.type === 'BlockDecided') {
      rows.set(event.data.height, encodeHeightRow({ decided: { record, position }, executed: undefined }));
      decided = event.data.height;
    }
    if (event.type !== 'BlockExecuted') continue;
    const bytes = rows.get(event.data.height) ?? store.get(heightKey(event.data.height));
    if (bytes === undefined) throw new CorruptionError('height row is missing', { position });
    rows.set(
      event.data.height,
      encodeHeightRow({ decided: decodeHeightRow(bytes).decided, executed: { record, position } }),
    );
  }
  const ofHeights = [...rows].map(([height, value]): StoreOperation =>
    value === undefined ? { type: 'delete', key: heightKey(height) } : { type: 'put', key: heightKey(height), value },
  );
  return [...restored, ...ofHeights];
}

function isSynced(events: readonly Appending[], mode: LogSync): boolean {
  if (mode !== 'block') return mode === 'always';
  return events.some(({ event }) => STREAM_OF[event.type] !== 'mempool' && STREAM_OF[event.type] !== 'filters');
}

/** The events already logged for the idempotency key `id`; undefined when there are none. */
function caused(id: string, { store, crypto }: LogEnd): readonly Recorded[] | undefined {
  const bytes = store.get(onceKey(id));
  if (bytes === undefined) return undefined;
  const reader = new ByteReader(bytes);
  const record = toPosition(reader.uint());
  const skip = reader.count();
  const count = reader.count();
  return readRecord(store, crypto, record, BLOCK_SECTIONS).events.slice(skip, skip + count);
}

function onceRow(record: Position, first: Position, count: number): Uint8Array {
  const writer = new ByteWriter();
  writer.uint(record);
  writer.uint(first - record);
  writer.uint(count);
  return writer.finish();
}
