import { keyAfter } from '../../core/bytes/key-order.js';
import { bytesOfDigits } from '../../core/bytes/hex.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValue, KeyValueStore } from '../../core/ports/key-value-store.js';
import { pageOf, type KeyBounds } from '../rows/all-rows.js';
import { CorruptionError } from '../errors.js';
import { problemOf, type LogProblem } from './log-problem.js';

/** Bounds that include every key. */
const EVERYTHING: KeyBounds = { start: Uint8Array.of(0), end: Uint8Array.of(0xff, 0xff) };

/** Reads all rows in key order, page by page; damaged rows are reported and skipped. */
export async function* tolerantRows(
  store: Pick<KeyValueStore, 'range'>,
  report: (problem: LogProblem) => void,
  { start, end }: KeyBounds = EVERYTHING,
): AsyncGenerator<readonly KeyValue[]> {
  for (;;) {
    const page = pageOf({ start, end }, FIXED_LIMITS.verifyRowsPerRead);
    try {
      const rows = await store.range(page);
      yield rows;
      const last = rows.at(-1);
      const isOver = rows.length < page.limit || last === undefined;
      if (isOver && page.end === end) return;
      start = isOver ? page.end : keyAfter(last.key);
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
