import type { KeyValue, KeyValueStore, RangeOptions } from '../../core/ports/key-value-store.js';

/** Too many range reads wait. */
export class RangesBusy extends Error {
  override readonly name = 'RangesBusy';
}

/**
 * Limits concurrent range reads: at most `concurrent` run, and `waiting` client reads queue first-in first-out; further
 * client reads reject with RangesBusy. Reads by the node itself have their own unbounded queue with priority, because a
 * revert or storage scan must not fail due to client load. Iterators share libuv's threads with the log's fsync: four
 * long scans would delay a block by more than a second. Use one gate per process.
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
      // The slot passes directly to the next waiter.
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
