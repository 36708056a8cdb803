/** Rows that pure code asked for and that are not in memory. */
import { type Passed, rangeAfter, type StateEntry, type StateRange, type StateReader } from '../../core/state/state.js';
import type { RangePage } from './range.js';

/** Rows fetched at the first miss of a range; each further miss doubles the number of rows in memory. */
const FIRST_ROWS = 64;

/** A range whose entries are kept from run to run. */
export class HeldRange {
  readonly entries: StateEntry[] = [];
  /** The part that is not in memory; undefined when nothing remains. */
  rest: StateRange | undefined;
  readonly #rows: number;

  constructor(
    readonly store: string,
    range: StateRange,
  ) {
    this.rest = range;
    this.#rows = range.rows ?? FIRST_ROWS;
  }

  /** Rows to be read before the next run. */
  get wanted(): number {
    return Math.max(this.#rows - this.entries.length, this.entries.length, FIRST_ROWS);
  }

  take(page: RangePage): void {
    for (const entry of page.entries) this.entries.push(entry);
    this.rest = page.rest;
  }
}

/** Entries that are passed without being kept (`StateReader.pass`). */
export class Passing {
  /** The part that is not passed yet; undefined when all is. */
  rest: StateRange | undefined;
  readonly wanted = Number.POSITIVE_INFINITY;
  readonly #range: StateRange;
  #count = 0n;
  /** The range after the last entry that was passed. */
  #behind: StateRange | undefined;
  #hasFailed = false;

  constructor(
    readonly store: string,
    range: StateRange,
    readonly counts: Parameters<NonNullable<StateReader['pass']>>[2],
    readonly maximum: bigint,
  ) {
    this.#range = range;
    this.#behind = range;
    this.rest = maximum > 0n ? range : undefined;
  }

  /** The entries that were passed; undefined when the code has to pass them by `range`. */
  get passed(): Passed | undefined {
    return this.#hasFailed ? undefined : { count: this.#count, rest: this.#behind };
  }

  take(page: RangePage): void {
    try {
      for (const entry of page.entries) {
        if (!this.counts(entry)) continue;
        this.#count += 1n;
        if (this.#count < this.maximum) continue;
        this.#behind = rangeAfter(this.#range, entry.key);
        this.rest = undefined;
        return;
      }
    } catch {
      // The code read a range for an entry, or refuses it: by `range` it comes to the same place again.
      this.#hasFailed = true;
      this.rest = undefined;
      return;
    }
    this.rest = page.rest;
    if (page.rest === undefined) this.#behind = undefined;
  }
}
