import { DONE, NODE_STOPPING, refused } from '../../core/errors.js';
import type { DevSend } from '../../core/ethereum/api.js';
import { genesisHeight } from '../../core/genesis/genesis-height.js';
import type { Outcome } from '../../core/node-api.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { betweenBlocks } from './mine.js';
import { revert, revertUnderLease, type RevertOptions, type Target } from './revert.js';
import type { DevSnapshots } from './snapshots.js';

export interface BranchOptions extends RevertOptions {
  readonly snapshots: DevSnapshots;
  /** True while the node ends: no further block is begun. */
  readonly isStopping: () => boolean;
}

/** Commands that leave the present branch of the chain. */
export class BranchCommands {
  readonly #options: BranchOptions;

  constructor(options: BranchOptions) {
    this.#options = options;
  }

  /** Resolves with false for an id that is unknown or used up. */
  async toSnapshot(id: bigint): Promise<Outcome<boolean>> {
    const target = this.#options.snapshots.targetOf(id);
    if (target === undefined) return { ok: true, value: false };
    const done = this.#used(target, await revert(this.#options, target));
    return done.ok ? { ok: true, value: true } : done;
  }

  /** Takes the last `depth` blocks back. */
  rollback(depth: bigint): Promise<Outcome<undefined>> {
    return betweenBlocks(this.#options.consensus, () => this.#goBack(depth));
  }

  /** Takes the blocks above a height back; refuses a height above the head. */
  rollbackTo(height: bigint): Promise<Outcome<undefined>> {
    return betweenBlocks(this.#options.consensus, () => {
      const depth = this.#options.foundation.views.ledger.state.height - height;
      return depth < 0n ? Promise.resolve(refused(`block #${height} not found`)) : this.#goBack(depth);
    });
  }

  /** Takes everything back, to before the first block; `beforeBlocks` ends before another block begins. */
  toGenesis(beforeBlocks: () => Promise<void>): Promise<Outcome<undefined>> {
    return betweenBlocks(this.#options.consensus, async () => {
      const back = await this.#goTo(this.#lowest());
      if (back.ok) await beforeBlocks();
      return back;
    });
  }

  /** Takes the last `depth` blocks back and makes as many others, each with the transactions that its sends admit. */
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
    const lowest = this.#lowest();
    if (depth > height - lowest) {
      // anvil 1.7 has the height as the bound (`crates/anvil/src/eth/api.rs`), which a later first block makes lower.
      const bound = lowest === 0n ? 'current chain height' : `the ${height - lowest} blocks from the first one on`;
      return refused(`Rollback depth must not exceed ${bound}: current height ${height}, depth ${depth}`);
    }
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
