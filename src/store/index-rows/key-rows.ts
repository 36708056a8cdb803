import { keyAfter, prefixEnd } from '../../core/bytes/key-order.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { LowestPostings } from './lowest-postings.js';
import { heightInKey, keyPrefix } from './posting-key.js';
import { valueOf, visitPlaces } from './posting-rows.js';
import type { PostingKind } from './posting.js';
import { eventCode, unitOf, type Span, type Unit, type UnitStream } from './unit.js';
import type { RowReads } from './value-rows.js';

/** Selects the rows of one composite key, with any value that `accepts` allows. */
export interface KeyRows {
  readonly kind: PostingKind;
  readonly key: string;
  accepts(value: string): boolean;
}

/**
 * Streams the postings of a composite key over all accepted values. Rows are ordered by value, not height, so each pass
 * reads all rows of the key and keeps the lowest heights that fit into memory. One pass is enough when all fit.
 */
export class KeyStream implements UnitStream {
  readonly #reads: RowReads;
  readonly #rows: KeyRows;
  readonly #span: Span;
  #band: LowestPostings | undefined;
  #isLast = false;

  constructor(rows: KeyRows, span: Span, reads: RowReads) {
    this.#reads = reads;
    this.#rows = rows;
    this.#span = span;
  }

  seek(from: number): Unit | undefined | Promise<Unit | undefined> {
    const unit = this.#band?.seek(from);
    return unit !== undefined || this.#isLast ? unit : this.#pass(from);
  }

  async #pass(from: number): Promise<Unit | undefined> {
    const { kind, key } = this.#rows;
    const { store, limits, pause, held = FIXED_LIMITS.searchHeldPostings } = this.#reads;
    const low = Number(this.#span.low);
    const high = Number(this.#span.high);
    const band = new LowestPostings(Math.max(from, this.#band?.above ?? 0), held, pause);
    const prefix = keyPrefix(kind, key);
    const end = prefixEnd(prefix) ?? prefix;
    let visited = 0;
    for (let start: Uint8Array | undefined = prefix; start !== undefined;) {
      const rows = await store.range({ start, end, limit: limits.rangeRows, mayBeRefused: true });
      for (const { key: rowKey, value } of rows) {
        const height = heightInKey(rowKey);
        const at = unitOf(kind, height);
        if (!band.covers(at) || height > high || !this.#rows.accepts(valueOf(kind, key, rowKey, value))) continue;
        visited += visitPlaces(rowKey, value, (distance, index, event) => {
          if (height + distance < low || height + distance > high) return;
          band.add(at, eventCode(kind === 'tx' ? index : height + distance - at, event));
        });
        if (visited < Math.min(held, FIXED_LIMITS.searchPostingsPerTurn)) continue;
        visited = 0;
        await band.settle();
      }
      const last = rows.length < limits.rangeRows ? undefined : rows.at(-1)?.key;
      start = last && keyAfter(last);
    }
    await band.settle(true);
    this.#band = band;
    this.#isLast = band.isWhole;
    return band.seek(from);
  }
}
