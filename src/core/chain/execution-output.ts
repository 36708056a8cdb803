import type { EncodedResults } from '../comet/encoded-results.js';
import type { StoredBlock } from '../comet/stored-block.js';
import type { StoreOperation } from '../ports/key-value-store.js';
import type { StateWrite } from '../state/state.js';
import type { ChainState } from './chain-state.js';

/**
 * A block as the executor returns it: facts that its log record lacks, and decoded forms that save decoding the
 * record.
 */
export interface ExecutionOutput {
  /** Chain state after the block, with its app hash. */
  readonly state: ChainState;
  readonly block: StoredBlock;
  readonly results: EncodedResults;
  readonly writes: readonly StateWrite[];
  /** Rows of validator sets and consensus parameters; they were written in the block's batch. */
  readonly history: readonly StoreOperation[];
  /** Name of the upgrade plan that the block applied; undefined without one. */
  readonly upgradeApplied: string | undefined;
}
