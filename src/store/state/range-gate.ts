import type { KeyValue, KeyValueStore, RangeOptions } from '../../core/ports/key-value-store.js';

/** Too many ranges wait. */
export class RangesBusy extends Error {
  override readonly name = 'RangesBusy';
}

/**
 * Wraps a store: at most `concurrent` ranges run at once and `waiting` more for clients in a first-in, first-out
 * queue; further ones for clients reject with RangesBusy. Those of the node itself have a queue of their own, which
 * goes first: a chain that is reverted, or the scan of the storage, would fail with what clients ask. Iterators share
 * libuv's threads with the fsync of the log: four long scans delay a block by more than a second. One gate per process.
 */
export function gateRanges(
  store: KeyValueStore,
  { concurrent, waiting }: { readonly concurrent: number; readonly waiting: number },
): KeyValueStore {
  let running = 0;
  const ofNode: (() => void)[] = [];
  const ofClients: (() => void)[] = [];

  async function range(options: RangeOptions): Promise<readonly KeyValue[]> {
    if (running >= concurrent) {
      const line = options.mayBeRefused === true ? ofClients : ofNode;
      if (line === ofClients && line.length >= waiting) throw new RangesBusy('too many ranges wait');
      await new Promise<void>((resolve) => line.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await store.range(options);
    } finally {
      // The place is passed to the next in the queues without being free in between.
      const next = ofNode.shift() ?? ofClients.shift();
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
