import { EncodedResults } from '../../core/comet/encoded-results.js';
import type { Recorded } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height, type Position } from '../../core/primitives.js';
import { CorruptionError } from '../../store/errors.js';
import { forgetIndexRows, indexRows, revertedCursor } from '../../store/index-rows/index-rows.js';
import { blockEventsOf, type BlockEvents } from '../../store/index-rows/posting.js';
import { readRecord, readRecords } from '../../store/read-records.js';
import { writeBehind } from '../../store/write-behind.js';

export interface IndexOfLogOptions {
  /** The database with the log. */
  readonly source: Pick<KeyValueStore, 'get' | 'range'>;
  /** Position of its last event. */
  readonly through: bigint;
  /** Last height that is indexed; all heights when it is undefined. */
  readonly indexedThrough: Height | undefined;
  readonly target: KeyValueStore;
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
  const rows = writeBehind(target, () => false);
  const blocks = new IndexedBlocks(source, crypto, indexedThrough);
  for await (const { header, events } of readRecords(source, crypto, { first: 1n, through, wanted: SECTIONS }))
    for (const recorded of events) await rows.commit(blocks.rows(recorded, header.first), { sync: false });
  await rows.flush();
}

/** The blocks of the log that are indexed. */
class IndexedBlocks {
  readonly #source: Pick<KeyValueStore, 'get'>;
  readonly #crypto: Pick<Crypto, 'sha256'>;
  readonly #last: Height | undefined;
  /** First height of the chain, and the record of each executed block from it on: for those that are abandoned. */
  #first = toHeight(0n);
  readonly #records: Position[] = [];

  constructor(source: Pick<KeyValueStore, 'get'>, crypto: Pick<Crypto, 'sha256'>, last: Height | undefined) {
    this.#source = source;
    this.#crypto = crypto;
    this.#last = last;
  }

  /** What an event of the record that begins at `record` changes in the index. */
  rows({ event }: Recorded, record: Position): readonly StoreOperation[] {
    if (event.type === 'ChainStarted') this.#first = event.data.initialHeight;
    if (event.type === 'BlockExecuted') {
      const { height, results } = event.data;
      this.#records.push(record);
      return this.#isIndexed(height) ? indexRows(blockEventsOf(height, new EncodedResults(results))) : [];
    }
    return event.type === 'Reverted' ? this.#revert(event.data.toHeight) : [];
  }

  #revert(to: Height): readonly StoreOperation[] {
    const rows: StoreOperation[] = [];
    for (let height = this.#height; height > to; height = this.#height) {
      const record = this.#records.pop();
      if (record !== undefined && this.#isIndexed(height)) rows.push(...forgetIndexRows(this.#events(height, record)));
    }
    return this.#isIndexed(toHeight(to + 1n)) ? [...rows, revertedCursor(to, this.#first)] : rows;
  }

  /** The last executed height. */
  get #height(): Height {
    return toHeight(this.#first + BigInt(this.#records.length) - 1n);
  }

  #isIndexed(height: Height): boolean {
    return this.#last === undefined || height <= this.#last;
  }

  #events(height: Height, record: Position): BlockEvents {
    for (const { event } of readRecord(this.#source, this.#crypto, record, SECTIONS).events)
      if (event.type === 'BlockExecuted' && event.data.height === height)
        return blockEventsOf(height, new EncodedResults(event.data.results));
    throw new CorruptionError(`the record lacks the execution of height ${height}`, { position: record });
  }
}
