import { STREAM_OF, type BlockDecided, type BlockExecuted, type LogEvent, type Recorded } from '../core/log-events.js';
import type { LogRecord } from '../core/log-record.js';
import type { KeyValueStore, StoreOperation } from '../core/ports/key-value-store.js';
import type { Clock } from '../core/ports/time.js';
import { toPosition, type Height, type Position } from '../core/primitives.js';
import { ByteReader, ByteWriter } from './bytes.js';
import {
  decodeBlockHashRow,
  decodeHeightRow,
  decodeTxHashRow,
  encodeHeightRow,
  type Place,
  type TxPlace,
} from './block-index.js';
import { checkpointRow } from './checkpoint.js';
import { CommitUnknownError, CorruptionError, PoisonedError } from './errors.js';
import type { SectionName } from './event-codec.js';
import { NO_FAIL_POINTS, type FailPoints } from './fail-points.js';
import { encodeHead, heightsAfter, type LogHead } from './head.js';
import { blockHashKey, headKey, heightKey, onceKey, txHashKey } from './keys.js';
import { findRecord, readRecord, readRecords } from './read-records.js';
import { BLOCK_SECTIONS, encodeRecord, type Sha256 } from './record.js';
import { abandonedHeights } from './state/revert.js';
import { verifyTail } from './verify-tail.js';
import { verifyLog, type VerifyOptions, type VerifyReport } from './verify-log.js';
import type { HeadWitness } from './witness.js';
import { FIXED_LIMITS } from '../core/limits.js';

/**
 * When a batch is synced to disk (`--log.sync`): `block` syncs every batch except those with only admissions or
 * filters, `always` every batch, `os` none.
 */
export type SyncMode = 'block' | 'always' | 'os';

export interface EventLogOptions {
  readonly store: KeyValueStore;
  readonly crypto: Sha256;
  readonly clock: Clock;
  readonly sync: SyncMode;
  /** Remembers the head outside of the database, so that a lost tail is noticed. */
  readonly witness?: HeadWitness;
  readonly failPoints?: FailPoints;
  /** Decoded blocks kept in memory; 64 unless told. */
  readonly cachedBlocks?: number;
  /** Calls of `append` that may wait; 10,000 by default. Beyond that `append` rejects with LogBusyError. */
  readonly maximumQueue?: number;
}

export interface Appending {
  readonly event: LogEvent;
  /** Id of the command that caused the event. */
  readonly cause?: string;
}

/** Rows that are written with the events: given, or computed from the position of the call's first event. */
export type AppendRows = readonly StoreOperation[] | ((first: Position) => readonly StoreOperation[]);

export interface AppendOptions {
  /** Overrides the sync mode. */
  readonly sync?: boolean;
  /**
   * Id of a command that takes effect once: a second append with this id writes nothing and returns the events of the
   * first.
   */
  readonly once?: string;
}

/**
 * A block as read from the log: the decided block and, once executed, its results. State writes are left out (`writes`
 * is empty).
 */
export interface BlockAt {
  readonly decided: Recorded<BlockDecided>;
  readonly executed: Recorded<BlockExecuted> | undefined;
}

/** Too many appends wait; nothing was written for this one. */
export class LogBusyError extends Error {
  override readonly name = 'LogBusyError';
}

interface Call {
  readonly events: readonly Appending[];
  readonly rows: AppendRows;
  readonly options: AppendOptions;
  readonly resolve: (recorded: readonly Recorded[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Batch {
  readonly head: LogHead;
  readonly operations: readonly StoreOperation[];
  readonly sync: boolean;
  /** All events of the batch. */
  readonly events: readonly Recorded[];
  readonly answers: readonly { readonly call: Call; readonly recorded: readonly Recorded[] }[];
}

/** Number of events after which the checkpoint is moved, so that opening reads a bounded tail. */
const EVENTS_PER_CHECKPOINT = 4_096n;

/**
 * The append-only log, the only source of truth. It has one writer: the calls that wait while a batch is written form
 * the next batch, which is one record. Calls are answered and events become readable after their batch has returned.
 */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #store: KeyValueStore;
  readonly #failPoints: FailPoints;
  readonly #queue: Call[] = [];
  readonly #blocks = new Map<Height, BlockAt>();
  #head: LogHead;
  #checkpoint: Position;
  #draining = false;
  #failure: PoisonedError | undefined;
  #listener: ((record: LogRecord) => void) | undefined;

  /** Use `openEventLog`, which verifies the tail first. */
  constructor(options: EventLogOptions, head: LogHead) {
    this.#options = options;
    this.#store = options.store;
    this.#failPoints = options.failPoints ?? NO_FAIL_POINTS;
    this.#head = head;
    this.#checkpoint = head.record;
  }

  /**
   * Calls `listener` for every record that is written from now on, in log order, before the appends of the record
   * resolve.
   */
  listen(listener: (record: LogRecord) => void): void {
    this.#listener = listener;
  }

  /** The published head; everything up to it may be shown. */
  head(): LogHead {
    return this.#head;
  }

  /**
   * Appends `events` (at least one) and `rows` in one atomic batch and resolves when it has returned. Rejects with
   * OutOfOrderError or LogBusyError when nothing was written, with CommitUnknownError when the outcome is unknown, and
   * with PoisonedError from then on.
   */
  append(
    events: readonly Appending[],
    rows: AppendRows = [],
    options: AppendOptions = {},
  ): Promise<readonly Recorded[]> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (events.length === 0) return Promise.resolve([]);
    if (this.#queue.length >= (this.#options.maximumQueue ?? 10_000))
      return Promise.reject(new LogBusyError('too many appends wait'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ events, rows, options, resolve, reject });
      if (!this.#draining) void this.#drain();
    });
  }

  /**
   * Events from position `from` on, at most `limit`, up to the head of the moment of the call; one array per record.
   * Fields in sections that are not `wanted` come out empty.
   */
  async *read({
    from,
    limit,
    wanted: sections,
  }: {
    readonly from: Position;
    readonly limit?: number;
    readonly wanted?: ReadonlySet<SectionName>;
  }): AsyncGenerator<readonly Recorded[]> {
    const through = this.#head.position;
    let left = limit ?? Number.MAX_SAFE_INTEGER;
    if (from > through || left <= 0) return;
    const first = await findRecord(this.#store, from < 1n ? 1n : from);
    if (first === undefined) throw new CorruptionError('record is missing', { position: from });
    const range = { first, through, ...(sections && { wanted: sections }) };
    for await (const { events } of readRecords(this.#store, this.#options.crypto, range)) {
      const wanted = events.filter(({ position }) => position >= from).slice(0, left);
      if (wanted.length > 0) yield wanted;
      left -= wanted.length;
      if (left <= 0) return;
    }
  }

  /** The block of a height, read synchronously; undefined when the published log has none. Throws CorruptionError. */
  blockAt(height: Height): BlockAt | undefined {
    const cached = this.#blocks.get(height);
    if (cached !== undefined) {
      this.#blocks.delete(height);
      this.#blocks.set(height, cached);
      return cached;
    }
    const row = this.recordOf(height);
    if (row === undefined) return undefined;
    const decided = this.#eventAt(row.decided);
    const executed = row.executed === undefined ? undefined : this.#eventAt(row.executed);
    if (!isDecided(decided) || decided.event.data.height !== height)
      throw new CorruptionError('height row points elsewhere', { position: row.decided.position });
    if (executed === undefined) return { decided, executed: undefined };
    if (!isExecuted(executed) || executed.event.data.height !== height)
      throw new CorruptionError('height row points elsewhere', { position: executed.position });
    return this.#remember({ decided, executed });
  }

  /** Positions of the events of a height; undefined beyond the published head. */
  recordOf(height: Height): { readonly decided: Place; readonly executed: Place | undefined } | undefined {
    if (height > this.#head.decided) return undefined;
    const bytes = this.#store.get(heightKey(height));
    if (bytes === undefined) return undefined;
    const { decided, executed } = decodeHeightRow(bytes);
    if (decided.position > this.#head.position) return undefined;
    return {
      decided,
      executed: executed !== undefined && executed.position <= this.#head.position ? executed : undefined,
    };
  }

  /**
   * False for an event of a block that a Reverted event abandoned: the row of its height names another block or is
   * gone.
   */
  isOnBranch({ event, position }: Pick<Recorded, 'event' | 'position'>): boolean {
    if (event.type === 'BlockDecided') return this.recordOf(event.data.height)?.decided.position === position;
    if (event.type === 'BlockExecuted') return this.recordOf(event.data.height)?.executed?.position === position;
    return true;
  }

  /** Height of the published block with this hash. */
  heightByHash(blockHash: Uint8Array): Height | undefined {
    const bytes = this.#store.get(blockHashKey(blockHash));
    const height = bytes === undefined ? undefined : decodeBlockHashRow(bytes);
    return height !== undefined && height <= this.#head.decided ? height : undefined;
  }

  /** Height and index of the published, executed transaction with this hash (32 bytes, sha256 of its bytes). */
  txByHash(hash: Uint8Array): TxPlace | undefined {
    const bytes = this.#store.get(txHashKey(hash));
    const place = bytes === undefined ? undefined : decodeTxHashRow(bytes);
    return place !== undefined && place.height <= this.#head.executed ? place : undefined;
  }

  /** Reads the whole log and reports damage. With the database's directory, LevelDB's files are checked too. */
  verifyAll(options: VerifyOptions = {}): Promise<VerifyReport> {
    return verifyLog(this.#store, this.#options.crypto, options);
  }

  #remember(block: BlockAt): BlockAt {
    this.#blocks.set(block.decided.event.data.height, block);
    const oldest = this.#blocks.keys().next();
    if (this.#blocks.size > (this.#options.cachedBlocks ?? 64) && oldest.done !== true)
      this.#blocks.delete(oldest.value);
    return block;
  }

  /** Caches a block that was just published, because all faces read it next. */
  #rememberBlock(events: readonly Recorded[]): void {
    const decided = events.find(isDecided);
    const executed = events.find(isExecuted);
    if (decided === undefined || executed === undefined || decided.event.data.height !== executed.event.data.height)
      return;
    this.#remember({
      decided,
      executed: { ...executed, event: { ...executed.event, data: { ...executed.event.data, writes: [] } } },
    });
  }

  #eventAt({ record, position }: Place): Recorded | undefined {
    return readRecord(this.#store, this.#options.crypto, record, BLOCK_SECTIONS).events[Number(position - record)];
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    await Promise.resolve();
    while (this.#queue.length > 0 && this.#failure === undefined) {
      const calls = this.#takeCalls();
      let batch: Batch | undefined;
      try {
        batch = this.#assemble(calls);
        if (batch === undefined) continue;
        this.#failPoints.hit('log-before-batch');
        await this.#store.commit(batch.operations, { sync: batch.sync });
        this.#failPoints.hit('log-after-batch');
        if (batch.sync) this.#options.witness?.write({ position: batch.head.position, hash: batch.head.hash });
      } catch (error) {
        this.#fail(error, calls);
        break;
      }
      if (batch.answers.some(({ recorded }) => recorded.some(({ event }) => event.type === 'Reverted')))
        this.#blocks.clear();
      this.#head = batch.head;
      for (const { recorded } of batch.answers) this.#rememberBlock(recorded);
      this.#listener?.({ position: batch.head.position, events: batch.events });
      for (const { call, recorded } of batch.answers) call.resolve(recorded);
      this.#failPoints.hit('log-after-publish');
    }
    this.#draining = false;
  }

  #fail(error: unknown, calls: readonly Call[]): void {
    this.#failure = new PoisonedError(error);
    for (const call of calls) call.reject(new CommitUnknownError(error));
    for (const call of this.#queue.splice(0)) call.reject(this.#failure);
  }

  #takeCalls(): readonly Call[] {
    let events = 0;
    let calls = 0;
    for (const call of this.#queue) {
      events += call.events.length;
      if (calls > 0 && events > FIXED_LIMITS.eventsPerBatch) break;
      calls += 1;
    }
    return this.#queue.splice(0, calls);
  }

  /** Forms one batch from the calls that can be written; the others are answered here. */
  #assemble(calls: readonly Call[]): Batch | undefined {
    const record = toPosition(this.#head.position + 1n);
    const answers: { call: Call; recorded: readonly Recorded[] }[] = [];
    const once = new Map<string, readonly Recorded[]>();
    const operations: StoreOperation[] = [];
    const fresh: Recorded[] = [];
    let head = this.#head;
    let sync = false;
    for (const call of calls) {
      try {
        const id = call.options.once;
        const same = id === undefined ? undefined : once.get(id);
        const earlier = id === undefined || same !== undefined ? undefined : this.#caused(id);
        if (earlier !== undefined) {
          call.resolve(earlier);
          continue;
        }
        if (same !== undefined) {
          answers.push({ call, recorded: same });
          continue;
        }
        const draft = this.#stamp(call.events, head);
        const first = toPosition(head.position + 1n);
        for (const row of typeof call.rows === 'function' ? [...call.rows(first)] : call.rows) operations.push(row);
        if (id !== undefined) {
          once.set(id, draft.recorded);
          operations.push({ type: 'put', key: onceKey(id), value: onceRow(record, first, call.events.length) });
        }
        head = draft.head;
        sync ||= call.options.sync ?? this.#syncs(call.events);
        answers.push({ call, recorded: draft.recorded });
        for (const event of draft.recorded) fresh.push(event);
      } catch (error) {
        call.reject(error);
      }
    }
    const [firstEvent, ...rest] = fresh;
    if (firstEvent === undefined) return undefined;
    const encoded = encodeRecord([firstEvent, ...rest], this.#head.hash, this.#options.crypto);
    const { position, time, streams, decided, executed } = head;
    head = { position, record, hash: encoded.hash, time, streams, decided, executed };
    for (const { key, value } of encoded.rows) operations.push({ type: 'put', key, value });
    operations.push(...this.#heightRows(fresh, record), { type: 'put', key: headKey(), value: encodeHead(head) });
    if (head.position - this.#checkpoint >= EVENTS_PER_CHECKPOINT) {
      operations.push(checkpointRow({ record, hash: encoded.hash }));
      this.#checkpoint = record;
    }
    return { head, operations, sync, events: fresh, answers };
  }

  /** Positions and times for the events of one call; throws OutOfOrderError. */
  #stamp(events: readonly Appending[], start: LogHead): { recorded: readonly Recorded[]; head: LogHead } {
    const time = this.#options.clock.now();
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
    // field by field, because every admission is stamped
    return { recorded, head: { position, record, hash, time, streams, decided, executed } };
  }

  /**
   * Rows from height to record. The row of a height is rewritten when its block is executed in a later record, and
   * deleted when the block is abandoned.
   */
  #heightRows(events: readonly Recorded[], record: Position): StoreOperation[] {
    const rows = new Map<Height, Uint8Array | undefined>();
    let { decided } = this.#head;
    for (const { event, position } of events) {
      if (event.type === 'Reverted') {
        for (const height of abandonedHeights(decided, event.data.toHeight)) rows.set(height, undefined);
        decided = event.data.toHeight;
      }
      if (event.type === 'BlockDecided') {
        rows.set(event.data.height, encodeHeightRow({ decided: { record, position }, executed: undefined }));
        decided = event.data.height;
      }
      if (event.type !== 'BlockExecuted') continue;
      const bytes = rows.get(event.data.height) ?? this.#store.get(heightKey(event.data.height));
      if (bytes === undefined) throw new CorruptionError('height row is missing', { position });
      rows.set(
        event.data.height,
        encodeHeightRow({ decided: decodeHeightRow(bytes).decided, executed: { record, position } }),
      );
    }
    return [...rows].map(([height, value]) =>
      value === undefined ? { type: 'delete', key: heightKey(height) } : { type: 'put', key: heightKey(height), value },
    );
  }

  #syncs(events: readonly Appending[]): boolean {
    if (this.#options.sync !== 'block') return this.#options.sync === 'always';
    return events.some(({ event }) => STREAM_OF[event.type] !== 'mempool' && STREAM_OF[event.type] !== 'filters');
  }

  /** Events of the command `id` that are in the log already. */
  #caused(id: string): readonly Recorded[] | undefined {
    const bytes = this.#store.get(onceKey(id));
    if (bytes === undefined) return undefined;
    const reader = new ByteReader(bytes);
    const record = toPosition(reader.uint());
    const skip = reader.count();
    const count = reader.count();
    return readRecord(this.#store, this.#options.crypto, record, BLOCK_SECTIONS).events.slice(skip, skip + count);
  }
}

function onceRow(record: Position, first: Position, count: number): Uint8Array {
  const writer = new ByteWriter();
  writer.uint(record);
  writer.uint(first - record);
  writer.uint(count);
  return writer.finish();
}

function isDecided(recorded: Recorded | undefined): recorded is Recorded<BlockDecided> {
  return recorded?.event.type === 'BlockDecided';
}

function isExecuted(recorded: Recorded | undefined): recorded is Recorded<BlockExecuted> {
  return recorded?.event.type === 'BlockExecuted';
}

/**
 * Opens the log: verifies the head and every record since the last checkpoint, moves the checkpoint, and returns a log
 * whose head is published. Throws CorruptionError.
 */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const head = await verifyTail(options.store, options.crypto, options.witness?.read());
  if (head.position > 0n)
    await options.store.commit([checkpointRow({ record: head.record, hash: head.hash })], { sync: false });
  return new EventLog(options, head);
}
