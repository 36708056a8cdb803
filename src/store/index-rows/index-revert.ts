import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { invariant } from '../../core/errors.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
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
  /** Lets others run between two batches. */
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

/** Deletes the rows block by block, the highest first. */
async function forgetAbove(
  { store, first, to, events, pause }: IndexRevertOptions,
  indexed: Height,
  rowsPerStep: number,
): Promise<void> {
  const at = (height: Height) => {
    const block = events(height);
    invariant(block !== undefined, `indexed height ${height} was executed`);
    return block;
  };
  for (let through = indexed; through > to;) {
    const rows: StoreOperation[] = [];
    let height = through;
    for (; height > to && rows.length < rowsPerStep; height = toHeight(height - 1n))
      for (const row of forgetIndexRows(at(height))) rows.push(row);
    for (const sharing of heightsSharing(height, through, first))
      for (const row of forgetBlockEvents(at(sharing))) rows.push(row);
    rows.push(revertedCursor(height, first));
    await store.commit(rows, { sync: false });
    through = height;
    await pause();
  }
}
