import type { KeyValue, KeyValueStore, RangeOptions } from '../../core/ports/key-value-store.js';

/** Too many ranges wait. */
export class RangesBusy extends Error {
  override readonly name = 'RangesBusy';
}

/**
 * The same store with at most `concurrent` ranges at once and `waiting` more in a first-in, first-out queue; further
 * ones for clients reject with RangesBusy. Those of the node itself wait in front of that queue: a chain that goes
 * back, or the scan of the storage, would fail with what clients ask. Iterators share libuv's threads with the fsync of
 * the log: four long scans delay a block by more than a second. One gate per process.
 */
export function gateRanges(
  store: KeyValueStore,
  { concurrent, waiting }: { readonly concurrent: number; readonly waiting: number },
): KeyValueStore {
  let running = 0;
  const line: (() => void)[] = [];

  async function range(options: RangeOptions): Promise<readonly KeyValue[]> {
    if (running >= concurrent) {
      const isOfClient = options.mayBeRefused === true;
      if (isOfClient && line.length >= waiting) throw new RangesBusy('too many ranges wait');
      await new Promise<void>((resolve) => {
        if (isOfClient) line.push(resolve);
        else line.unshift(resolve);
      });
    } else {
      running += 1;
    }
    try {
      return await store.range(options);
    } finally {
      // The place is passed to the next in the queue without being free in between.
      const next = line.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    get: (key) => store.get(key),
    range,
    commit: (operations, options) => store.commit(operations, options),
    close: () => store.close(),
  };
}
