/** Ranges cached while a synchronous query is run again and again (`query-reader.ts`). */
import { type Passed, rangeAfter, type StateEntry, type StateRange, type StateReader } from '../../core/state/state.js';
import type { RangePage } from './range.js';

/** Rows fetched at the first miss of a range; each further miss doubles the cached rows. */
const FIRST_ROWS = 64;

/** A range whose entries are cached between runs. */
export class CachedRange {
  readonly entries: StateEntry[] = [];
  /** The part not cached yet; undefined when the range is complete. */
  rest: StateRange | undefined;
  readonly #rows: number;

  constructor(
    readonly store: string,
    range: StateRange,
  ) {
    this.rest = range;
    this.#rows = range.rows ?? FIRST_ROWS;
  }

  /** Number of rows to fetch before the next run. */
  get wanted(): number {
    return Math.max(this.#rows - this.entries.length, this.entries.length, FIRST_ROWS);
  }

  take(page: RangePage): void {
    for (const entry of page.entries) this.entries.push(entry);
    this.rest = page.rest;
  }
}

/** A range whose entries are counted and skipped without being kept (`StateReader.pass`), for pagination offsets. */
export class SkippedRange {
  /** The part not skipped yet; undefined when done. */
  rest: StateRange | undefined;
  readonly wanted = Number.POSITIVE_INFINITY;
  readonly #range: StateRange;
  #count = 0n;
  /** The range after the last skipped entry. */
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

  /** The result; undefined when the query must iterate with `range` instead. */
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
      // The predicate threw (it read a range, or rejects the entry): fall back to `range`, which reaches the same
      // entry.
      this.#hasFailed = true;
      this.rest = undefined;
      return;
    }
    this.rest = page.rest;
    if (page.rest === undefined) this.#behind = undefined;
  }
}
