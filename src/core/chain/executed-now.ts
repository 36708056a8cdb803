import type { EncodedResults } from '../comet/encoded-results.js';
import type { StoredBlock } from '../comet/stored-block.js';
import type { StoreOperation } from '../ports/key-value-store.js';
import type { StateWrite } from '../state/state.js';
import type { ChainState } from './chain-state.js';

/**
 * A block as it leaves the executor: the facts that its record in the log does not hold, and decoded forms that need
 * not be made again from the record.
 */
export interface ExecutedNow {
  /** The chain after the block, with its app hash. */
  readonly state: ChainState;
  readonly block: StoredBlock;
  readonly results: EncodedResults;
  readonly writes: readonly StateWrite[];
  /** Rows of validator sets and consensus parameters, which went into the batch of the block. */
  readonly history: readonly StoreOperation[];
  /** Name of the upgrade plan that the block applied. */
  readonly upgradeApplied: string | undefined;
}
