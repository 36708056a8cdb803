import { be64 } from '../../core/bytes/big-endian.js';
import { compare, concat } from '../../core/bytes/bytes.js';
import { keyAfter } from '../../core/bytes/key-order.js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { KeyValue, KeyValueStore } from '../../core/ports/key-value-store.js';
import { codeOf, ordered, type Span, type Unit, type UnitStream, unitOf } from './unit.js';
import { heightInKey, nextWindow, valuePrefix, windowOf } from './posting-key.js';
import { holdsValue, valueOf, visitPlaces } from './posting-rows.js';
import type { PostingKind } from './posting.js';

/** The reader of the rows of a search. */
export interface RowReads {
  /** Reads committed rows; gated. */
  readonly store: Pick<KeyValueStore, 'range'>;
  readonly limits: Pick<Limits, 'rangeRows'>;
  /** Lets the event loop turn: awaited between slices of work. */
  readonly pause: () => Promise<void>;
  /** Postings that are held whose rows are not in the order of heights; as many as a search may by default. */
  readonly held?: number;
}

/** The rows of one composite key with one value. */
export interface ValueRows {
  readonly kind: PostingKind;
  readonly key: string;
  readonly value: string;
  accepts(value: string): boolean;
}

/** The first rows that are read: a page that is found at once reads few. */
const FIRST_ROWS = 64;

/**
 * The postings of a composite key with one value, whose rows lie in the order of heights: read in steps from where they
 * are sought, so that what is left out costs nothing.
 */
export class ValueStream implements UnitStream {
  readonly #reads: RowReads;
  readonly #rows: ValueRows;
  readonly #low: number;
  readonly #high: number;
  readonly #prefix: Uint8Array;
  readonly #end: Uint8Array;
  /** Where the next rows begin; undefined after the last one. */
  #start: Uint8Array | undefined;
  readonly #fewest: number;
  /** Rows of the next step: few after what was left out, more with each step that follows another. */
  #limit: number;
  #units: readonly Unit[] = [];
  #at = 0;
  /** The unit of the last row, of which more rows may follow. */
  #open: { readonly at: number; readonly codes: number[] } | undefined;
  #isAccepted: boolean | undefined;

  constructor(rows: ValueRows, { low, high }: Span, reads: RowReads) {
    this.#reads = reads;
    this.#rows = rows;
    this.#low = Number(low);
    this.#high = Number(high);
    this.#prefix = valuePrefix(rows.kind, rows.key, rows.value);
    // A row that blocks of a window share stands where the window begins.
    this.#start = this.#keyAt(windowOf(low));
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

  /** The rows below the unit `from` are left out, unless they are the next ones. */
  #skipTo(from: number): void {
    if (this.#open !== undefined && this.#open.at >= from) return;
    this.#open = undefined;
    const first = unitOf(this.#rows.kind, from) === from ? from : nextWindow(from);
    const key = this.#keyAt(BigInt(first));
    if (this.#start === undefined || compare(key, this.#start) <= 0) return;
    this.#start = key;
    this.#limit = this.#fewest;
  }

  /** The units that are whole: the last one is not while rows may follow. */
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
        codes.push(codeOf(this.#rows.kind === 'tx' ? index : height + distance - at, event));
      });
      if (postings < FIXED_LIMITS.searchedAtOnce) continue;
      postings = 0;
      await this.#reads.pause();
    }
    if (this.#start !== undefined) return units;
    close();
    this.#open = undefined;
    return units;
  }

  /** Rows that do not hold their value have the same: that of their key. */
  #accepts(rowKey: Uint8Array, row: Uint8Array): boolean {
    const { kind, key } = this.#rows;
    if (holdsValue(rowKey, row)) return this.#rows.accepts(valueOf(kind, key, rowKey, row));
    return (this.#isAccepted ??= this.#rows.accepts(valueOf(kind, key, rowKey, row)));
  }

  #keyAt(height: bigint): Uint8Array {
    return concat(this.#prefix, be64(height));
  }
}
