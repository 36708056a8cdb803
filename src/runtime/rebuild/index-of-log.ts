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
  /** Position of its last event. */
  readonly through: bigint;
  /** Last height that is indexed; all heights when it is undefined. */
  readonly indexedThrough: Height | undefined;
  readonly target: KeyValueStore;
  /** Takes the rows of some tables, which are then not written. */
  readonly sums?: RowSums | undefined;
  readonly crypto: Pick<Crypto, 'sha256'>;
}

const SECTIONS = new Set(['envelope', 'results', 'other'] as const);

/** Makes the attribute index of a log anew, block by block. Throws CorruptionError for a damaged log. */
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

/** The attribute index of a log that somebody reads, record by record from the first one on. */
export class IndexOfLog {
  readonly #rows: WriteBehind;
  readonly #blocks: IndexedBlocks;

  constructor({ source, target, crypto, indexedThrough, sums }: Omit<IndexOfLogOptions, 'through'>) {
    this.#rows = writeBehind(target, () => false, sums);
    this.#blocks = new IndexedBlocks(source, crypto, indexedThrough);
  }

  /** Takes the next record. */
  async apply({ header, events }: DecodedRecord): Promise<void> {
    for (const recorded of events) await this.#rows.commit(this.#blocks.rows(recorded, header.first), { sync: false });
  }

  /** Writes what has gathered. */
  async finish(): Promise<void> {
    await this.#rows.commit(this.#blocks.end(), { sync: false });
    await this.#rows.flush();
  }
}

/** The blocks of the log that are indexed. */
class IndexedBlocks {
  readonly #source: Pick<KeyValueStore, 'get'>;
  readonly #crypto: Pick<Crypto, 'sha256'>;
  readonly #last: Height | undefined;
  /** Blocks below it were pruned. */
  readonly #lowest: Height;
  /** First height of the log, and the record of each executed block from it on: for those that are abandoned. */
  #first = toHeight(0n);
  readonly #records: Position[] = [];
  #window = new IndexWindow(this.#first);

  constructor(source: Pick<KeyValueStore, 'get'>, crypto: Pick<Crypto, 'sha256'>, last: Height | undefined) {
    this.#lowest = blocksFloor(source).lowest;
    this.#source = source;
    this.#crypto = crypto;
    this.#last = last;
  }

  /** The changes in the index by an event of the record that begins at `record`. */
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

  /** The cursor of an index whose blocks were all pruned: none of them has set it here. */
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
        rows.push(...deleteBlockEventRows(this.#events(height)));
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

  /** The events of the last block of this height. */
  #events(height: Height): BlockEvents {
    const record = this.#records[Number(height - this.#first)];
    invariant(record !== undefined, `height ${height} was executed`);
    for (const { event } of readRecord(this.#source, this.#crypto, record, SECTIONS).events)
      if (event.type === 'BlockExecuted' && event.data.height === height)
        return blockEventsOf(height, new EncodedResults(event.data.results), event.data.touched);
    throw new CorruptionError(`the record lacks the execution of height ${height}`, { position: record });
  }
}
