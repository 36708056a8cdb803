import { setImmediate } from 'node:timers/promises';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Gives slices of a large batch to `take`, and others their turn after each; a small one is given whole, at once. */
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

/** Groups of `size` items. Each is made when it is read, so that others can have their turn between two. */
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
 * Writes batches in the order of the calls: none overtakes a large one that is prepared in turns. A row may be told
 * from a row of an earlier batch, and what is on the disk after a power cut is then whole.
 */
export class WriteOrder {
  #begun: Promise<unknown> = Promise.resolve();
  /** Batches that wait, or are prepared. */
  #waiting = 0;

  /**
   * Gives the rows to `take`, those of `before` first, then calls `write`, and resolves or rejects as that does.
   */
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
    // within an object: the next batch waits for the call alone, not for its end
    const begun = this.#begun.then(async () => {
      try {
        for (const slice of slicesOf(before ?? [], FIXED_LIMITS.madeRowsPerTurn)) {
          take(slice);
          await setImmediate();
        }
        await inTurns(items, take);
        return { written: write() };
      } finally {
        this.#waiting -= 1;
      }
    });
    this.#begun = begun.catch(() => undefined);
    return (await begun).written;
  }
}
