import { EncodedResults } from '../../core/comet/encoded-results.js';
import type { Recorded } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height, type Position } from '../../core/primitives.js';
import { invariant } from '../../core/errors.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { CorruptionError } from '../../store/errors.js';
import {
  deleteBlockEventRows,
  deleteIndexRows,
  heightsSharing,
  IndexWindow,
  revertedCursor,
} from '../../store/index-rows/index-rows.js';
import { blockEventsOf, type BlockEvents } from '../../store/index-rows/posting.js';
import { readRecord, readRecords, type DecodedRecord } from '../../store/log/read-records.js';
import type { RowSums } from '../../store/rows/row-sums.js';
import { writeBehind, type WriteBehind } from '../../store/rows/write-behind.js';

export interface IndexOfLogOptions {
  /** The database with the log. */
  readonly source: Pick<KeyValueStore, 'get' | 'range'>;
  /** Position of the log's last event. */
  readonly through: bigint;
  /** Last height to index; undefined: all. */
  readonly indexedThrough: Height | undefined;
  readonly target: KeyValueStore;
  /** Sums that replace the rows of some tables. */
  readonly sums?: RowSums | undefined;
  readonly crypto: Pick<Crypto, 'sha256'>;
}

const SECTIONS = new Set(['envelope', 'results', 'other'] as const);

/** Builds the attribute index of a log, block by block. Throws CorruptionError for a damaged log. */
export async function deriveIndex({
  source,
  through,
  target,
  crypto,
  indexedThrough,
}: IndexOfLogOptions): Promise<void> {
  const index = new IndexOfLog({ source, target, crypto, indexedThrough });
  for await (const record of readRecords(source, crypto, { first: 1n, through, sections: SECTIONS }))
    await index.apply(record);
  await index.finish();
}

/** Builds the attribute index of a log from records supplied one by one, from the first one on. */
export class IndexOfLog {
  readonly #rows: WriteBehind;
  readonly #blocks: IndexedBlocks;

  constructor({ source, target, crypto, indexedThrough, sums }: Omit<IndexOfLogOptions, 'through'>) {
    this.#rows = writeBehind(target, () => false, sums);
    this.#blocks = new IndexedBlocks(source, crypto, indexedThrough);
  }

  /** Indexes the next record. */
  async apply({ header, events }: DecodedRecord): Promise<void> {
    for (const recorded of events) await this.#rows.commit(this.#blocks.rows(recorded, header.first), { sync: false });
  }

  /** Writes the buffered rows. */
  async finish(): Promise<void> {
    await this.#rows.commit(this.#blocks.end(), { sync: false });
    await this.#rows.flush();
  }
}

/** Computes index operations per event. */
class IndexedBlocks {
  readonly #source: Pick<KeyValueStore, 'get'>;
  readonly #crypto: Pick<Crypto, 'sha256'>;
  readonly #last: Height | undefined;
  /** Lowest block that is not pruned. */
  readonly #lowest: Height;
  /** First height of the log, and the record of each executed block from there on, to read reverted blocks again. */
  #first = toHeight(0n);
  readonly #records: Position[] = [];
  #window = new IndexWindow(this.#first);

  constructor(source: Pick<KeyValueStore, 'get'>, crypto: Pick<Crypto, 'sha256'>, last: Height | undefined) {
    this.#lowest = blocksFloor(source).lowest;
    this.#source = source;
    this.#crypto = crypto;
    this.#last = last;
  }

  /** Index operations for an event; `record`: position of its record. */
  rows({ event }: Recorded, record: Position): readonly StoreOperation[] {
    if (event.type === 'ChainStarted') this.#begin(event.data.initialHeight);
    if (event.type === 'SnapshotRestored') this.#begin(toHeight(event.data.height + 1n));
    if (event.type === 'BlockExecuted') {
      const { height, results, touched } = event.data;
      this.#records.push(record);
      if (!this.#isIndexed(height)) return [];
      this.#window.enter(height, (before) => this.#events(before));
      return this.#window.add(blockEventsOf(height, new EncodedResults(results), touched));
    }
    return event.type === 'Reverted' ? this.#revert(event.data.toHeight) : [];
  }

  /** Cursor operation for an index whose blocks are all pruned, since none of them set the cursor here. */
  end(): readonly StoreOperation[] {
    const last = this.#last;
    return last === undefined || last < this.#first || last >= this.#lowest ? [] : [revertedCursor(last, this.#first)];
  }

  #begin(first: Height): void {
    this.#first = first;
    this.#window = new IndexWindow(first);
  }

  #revert(to: Height): readonly StoreOperation[] {
    const rows: StoreOperation[] = [];
    const indexed = this.#last === undefined || this.#height < this.#last ? this.#height : this.#last;
    if (indexed > to)
      for (const height of heightsSharing(to, indexed, this.#first))
        for (const row of deleteBlockEventRows(this.#events(height))) rows.push(row);
    for (let height = this.#height; height > to; height = this.#height) {
      if (height <= indexed)
        for (const row of deleteIndexRows(this.#events(height))) if (row !== undefined) rows.push(row);
      this.#records.pop();
    }
    this.#window.forget();
    return indexed > to ? [...rows, revertedCursor(to, this.#first)] : rows;
  }

  /** The last executed height. */
  get #height(): Height {
    return toHeight(this.#first + BigInt(this.#records.length) - 1n);
  }

  #isIndexed(height: Height): boolean {
    return height >= this.#lowest && (this.#last === undefined || height <= this.#last);
  }

  /** Events of the newest block of this height. */
  #events(height: Height): BlockEvents {
    const record = this.#records[Number(height - this.#first)];
    invariant(record !== undefined, `height ${height} was executed`);
    for (const { event } of readRecord(this.#source, this.#crypto, record, SECTIONS).events)
      if (event.type === 'BlockExecuted' && event.data.height === height)
        return blockEventsOf(height, new EncodedResults(event.data.results), event.data.touched);
    throw new CorruptionError(`the record lacks the execution of height ${height}`, { position: record });
  }
}
