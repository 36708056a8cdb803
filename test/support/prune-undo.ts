import { be64 } from '../../src/core/bytes/big-endian.js';
import type { KeyValueStore, StoreOperation } from '../../src/core/ports/key-value-store.js';
import { toHeight, type Height } from '../../src/core/primitives.js';
import { lowestHeight } from '../../src/store/state/latest.js';
import { FLOOR_KEY, undoKey } from '../../src/store/state/tables.js';
import { undoEntries } from '../../src/store/state/undo.js';
import { decodeVersion } from '../../src/store/state/version-row.js';

/**
 * Operations that make `below` the lowest readable height: they delete undo pages up to it and tombstones that need
 * them. At most `maximumPages` pages in one call; the floor row in the result records the progress (`lowestHeight`).
 * They belong in a batch before the rows of a block, or in a batch of their own while no block is being written.
 */
export function pruneUndo(
  store: Pick<KeyValueStore, 'get'>,
  below: Height,
  maximumPages: number,
): readonly StoreOperation[] {
  const floor = lowestHeight(store);
  const last = below < floor + BigInt(maximumPages) ? below : toHeight(floor + BigInt(maximumPages));
  if (last <= floor) return [];
  const operations: StoreOperation[] = [{ type: 'put', key: FLOOR_KEY, value: be64(last) }];
  for (let height = toHeight(floor + 1n); height <= last; height = toHeight(height + 1n)) {
    const page = store.get(undoKey(height));
    if (page === undefined) continue;
    operations.push({ type: 'delete', key: undoKey(height) });
    for (const { key } of undoEntries(page)) {
      const row = store.get(key);
      if (row === undefined) continue;
      const version = decodeVersion(row);
      if (version.height === height && version.value === undefined) operations.push({ type: 'delete', key });
    }
  }
  return operations;
}
