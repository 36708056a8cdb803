import type { EncodedResults } from '../../core/comet/encoded-results.js';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { StoredBlock } from '../../core/comet/stored-block.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { forgetBlockIndexRows } from '../../store/block-index.js';
import { forgetCheckpointAbove } from '../../store/checkpoints/checkpoints.js';
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
  /** Lowest block that is kept. */
  readonly lowest: Height;
  readonly block: (height: Height) => Pick<StoredBlock, 'block' | 'blockId'> | undefined;
  /** Results of an executed block. */
  readonly results: (height: Height) => Pick<EncodedResults, 'lastEvent'> | undefined;
  readonly limits: Pick<Limits, 'devRevertBlocks' | 'devRevertRows'>;
  /** Lets others run between blocks. */
  readonly pause: () => Promise<void>;
}

/**
 * Rows for the batch of a Reverted: everything that the abandoned blocks left in the database goes, but for their
 * records, and everything that waits for a block is forgotten. (The rows by height are the log's own; those of the
 * attribute index go before, see `revertIndex`.) Nothing may be written meanwhile. Fails with `limit-exceeded`,
 * `state-pruned` when undo pages are gone, and `height-pruned` when the block is.
 */
export async function revertRows(options: RevertRowsOptions): Promise<Outcome<readonly StoreOperation[]>> {
  const { store, history, crypto, head, to, lowest, limits } = options;
  if (head - to > BigInt(limits.devRevertBlocks)) return exceeded('devRevertBlocks', limits.devRevertBlocks);
  if (to < lowest) return { ok: false, error: { code: 'height-pruned', height: to, lowest } };
  try {
    const state = new StateRevert(store, to);
    const rows: StoreOperation[] = [...history.revertRows(to), ...forgetCheckpointAbove(store, to)];
    const push = async (going: Iterable<StoreOperation>): Promise<void> => {
      for (const row of going) {
        rows.push(row);
        if (rows.length % FIXED_LIMITS.revertRowsPerTurn === 0) await options.pause();
      }
    };
    let taken = 0;
    for (const height of abandonedHeights(head, to)) {
      const stored = options.block(height);
      invariant(stored !== undefined, `abandoned block ${height} is in the log`);
      const results = options.results(height);
      const made = [
        ...decidedRows(crypto, stored.block, stored.blockId),
        ...(results === undefined ? [] : headerHashRows(height, results)),
      ];
      await push(forgetBlockIndexRows(store, made, to));
      state.take(height);
      if (rows.length + state.size > limits.devRevertRows) return exceeded('devRevertRows', limits.devRevertRows);
      taken += 1;
      if (taken % FIXED_LIMITS.revertBlocksPerTurn === 0) await options.pause();
    }
    await push(state.rows());
    return { ok: true, value: rows };
  } catch (error) {
    if (error instanceof HeightPruned)
      return { ok: false, error: { code: 'state-pruned', height: error.height, lowest: error.lowest } };
    throw error;
  }
}

function exceeded(
  limit: string,
  maximum: number,
): {
  readonly ok: false;
  readonly error: { readonly code: 'limit-exceeded'; readonly limit: string; readonly maximum: number };
} {
  return { ok: false, error: { code: 'limit-exceeded', limit, maximum } };
}
