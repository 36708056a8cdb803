import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { invariant } from '../../core/errors.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { BlockEvents } from './posting.js';
import {
  forgetBlockEvents,
  forgetIndex,
  forgetIndexRows,
  heightsSharing,
  indexedThrough,
  revertedCursor,
  type EventsAt,
} from './index-rows.js';

export interface IndexRevertOptions {
  readonly store: Pick<KeyValueStore, 'get' | 'range' | 'commit'>;
  /** First height of the chain. */
  readonly first: Height;
  /** The blocks above it go. */
  readonly to: Height;
  /** Events of the blocks that are there now. */
  readonly events: EventsAt;
  /** Lets others run between two batches, and in the middle of a large block. */
  readonly pause: () => Promise<void>;
  readonly limits?: IndexRevertLimits;
}

/** See `FIXED_LIMITS`. */
export interface IndexRevertLimits {
  readonly indexRowsPerTurn: number;
  readonly indexRevertBlocks: bigint;
}

/**
 * Takes the rows of the blocks above a height out of the index, in batches of a bounded size. Each batch sets the
 * cursor back, so that after a crash in between the indexer goes on from there with the blocks that are there then.
 * Where many blocks go and fewer stay, all rows go, and the indexer begins anew. Nothing else may write the index
 * meanwhile.
 */
export async function revertIndex(options: IndexRevertOptions): Promise<void> {
  const { store, first, to, limits = FIXED_LIMITS } = options;
  const indexed = indexedThrough(store);
  if (indexed === undefined || indexed <= to) return;
  const going = indexed - to;
  if (going > limits.indexRevertBlocks && going > to - first)
    await forgetIndex(store, limits.indexRowsPerTurn, options.pause);
  else await forgetAbove(options, indexed, limits.indexRowsPerTurn);
}

/**
 * Deletes the rows block by block, the highest first. A batch may end in the middle of a block; the cursor is
 * then before that block.
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
    // To read such a block takes some milliseconds.
    if (block.txs.length > 0) await pause();
  };
  for (let height = indexed; height > to; height = toHeight(height - 1n)) await forget(height, forgetIndexRows);
  for (const sharing of heightsSharing(to, indexed, first)) await forget(sharing, forgetBlockEvents);
  await store.commit([...rows, revertedCursor(to, first)], { sync: false });
}
