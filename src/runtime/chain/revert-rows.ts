import type { EncodedResults } from '../../core/comet/encoded-results.js';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { StoredBlock } from '../../core/comet/stored-block.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { deleteBlockIndexRows } from '../../store/log/block-index.js';
import { deleteCheckpointAbove } from '../../store/checkpoints/checkpoints.js';
import type { History } from '../../store/history/history.js';
import { HeightPruned } from '../../store/state/latest.js';
import { abandonedHeights, StateRevert } from '../../store/state/revert.js';
import { decidedRows, headerHashRows } from './block-rows.js';

export interface RevertRowsOptions {
  readonly store: Pick<KeyValueStore, 'get' | 'range'>;
  readonly history: History;
  readonly crypto: Crypto;
  readonly head: Height;
  readonly to: Height;
  /** Lowest block that is not pruned. */
  readonly lowest: Height;
  readonly block: (height: Height) => Pick<StoredBlock, 'block' | 'blockId'> | undefined;
  /** Results of an executed block. */
  readonly results: (height: Height) => Pick<EncodedResults, 'lastEvent'> | undefined;
  readonly limits: Pick<Limits, 'devRevertBlocks' | 'devRevertRows'>;
  /** Yields to the event loop; awaited between blocks. */
  readonly pause: () => Promise<void>;
}

/**
 * Rows for the batch of a Reverted event, generated lazily: they delete everything that the reverted blocks wrote,
 * except their records. (Height rows are the log's own; the attribute index is reverted before, by `revertIndex`.)
 * Nothing else may be written meanwhile. Fails with `limit-exceeded`, with `state-pruned` when undo pages are gone, and
 * with `height-pruned` when the target block is.
 */
export async function revertRows(options: RevertRowsOptions): Promise<Outcome<Iterable<StoreOperation>>> {
  const { store, head, to, lowest, limits } = options;
  if (head - to > BigInt(limits.devRevertBlocks)) return exceeded('devRevertBlocks', limits.devRevertBlocks);
  if (to < lowest) return { ok: false, error: { code: 'height-pruned', height: to, lowest } };
  try {
    const state = new StateRevert(store, to);
    let [rows, blocks] = [0, 0];
    for (const height of abandonedHeights(head, to)) {
      const txs = blockAt(options, height).block.data?.txs.length ?? 0;
      rows += state.count(height) + ROWS_OF_BLOCK + ROWS_OF_TX * txs;
      if (rows > limits.devRevertRows) return exceeded('devRevertRows', limits.devRevertRows);
      blocks += 1;
      // Reading a block with transactions takes some milliseconds.
      if (txs > 0 || blocks % FIXED_LIMITS.revertBlocksPerTurn === 0) await options.pause();
    }
    return { ok: true, value: rowsOf(options, state) };
  } catch (error) {
    if (error instanceof HeightPruned)
      return { ok: false, error: { code: 'state-pruned', height: error.height, lowest: error.lowest } };
    throw error;
  }
}

/** Hash rows of a block: consensus and Ethereum hash. */
const ROWS_OF_BLOCK = 2;
/** Most hash rows of a transaction. */
const ROWS_OF_TX = 2;

function* rowsOf(options: RevertRowsOptions, state: StateRevert): Generator<StoreOperation> {
  const { store, history, crypto, head, to } = options;
  yield* history.revertRows(to);
  yield* deleteCheckpointAbove(store, to);
  for (const height of abandonedHeights(head, to)) {
    const { block, blockId } = blockAt(options, height);
    yield* deleteBlockIndexRows(store, decidedRows(crypto, block, blockId), to);
    const results = options.results(height);
    if (results !== undefined) yield* deleteBlockIndexRows(store, headerHashRows(height, results), to);
    yield* state.rows(height);
  }
}

function blockAt({ block }: RevertRowsOptions, height: Height): Pick<StoredBlock, 'block' | 'blockId'> {
  const stored = block(height);
  invariant(stored !== undefined, `abandoned block ${height} is in the log`);
  return stored;
}

function exceeded(limit: string, maximum: number): Outcome<never> {
  return { ok: false, error: { code: 'limit-exceeded', limit, maximum } };
}
