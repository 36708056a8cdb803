import { keyAfter } from '../core/bytes/key-order.js';
import { bytesOfDigits } from '../core/bytes/hex.js';
import { FIXED_LIMITS } from '../core/limits/limits.js';
import type { KeyValue, KeyValueStore } from '../core/ports/key-value-store.js';
import { CorruptionError } from './errors.js';
import { problemOf, type LogProblem } from './log-problem.js';

/** Keys from `start` to before `end`. */
export interface KeyBounds {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
}

/** Bounds of every key. */
const EVERYTHING: KeyBounds = { start: Uint8Array.of(0), end: Uint8Array.of(0xff, 0xff) };

/** All rows in key order; damaged ones are reported and left out. */
export async function* tolerantRows(
  store: Pick<KeyValueStore, 'range'>,
  report: (problem: LogProblem) => void,
  { start, end }: KeyBounds = EVERYTHING,
): AsyncGenerator<readonly KeyValue[]> {
  for (;;) {
    try {
      const rows = await store.range({ start, end, limit: FIXED_LIMITS.verifyRowsPerRead });
      yield rows;
      const last = rows.at(-1);
      if (rows.length < FIXED_LIMITS.verifyRowsPerRead || last === undefined) return;
      start = keyAfter(last.key);
    } catch (error) {
      report(problemOf(error));
      const key = error instanceof CorruptionError ? error.where.key : undefined;
      if (key === undefined) return;
      const damaged = bytesOfDigits(key);
      if (damaged === undefined) return;
      yield await store.range({ start, end: damaged, limit: FIXED_LIMITS.verifyRowsPerRead });
      start = keyAfter(damaged);
    }
  }
}
