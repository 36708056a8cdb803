import { applyBlock } from '../modules/upgrade/apply-block.js';
import { createMultistore, type Multistore } from '../multistore/multistore.js';
import type { Sha256 } from '../comet/merkle.js';
import type { Height } from '../primitives.js';
import type { AppVersion } from '../sdk/module/app-version.js';
import { mergeWrites } from '../state/merge-writes.js';
import type { StateWrite } from '../state/state.js';

export interface CommittedTreesOptions {
  readonly version: AppVersion;
  readonly crypto: Sha256;
  /** Number of heights that stay readable and provable. */
  readonly provableHeights: number;
}

/** IAVL trees of a chain, built from the writes of InitChain and of each block. */
export class CommittedTrees {
  readonly #options: CommittedTreesOptions;
  #multistore: Multistore;
  /** Writes of InitChain until the first block commits: the SDK flushes both together. */
  #genesis: readonly StateWrite[] = [];

  constructor(options: CommittedTreesOptions) {
    this.#options = options;
    this.#multistore = this.#empty();
  }

  get multistore(): Multistore {
    return this.#multistore;
  }

  /** Stores the writes of InitChain; they become part of the first block's version. */
  genesis(writes: readonly StateWrite[]): void {
    this.#genesis = writes;
    this.#multistore.apply(writes);
  }

  /** Applies and saves the writes of a block; returns the app hash. */
  commit(height: Height, writes: readonly StateWrite[]): Uint8Array {
    if (this.#genesis.length > 0) {
      // The tree shape depends on insertion order, so the trees are rebuilt with the writes of InitChain and of the
      // block in one sorted pass.
      this.#multistore = this.#empty();
      this.#multistore.apply(mergeWrites(this.#genesis, writes));
      this.#genesis = [];
    } else {
      applyBlock(this.#multistore, this.#options.version, height, writes);
    }
    return this.#multistore.commit(height).appHash;
  }

  #empty(): Multistore {
    const { version, crypto, provableHeights } = this.#options;
    return createMultistore({ stores: version.stores, crypto, provableHeights });
  }
}
