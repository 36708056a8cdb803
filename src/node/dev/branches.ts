import { DONE, NODE_STOPPING, refused } from '../../core/errors.js';
import type { DevSend } from '../../core/ethereum/api.js';
import { genesisHeight } from '../../core/genesis/genesis-height.js';
import type { Outcome } from '../../core/node-api.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { depthProblem } from './branch-height.js';
import { betweenBlocks } from './mine.js';
import { revert, revertUnderLease, type RevertOptions, type Target } from './revert.js';
import type { DevSnapshots } from './snapshots.js';

export interface BranchOptions extends RevertOptions {
  readonly snapshots: DevSnapshots;
  /** True once the node is stopping: no further block is begun. */
  readonly isStopping: () => boolean;
}

/** Dev commands that revert the chain. */
export class BranchCommands {
  readonly #options: BranchOptions;

  constructor(options: BranchOptions) {
    this.#options = options;
  }

  /** Reverts to a snapshot; resolves with false for an unknown or used id. */
  async toSnapshot(id: bigint): Promise<Outcome<boolean>> {
    const target = this.#options.snapshots.targetOf(id);
    if (target === undefined) return { ok: true, value: false };
    const done = this.#used(target, await revert(this.#options, target));
    return done.ok ? { ok: true, value: true } : done;
  }

  /** Reverts the last `depth` blocks. */
  rollback(depth: bigint): Promise<Outcome<undefined>> {
    return betweenBlocks(this.#options.consensus, () => this.#goBack(depth));
  }

  /** Reverts to a height; refuses a height above the head. */
  rollbackTo(height: bigint): Promise<Outcome<undefined>> {
    return betweenBlocks(this.#options.consensus, () =>
      this.#goBack(this.#options.foundation.views.ledger.state.height - height),
    );
  }

  /** Reverts to the genesis. `beforeBlocks` completes before the next block begins. */
  toGenesis(beforeBlocks: () => Promise<void>): Promise<Outcome<undefined>> {
    return betweenBlocks(this.#options.consensus, async () => {
      const back = await this.#goTo(this.#lowest());
      if (back.ok) await beforeBlocks();
      return back;
    });
  }

  /** Reverts the last `depth` blocks and makes as many new ones; `blocks` are the sends of each. */
  reorganize(depth: number, blocks: readonly (readonly DevSend[])[]): Promise<Outcome<undefined>> {
    return betweenBlocks(this.#options.consensus, async (lease) => {
      const back = await this.#goBack(BigInt(depth));
      if (!back.ok) return back;
      for (let made = 0; made < depth; made += 1) {
        for (const send of blocks[made] ?? []) {
          const sent = await send();
          if (!sent.ok) return sent;
        }
        if (this.#options.isStopping()) return { ok: false, error: NODE_STOPPING };
        const mined = await lease.mine();
        if (!mined.ok) return mined;
      }
      return DONE;
    });
  }

  async #goBack(depth: bigint): Promise<Outcome<undefined>> {
    const { height } = this.#options.foundation.views.ledger.state;
    const problem = depthProblem(depth, height, this.#lowest());
    if (problem !== undefined) return refused(problem);
    return depth === 0n ? DONE : this.#goTo(toHeight(height - depth));
  }

  async #goTo(height: Height): Promise<Outcome<undefined>> {
    const target = this.#options.snapshots.targetAt(height);
    return this.#used(target, await revertUnderLease(this.#options, target));
  }

  #used(target: Target, outcome: Outcome<undefined>): Outcome<undefined> {
    if (outcome.ok) this.#options.snapshots.use(target);
    return outcome;
  }

  /** The height before the first block. */
  #lowest(): Height {
    return genesisHeight(this.#options.foundation.views.chain.started.initialHeight);
  }
}
