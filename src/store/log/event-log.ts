import type { LogSync } from '../../core/ports/log-sync.js';
import type { Recorded } from '../../core/log-events.js';
import type { LogRecord } from '../../core/log-record.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import type { Clock } from '../../core/ports/time.js';
import { toPosition, type Position } from '../../core/primitives.js';
import { ANCHOR_POSITION } from './anchor.js';
import type { BlockCacheLimits } from './block-cache.js';
import { checkpointRow } from './checkpoint.js';
import { CommitUnknownError, CorruptionError, LogBusyError, PoisonedError } from '../errors.js';
import type { SectionName } from '../codec/sections.js';
import { NO_FAIL_POINTS, type FailPoints } from '../fail-points.js';
import type { LogHead } from './head.js';
import {
  assembleBatch,
  isAdmission,
  mergeBatches,
  takeBlock,
  takeCalls,
  type Appending,
  type AppendOptions,
  type AppendRows,
  type Batch,
  type Call,
} from './log-batch.js';
import { LoggedBlocks } from './logged-blocks.js';
import { withLostRecordsMarked } from './lost-records.js';
import { findRecord, positionAfter, readAnchor, readRecords } from './read-records.js';
import type { Sha256 } from './record.js';
import { verifyLog, type VerifyReport } from './verify-log.js';
import { verifyTail } from './verify-tail.js';
import type { HeadWitness } from './witness.js';

export type { Appending, AppendOptions, AppendRows } from './log-batch.js';
export type { BlockAt } from './logged-blocks.js';

export interface EventLogOptions {
  readonly store: KeyValueStore;
  readonly crypto: Sha256;
  readonly clock: Clock;
  readonly sync: LogSync;
  /** Stores the head outside of the database, to detect truncation of the log. */
  readonly witness?: HeadWitness;
  readonly failPoints?: FailPoints;
  /** Called when records from position `from` to `next - 1` are lost that held only admissions and filters. */
  readonly onLostRecords?: (from: bigint, next: bigint) => void;
  /**
   * Awaited before admissions are written to an idle log, so that all admissions of one event-loop turn share a record.
   * Without it, the first one gets a record of its own.
   */
  readonly turn?: () => Promise<void>;
  /** Bounds of the cache of blocks; default `FIXED_LIMITS`. */
  readonly cache?: BlockCacheLimits;
}

/**
 * The append-only log, the only source of truth. Single writer with group commit: the calls that wait while a batch is
 * written form the next batch, which is one record, or one record per block. Calls resolve and events become readable
 * after their batch has returned.
 */
export class EventLog extends LoggedBlocks {
  readonly #options: EventLogOptions;
  readonly #store: KeyValueStore;
  readonly #failPoints: FailPoints;
  readonly #queue: Call[] = [];
  /** Waiting `writeRows` calls. */
  readonly #rowWrites: {
    readonly rows: () => readonly StoreOperation[];
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  #head: LogHead;
  #checkpoint: Position;
  /** The log is fsynced up to this position. At open this is the head, because LevelDB syncs everything it finds. */
  #durable: Position;
  #draining = false;
  #failure: PoisonedError | undefined;
  #listener: ((record: LogRecord) => void) | undefined;

  /** Call `openEventLog` instead; it verifies the tail first. */
  constructor(options: EventLogOptions, head: LogHead) {
    const { store, crypto, cache } = options;
    super({ store, crypto, head: () => this.#head, ...(cache && { cache }) });
    this.#options = options;
    this.#store = store;
    this.#failPoints = options.failPoints ?? NO_FAIL_POINTS;
    this.#head = head;
    this.#checkpoint = head.record;
    this.#durable = head.position;
  }

  /**
   * Sets the listener. It is called for every new record, in log order, before the `append` calls of that record
   * resolve.
   */
  listen(listener: (record: LogRecord) => void): void {
    this.#listener = listener;
  }

  /** The published head; events up to it are visible to clients. */
  head(): LogHead {
    return this.#head;
  }

  /**
   * Appends `events` and `rows` in one atomic batch; resolves after the batch has returned. Without events nothing is
   * written. Rejects with OutOfOrderError or LogBusyError when nothing was written, with CommitUnknownError when the
   * outcome is unknown, and with PoisonedError from then on.
   */
  append(
    events: readonly Appending[],
    rows: AppendRows = [],
    options: AppendOptions = {},
  ): Promise<readonly Recorded[]> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (events.length === 0) return Promise.resolve([]);
    if (this.#queue.length >= FIXED_LIMITS.waitingAppends)
      return Promise.reject(new LogBusyError('too many appends wait'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ events, rows, options, resolve, reject });
      if (!this.#draining) void this.#drain();
    });
  }

  /**
   * Reads the events of `limit` positions from `from` on, up to the head at the time of the call; yields one array per
   * record. Pruned and lost positions have no events. Fields in sections outside of `sections` are empty.
   */
  async *read({
    from,
    limit,
    sections,
    isBrief = false,
  }: {
    readonly from: Position;
    readonly limit?: number;
    readonly sections?: ReadonlySet<SectionName>;
    /** Omits the snapshot of an anchor, which may be large. */
    readonly isBrief?: boolean;
  }): AsyncGenerator<readonly Recorded[]> {
    const head = this.#head.position;
    const last = limit === undefined ? head : from + BigInt(limit) - 1n;
    const through = last < head ? last : head;
    const kept = this.keptFrom();
    const start = from > ANCHOR_POSITION + 1n && from < kept ? kept : from;
    if (start > through) return;
    const first = await findRecord(this.#store, start < 1n ? 1n : start);
    if (first === undefined) throw new CorruptionError('record is missing', { position: from });
    const range = { first, through, isBrief, ...(sections && { sections }) };
    for await (const { events } of readRecords(this.#store, this.#options.crypto, range)) {
      const requested = events.filter(({ position }) => position >= from && position <= through);
      if (requested.length > 0) yield requested;
    }
  }

  /**
   * First position from which all records are kept; the records between the first event and it were pruned and replaced
   * by an anchor. 1 for an unpruned log.
   */
  keptFrom(): Position {
    const anchor = readAnchor(this.#store, this.#options.crypto);
    return anchor === undefined ? toPosition(1n) : positionAfter(anchor);
  }

  /** Verifies the whole log and reports damage. */
  verifyAll(): Promise<VerifyReport> {
    return verifyLog(this.#store, this.#options.crypto);
  }

  /**
   * Writes rows that belong to no event, in an unsynced batch of their own. `rows` is called when no other write is in
   * progress, so it may read the rows it changes. Rejects as `append` does, and with an error that `rows` throws.
   */
  writeRows(rows: () => readonly StoreOperation[]): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#rowWrites.push({ rows, resolve, reject });
      if (!this.#draining) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    const { turn } = this.#options;
    if (this.#queue.length > 0)
      await (turn !== undefined && this.#queue.every(isAdmission) ? turn() : Promise.resolve());
    while ((this.#queue.length > 0 || this.#rowWrites.length > 0) && this.#failure === undefined) {
      if (this.#rowWrites.length > 0) {
        await this.#writeRows();
        if (this.#queue.length === 0 || this.#isPoisoned()) continue;
      }
      const taken: Call[] = [];
      let records: readonly Batch[];
      try {
        records = this.#assemble(taken);
        const { head, operations, before, sync } = mergeBatches(records);
        if (head === undefined) continue;
        this.#failPoints.hit('log-before-batch');
        await this.#store.commit(operations, { sync, ...(before && { before }) });
        this.#failPoints.hit('log-after-batch');
        if (sync) this.#durable = head.position;
        if (sync) this.#options.witness?.write({ position: head.position, hash: head.hash });
      } catch (error) {
        this.#fail(error, taken);
        break;
      }
      for (const record of records) this.#publish(record);
      this.#failPoints.hit('log-after-publish');
    }
    this.#draining = false;
  }

  /** Writes the rows of one waiting `writeRows` call; this delays a waiting block by one small batch. */
  async #writeRows(): Promise<void> {
    const waiting = this.#rowWrites.shift();
    if (waiting === undefined) return;
    let operations: readonly StoreOperation[];
    try {
      operations = waiting.rows();
    } catch (error) {
      waiting.reject(error);
      return;
    }
    try {
      if (operations.length > 0) await this.#store.commit(operations, { sync: false });
      waiting.resolve();
    } catch (error) {
      this.#fail(error, []);
      waiting.reject(new CommitUnknownError(error));
    }
  }

  /**
   * Builds the next record, and one more for each whole block that waits directly after it. `taken` collects the calls
   * that these records answer. Other calls are not added, because their rows may depend on rows of the earlier records.
   */
  #assemble(taken: Call[]): readonly Batch[] {
    const { crypto, clock, sync } = this.#options;
    const records: Batch[] = [];
    let head = this.#head;
    let checkpoint = this.#checkpoint;
    const durable = this.#durable;
    for (let calls = takeCalls(this.#queue); calls.length > 0; calls = takeBlock(this.#queue)) {
      for (const call of calls) taken.push(call);
      const record = assembleBatch(calls, { store: this.#store, crypto, clock, sync, head, checkpoint, durable });
      if (record === undefined) continue;
      records.push(record);
      if (records.length >= FIXED_LIMITS.blocksOfRun) break;
      ({ head } = record);
      if (record.isCheckpoint) checkpoint = head.record;
    }
    return records;
  }

  #publish({ head, isCheckpoint, events, answers }: Batch): void {
    this.#head = head;
    if (events.some(({ event }) => event.type === 'Reverted' || event.type === 'SnapshotRestored')) this.forget();
    if (isCheckpoint) this.#checkpoint = head.record;
    for (const { recorded } of answers) this.keep(recorded);
    this.#listener?.({ position: head.position, events });
    for (const { call, recorded } of answers) call.resolve(recorded);
  }

  #isPoisoned(): boolean {
    return this.#failure !== undefined;
  }

  #fail(error: unknown, calls: readonly Call[]): void {
    this.#failure = new PoisonedError(error);
    for (const call of calls) call.reject(new CommitUnknownError(error));
    for (const call of [...this.#queue.splice(0), ...this.#rowWrites.splice(0)]) call.reject(this.#failure);
  }
}

/**
 * Opens the log: verifies the head and every record since the last checkpoint, marks admissions that a power cut lost
 * in a home of an earlier build, moves the checkpoint, and returns a log with its head published. Throws
 * CorruptionError.
 */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const { store, crypto, witness } = options;
  const head = await withLostRecordsMarked(
    store,
    crypto,
    () => verifyTail(store, crypto, witness?.read()),
    options.onLostRecords,
  );
  if (head.position > 0n)
    await options.store.commit([checkpointRow({ record: head.record, hash: head.hash })], { sync: false });
  return new EventLog(options, head);
}
