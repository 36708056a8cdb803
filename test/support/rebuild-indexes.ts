import { FIXED_LIMITS } from '../../src/core/limits/limits.js';
import type { KeyValueStore, StoreOperation } from '../../src/core/ports/key-value-store.js';
import type { Height } from '../../src/core/primitives.js';
import { deleteIndex, IndexWindow } from '../../src/store/index-rows/index-rows.js';
import type { BlockEvents } from '../../src/store/index-rows/posting.js';

/** The index of a chain from its first block on. */
export function indexFrom(first: Height): IndexWindow {
  const window = new IndexWindow(first);
  window.enter(first, () => undefined);
  return window;
}

/**
 * Deletes every posting and writes all postings again from the events of blocks in order of height. The rows equal
 * those of indexing block by block. `rowsPerStep` bounds one range. After a crash in between the cursor is still right:
 * the remaining blocks are matched in memory until they are indexed.
 */
export async function rebuildIndexes(
  store: KeyValueStore,
  blocks: Iterable<BlockEvents> | AsyncIterable<BlockEvents>,
  rowsPerStep: number,
): Promise<void> {
  await deleteIndex(store, rowsPerStep);
  let batch: StoreOperation[] = [];
  let window: IndexWindow | undefined;
  for await (const block of blocks) {
    window ??= indexFrom(block.height);
    for (const row of window.add(block)) batch.push(row);
    if (batch.length < FIXED_LIMITS.indexRowsPerTurn) continue;
    await store.commit(batch, { sync: false });
    batch = [];
  }
  await store.commit(batch, { sync: false });
}
