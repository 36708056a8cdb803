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
 * Writes batches in call order: a small batch never overtakes a large one that is still being prepared in slices.
 * Packed rows depend on rows of earlier batches, so the disk is consistent after a power cut only if batches are
 * written in order.
 */
export class WriteOrder {
  #begun: Promise<unknown> = Promise.resolve();
  /** Number of batches that wait or are being prepared. */
  #waiting = 0;

  /** Passes the rows to `take` (those of `before` first), then calls `write` and settles as it does. */
  async write<Item>(
    items: readonly Item[],
    take: (slice: readonly Item[]) => void,
    write: () => Promise<void>,
    before?: Iterable<Item>,
  ): Promise<void> {
    if (before === undefined && this.#waiting === 0 && items.length <= FIXED_LIMITS.batchRowsPerTurn) {
      take(items);
      return write();
    }
    this.#waiting += 1;
    // Wrapped in an object so that the next batch waits only until this `write` is called, not until it has finished.
    const begun = this.#begun.then(async () => {
      try {
        for (const slice of slicesOf(before ?? [], FIXED_LIMITS.madeRowsPerTurn)) {
          take(slice);
          await setImmediate();
        }
        await inSlices(items, take);
        return { written: write() };
      } finally {
        this.#waiting -= 1;
      }
    });
    this.#begun = begun.catch(() => undefined);
    return (await begun).written;
  }
}
