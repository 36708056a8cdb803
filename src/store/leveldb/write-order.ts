import { setImmediate } from 'node:timers/promises';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Passes `items` to `take`: a small batch at once, a large one in slices with a turn of the event loop after each. */
export async function inSlices<Item>(
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

/**
 * Splits items into slices of `size`, lazily: an item is generated only when its slice is read, so the caller can yield
 * in between.
 */
export function* slicesOf<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
  let slice: Item[] = [];
  for (const item of items) {
    slice.push(item);
    if (slice.length < size) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/**
 * Writes batches one after another, in call order. Packed rows depend on rows of earlier batches, so the disk is
 * consistent after a power cut only if batches are written in order; LevelDB does not order writes that are in progress
 * side by side, because each runs on a thread of its own.
 */
export class WriteOrder {
  #last: Promise<unknown> = Promise.resolve();

  /** Calls `write` when the writes before it have ended, and settles as it does. */
  write(write: () => Promise<void>): Promise<void> {
    const written = this.#last.then(write);
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Resolves when all writes of earlier calls have ended. */
  async ended(): Promise<void> {
    await this.#last;
  }
}
