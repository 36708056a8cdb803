import { be64 } from '../../core/bytes/big-endian.js';
import { compare, concat } from '../../core/bytes/bytes.js';
import { keyAfter } from '../../core/bytes/key-order.js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { KeyValue, KeyValueStore } from '../../core/ports/key-value-store.js';
import { eventCode, ordered, type Span, type Unit, type UnitStream, unitOf } from './unit.js';
import { heightInKey, nextWindowStart, valuePrefix, windowStart } from './posting-key.js';
import { holdsValue, valueOf, visitPlaces } from './posting-rows.js';
import type { PostingKind } from './posting.js';

/** Access to the index rows for a search. */
export interface RowReads {
  /** Reads committed rows, through the range gate. */
  readonly store: Pick<KeyValueStore, 'range'>;
  readonly limits: Pick<Limits, 'rangeRows'>;
  /** Yields to the event loop; awaited between slices of work. */
  readonly pause: () => Promise<void>;
  /** Most postings held at once for rows that are not ordered by height; default `FIXED_LIMITS.searchHeldPostings`. */
  readonly held?: number;
}

/** Selects the rows of one composite key and value. */
export interface ValueRows {
  readonly kind: PostingKind;
  readonly key: string;
  readonly value: string;
  accepts(value: string): boolean;
}

/** Rows of the first read: a match that is found at once needs few. */
const FIRST_ROWS = 64;

/**
 * Streams the postings of one composite key and value. The rows are ordered by height and are read in steps from the
 * sought unit on, so skipped units cost nothing.
 */
export class ValueStream implements UnitStream {
  readonly #reads: RowReads;
  readonly #rows: ValueRows;
  readonly #low: number;
  readonly #high: number;
  readonly #prefix: Uint8Array;
  readonly #end: Uint8Array;
  /** Key of the next row to read; undefined at the end. */
  #start: Uint8Array | undefined;
  readonly #fewest: number;
  /** Rows of the next read: few after a skip, more with each consecutive read. */
  #limit: number;
  #units: readonly Unit[] = [];
  #at = 0;
  /** The unit of the last row read; more of its rows may follow. */
  #open: { readonly at: number; readonly codes: number[] } | undefined;
  #isAccepted: boolean | undefined;

  constructor(rows: ValueRows, { low, high }: Span, reads: RowReads) {
    this.#reads = reads;
    this.#rows = rows;
    this.#low = Number(low);
    this.#high = Number(high);
    this.#prefix = valuePrefix(rows.kind, rows.key, rows.value);
    // A shared row is stored at the start of its window.
    this.#start = this.#keyAt(windowStart(low));
    this.#end = this.#keyAt(high + 1n);
    this.#fewest = Math.min(FIRST_ROWS, reads.limits.rangeRows);
    this.#limit = this.#fewest;
  }

  seek(from: number): Unit | undefined | Promise<Unit | undefined> {
    for (; this.#at < this.#units.length; this.#at += 1) {
      const unit = this.#units[this.#at];
      if (unit !== undefined && unit.at >= from) return unit;
    }
    return this.#start === undefined ? undefined : this.#read(from);
  }

  async #read(from: number): Promise<Unit | undefined> {
    const { store, limits } = this.#reads;
    while (this.#start !== undefined) {
      this.#skipTo(from);
      const rows = await store.range({ start: this.#start, end: this.#end, limit: this.#limit, mayBeRefused: true });
      const last = rows.length < this.#limit ? undefined : rows.at(-1)?.key;
      this.#start = last && keyAfter(last);
      this.#limit = Math.min(this.#limit * 4, limits.rangeRows);
      this.#units = await this.#decode(rows, from);
      this.#at = 0;
      const [unit] = this.#units;
      if (unit !== undefined) return unit;
    }
    return undefined;
  }

  /** Skips the rows below unit `from`, unless they are the next ones anyway. */
  #skipTo(from: number): void {
    if (this.#open !== undefined && this.#open.at >= from) return;
    this.#open = undefined;
    const first = unitOf(this.#rows.kind, from) === from ? from : nextWindowStart(from);
    const key = this.#keyAt(BigInt(first));
    if (this.#start === undefined || compare(key, this.#start) <= 0) return;
    this.#start = key;
    this.#limit = this.#fewest;
  }

  /** Decodes rows to complete units. The last unit is incomplete while more rows may follow. */
  async #decode(rows: readonly KeyValue[], from: number): Promise<readonly Unit[]> {
    const units: Unit[] = [];
    const close = (): void => {
      if (this.#open !== undefined && this.#open.codes.length > 0 && this.#open.at >= from)
        units.push({ at: this.#open.at, codes: ordered(this.#open.codes) });
    };
    let postings = 0;
    for (const { key, value } of rows) {
      const height = heightInKey(key);
      const at = unitOf(this.#rows.kind, height);
      if (this.#open?.at !== at) {
        close();
        this.#open = { at, codes: [] };
      }
      if (!this.#accepts(key, value)) continue;
      const { codes } = this.#open;
      postings += visitPlaces(key, value, (distance, index, event) => {
        if (height + distance < this.#low || height + distance > this.#high) return;
        codes.push(eventCode(this.#rows.kind === 'tx' ? index : height + distance - at, event));
      });
      if (postings < FIXED_LIMITS.searchPostingsPerTurn) continue;
      postings = 0;
      await this.#reads.pause();
    }
    if (this.#start !== undefined) return units;
    close();
    this.#open = undefined;
    return units;
  }

  /**
   * Decides on the row's value if the row holds one, and otherwise once on the value in the key, which is the same for
   * all rows.
   */
  #accepts(rowKey: Uint8Array, row: Uint8Array): boolean {
    const { kind, key } = this.#rows;
    if (holdsValue(rowKey, row)) return this.#rows.accepts(valueOf(kind, key, rowKey, row));
    return (this.#isAccepted ??= this.#rows.accepts(valueOf(kind, key, rowKey, row)));
  }

  #keyAt(height: bigint): Uint8Array {
    return concat(this.#prefix, be64(height));
  }
}
