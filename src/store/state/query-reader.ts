import type { Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { toOrderedString } from '../../core/bytes/key-order.js';
import { RangeMiss } from '../../core/state/range-miss.js';
import type { StateRange, StateReader } from '../../core/state/state.js';
import { CachedRange, SkippedRange } from './cached-ranges.js';
import { createStateReader, HeightPruned, lowestHeight, type PointReader } from './latest.js';
import { RangesBusy } from './range-gate.js';
import { rangeAt, type RangePage } from './range.js';
import { UndoPages } from './undo-pages.js';

/** Reads the first rows of a range, at most `limit`. */
export type FetchRange = (store: string, range: StateRange, limit: number) => Promise<RangePage>;

/** Limits of one query. */
export interface ReadingLimits extends Pick<Limits, 'rangeRows' | 'searchRows'> {
  /** Deadline check: rows are skipped until it returns true. Without it, skipped rows count towards `searchRows`. */
  readonly isLate?: () => boolean;
}

/**
 * Runs synchronous query code over a store with asynchronous ranges: on each miss the missing page is fetched and `run`
 * starts again, so `run` must have no side effects. A query that stops iterating early causes no further reads. Fails
 * with `limit-exceeded` above `limits.searchRows` rows in total, with `timeout` when `isLate`, and with `state-pruned`
 * or `busy` when the store says so; other errors of `run` reject.
 */
async function readWithRetries<Value>(
  fetchRange: FetchRange,
  points: PointReader,
  run: (state: StateReader) => Value,
  { rangeRows, searchRows, isLate }: ReadingLimits,
): Promise<Outcome<Value>> {
  const ranges = new Map<string, CachedRange>();
  /** Keyed also by call order within a run: two skips over one range may count different entries. */
  const passings = new Map<string, SkippedRange>();
  let rows = 0;
  try {
    for (;;) {
      // Recorded in addition to the throw, because code in between may catch it (a panic in a message handler becomes a
      // failed result).
      let missed: CachedRange | SkippedRange | undefined;
      let passed = 0;
      const state: StateReader = {
        get: (store, key) => points.get(store, key),
        range: function* (store, range) {
          const id = rangeId(store, range);
          const held = ranges.get(id) ?? new CachedRange(store, range);
          ranges.set(id, held);
          yield* held.entries;
          if (held.rest === undefined) return;
          missed = held;
          throw new RangeMiss(store, held.rest);
        },
        pass(store, range, counts, maximum) {
          passed += 1;
          const id = `${passed} ${maximum} ${rangeId(store, range)}`;
          const passing = passings.get(id) ?? new SkippedRange(store, range, counts, maximum);
          passings.set(id, passing);
          if (passing.rest === undefined) return passing.passed;
          missed = passing;
          throw new RangeMiss(store, range);
        },
      };
      const result = attempt(() => run(state));
      if (missed === undefined) {
        if (result.ok) return result;
        throw result.error;
      }
      const { wanted } = missed;
      const isFree = isLate !== undefined && missed instanceof SkippedRange;
      for (let read = 0; read < wanted && missed.rest !== undefined;) {
        if (isLate?.() === true) return { ok: false, error: { code: 'timeout', milliseconds: 0 } };
        const limit = Math.min(wanted - read, rangeRows);
        if (!isFree && rows + limit > searchRows)
          return { ok: false, error: { code: 'limit-exceeded', limit: 'searchRows', maximum: searchRows } };
        missed.take(await fetchRange(missed.store, missed.rest, limit));
        read += limit;
        if (!isFree) rows += limit;
      }
    }
  } catch (error) {
    if (error instanceof HeightPruned)
      return { ok: false, error: { code: 'state-pruned', height: error.height, lowest: error.lowest } };
    if (error instanceof RangesBusy) return { ok: false, error: { code: 'busy', what: 'ranges' } };
    throw error;
  }
}

/**
 * Runs `run` over the state at one height, see `readWithRetries`; fails with `state-pruned` below the lowest readable
 * height.
 */
export async function readStateAt<Value>(
  store: Pick<KeyValueStore, 'get' | 'range'>,
  height: Height | 'latest',
  run: (state: StateReader) => Value,
  limits: ReadingLimits,
): Promise<Outcome<Value>> {
  const lowest = lowestHeight(store);
  if (height !== 'latest' && height < lowest) return { ok: false, error: { code: 'state-pruned', height, lowest } };
  const pages = new UndoPages(store);
  return readWithRetries(
    (name, range, limit) => rangeAt(store, name, height, { ...range, limit }, pages),
    createStateReader(store, height, pages),
    run,
    limits,
  );
}

function attempt<Value>(
  run: () => Value,
): { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown } {
  try {
    return { ok: true, value: run() };
  } catch (error) {
    return { ok: false, error };
  }
}

function rangeId(store: string, { start, end, reverse }: StateRange): string {
  const bound = (key: Uint8Array | undefined): string | undefined =>
    key === undefined ? undefined : toOrderedString(key);
  return JSON.stringify([store, bound(start), bound(end), reverse === true]);
}
