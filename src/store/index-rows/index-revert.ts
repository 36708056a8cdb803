import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { invariant } from '../../core/errors.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { BlockEvents } from './posting.js';
import {
  deleteBlockEventRows,
  deleteIndex,
  deleteIndexRows,
  heightsSharing,
  indexedThrough,
  revertedCursor,
  type EventsAt,
} from './index-rows.js';

export interface IndexRevertOptions {
  readonly store: Pick<KeyValueStore, 'get' | 'range' | 'commit'>;
  /** First height of the log. */
  readonly first: Height;
  /** Blocks above this height are removed from the index. */
  readonly to: Height;
  /** Events of the blocks as they are still indexed, before the revert. */
  readonly events: EventsAt;
  /** Yields to the event loop; awaited between batches and within large blocks. */
  readonly pause: () => Promise<void>;
  readonly limits?: IndexRevertLimits;
}

/** Overrides of `FIXED_LIMITS`, for tests. */
export interface IndexRevertLimits {
  readonly indexRowsPerTurn: number;
  readonly indexRevertBlocks: bigint;
}

/**
 * Removes the rows of all blocks above `to` from the index, in batches of bounded size. Each batch also sets the cursor
 * back, so that after a crash the indexer resumes at the right block. If more blocks go than stay, and they are many,
 * the whole index is deleted and rebuilt. Nothing else may write the index meanwhile.
 */
export async function revertIndex(options: IndexRevertOptions): Promise<void> {
  const { store, first, to, limits = FIXED_LIMITS } = options;
  const indexed = indexedThrough(store);
  if (indexed === undefined || indexed <= to) return;
  const going = indexed - to;
  if (going > limits.indexRevertBlocks && going > to - first)
    await deleteIndex(store, limits.indexRowsPerTurn, options.pause);
  else await forgetAbove(options, indexed, limits.indexRowsPerTurn);
}

/**
 * Deletes the rows block by block, from the highest down. When a batch ends in the middle of a block, the cursor is
 * already before that block.
 */
async function forgetAbove(
  { store, first, to, events, pause }: IndexRevertOptions,
  indexed: Height,
  rowsPerStep: number,
): Promise<void> {
  let rows: StoreOperation[] = [];
  const forget = async (
    height: Height,
    going: (block: BlockEvents) => Iterable<StoreOperation | undefined>,
  ): Promise<void> => {
    const block = events(height);
    invariant(block !== undefined, `indexed height ${height} was executed`);
    const cursor = height > to ? toHeight(height - 1n) : to;
    for (const row of going(block)) {
      if (row !== undefined) rows.push(row);
      else await pause();
      if (rows.length < rowsPerStep) continue;
      await store.commit([...rows, revertedCursor(cursor, first)], { sync: false });
      rows = [];
      await pause();
    }
    // Reading a block with transactions takes some milliseconds.
    if (block.txs.length > 0) await pause();
  };
  for (let height = indexed; height > to; height = toHeight(height - 1n)) await forget(height, deleteIndexRows);
  for (const sharing of heightsSharing(to, indexed, first)) await forget(sharing, deleteBlockEventRows);
  await store.commit([...rows, revertedCursor(to, first)], { sync: false });
}
