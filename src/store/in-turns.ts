import { setImmediate } from 'node:timers/promises';
import { FIXED_LIMITS } from '../core/limits/limits.js';

/** Gives slices of a large batch to `take`, and others their turn behind each; a small one is given whole, at once. */
export async function inTurns<Item>(
  items: readonly Item[],
  take: (slice: readonly Item[]) => void,
  turn: () => Promise<unknown> = setImmediate,
): Promise<void> {
  const { batchRowsPerTurn: rows } = FIXED_LIMITS;
  if (items.length <= rows) return take(items);
  for (let at = 0; at < items.length; at += rows) {
    take(items.slice(at, at + rows));
    await turn();
  }
}
