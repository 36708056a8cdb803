import type { Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { toOrderedString } from '../../core/bytes/key-order.js';
import { RangeMiss } from '../../core/state/range-miss.js';
import type { StateEntry, StateRange, StateReader } from '../../core/state/state.js';
import { createStateReader, HeightPruned, lowestHeight, type PointReader } from './latest.js';
import { RangesBusy } from './range-gate.js';
import { rangeAt, type RangePage } from './range.js';
import { UndoPages } from './undo-pages.js';

/** Reads at most `limit` first rows of a range. */
export type FetchRange = (store: string, range: StateRange, limit: number) => Promise<RangePage>;

/** Rows fetched at the first miss of a range; each further miss doubles the number of rows in memory. */
const FIRST_ROWS = 64;

/**
 * Runs pure code that reads ranges synchronously over a store with asynchronous ranges: on each miss the missing page
 * is fetched and `run` starts again, so `run` must have no effects. A reader that stops early causes no further fetch.
 * Fails with `limit-exceeded` when the run needs more than `limits.searchRows` rows in all, and with `state-pruned` or
 * `busy` when the store fails so; other errors of `run` reject.
 */
async function readWithRetries<Value>(
  fetchRange: FetchRange,
  points: PointReader,
  run: (state: StateReader) => Value,
  limits: Pick<Limits, 'rangeRows' | 'searchRows'>,
): Promise<Outcome<Value>> {
  const ranges = new Map<string, FetchedRange>();
  let rows = 0;
  try {
    for (;;) {
      // Kept besides the throw, because the code in between may catch errors (a handler's panic becomes a failed
      // result).
      let missed: FetchedRange | undefined;
      const state: StateReader = {
        get: (store, key) => points.get(store, key),
        range: function* (store, range) {
          const id = rangeId(store, range);
          const fetched = ranges.get(id) ?? { store, entries: [], rest: range };
          ranges.set(id, fetched);
          yield* fetched.entries;
          if (fetched.rest === undefined) return;
          missed = fetched;
          throw new RangeMiss(store, fetched.rest);
        },
      };
      const result = attempt(() => run(state));
      if (missed === undefined) {
        if (result.ok) return result;
        throw result.error;
      }
      const needed = Math.max(FIRST_ROWS, missed.entries.length);
      for (let read = 0; read < needed && missed.rest !== undefined;) {
        const limit = Math.min(needed - read, limits.rangeRows);
        if (rows + limit > limits.searchRows)
          return { ok: false, error: { code: 'limit-exceeded', limit: 'searchRows', maximum: limits.searchRows } };
        const page: RangePage = await fetchRange(missed.store, missed.rest, limit);
        missed.entries.push(...page.entries);
        missed.rest = page.rest;
        read += limit;
        rows += limit;
      }
    }
  } catch (error) {
    if (error instanceof HeightPruned)
      return { ok: false, error: { code: 'state-pruned', height: error.height, lowest: error.lowest } };
    if (error instanceof RangesBusy) return { ok: false, error: { code: 'busy', what: 'ranges' } };
    throw error;
  }
}

/** `readWithRetries` over the state tables of a gated store at one height; heights below the lowest kept one fail. */
export async function readStateAt<Value>(
  store: Pick<KeyValueStore, 'get' | 'range'>,
  height: Height | 'latest',
  run: (state: StateReader) => Value,
  limits: Pick<Limits, 'rangeRows' | 'searchRows'>,
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

interface FetchedRange {
  readonly store: string;
  readonly entries: StateEntry[];
  rest: StateRange | undefined;
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
