import type { KeyValue, KeyValueStore, RangeOptions } from '../../core/ports/key-value-store.js';

/** More ranges wait than the node allows. */
export class RangesBusy extends Error {
  override readonly name = 'RangesBusy';
}

/**
 * The same store with at most `concurrent` ranges at once and `waiting` more in line, first come first served; others
 * reject with RangesBusy. Iterators share libuv's threads with the fsync of the log: four long scans make a block wait
 * for more than a second (design section 4). One gate per process.
 */
export function gateRanges(
  store: KeyValueStore,
  { concurrent, waiting }: { readonly concurrent: number; readonly waiting: number },
): KeyValueStore {
  let running = 0;
  const line: (() => void)[] = [];

  async function range(options: RangeOptions): Promise<readonly KeyValue[]> {
    if (running >= concurrent) {
      if (line.length >= waiting) throw new RangesBusy('too many ranges wait');
      await new Promise<void>((resolve) => {
        line.push(resolve);
      });
    } else {
      running += 1;
    }
    try {
      return await store.range(options);
    } finally {
      // The place goes to the next in line without being free in between.
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
