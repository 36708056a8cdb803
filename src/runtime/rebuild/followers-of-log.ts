import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Height } from '../../core/primitives.js';

/** The heights of a log's blocks. */
interface Blocks {
  readonly first: Height;
  readonly last: Height;
}

/**
 * Tells of the end of a log what must have been written behind its head: the first rows of the attribute index, and
 * checkpoints of the trees.
 */
export class FollowersOfLog {
  #checkpoint: Height | undefined;
  /** A node started on a chain with blocks, and has not made one yet: what it indexes first may be on its way. */
  #isIndexing = false;
  #hasIndexed = false;

  /** A node started, on a chain with or without blocks. */
  started(hasBlocks: boolean): void {
    this.#isIndexing = hasBlocks;
  }

  /** A block was executed. */
  executed(height: Height): void {
    if (height % FIXED_LIMITS.checkpointBlocks === 0n) this.#checkpoint = height;
    this.#hasIndexed ||= this.#isIndexing;
  }

  /** Blocks were pruned, and then their records, which happens only when the index has them. */
  pruned(): void {
    this.#hasIndexed = true;
  }

  /** The chain was reverted to a height. */
  reverted(to: Height, first: Height): void {
    if (to < first) {
      // The index went with the blocks, and is written again when it is long enough, as that of a new chain.
      this.#isIndexing = false;
      this.#hasIndexed = false;
    }
    if (this.#checkpoint !== undefined && this.#checkpoint > to) this.#checkpoint = undefined;
  }

  /** False for a home whose nodes may have ended before they wrote the first rows of the attribute index. */
  mustBeIndexed({ first, last }: Blocks): boolean {
    return this.#hasIndexed || last - first + 1n >= FIXED_LIMITS.indexedBlocks;
  }

  /**
   * Height of the checkpoint. It is written behind the head, and a kill may come before it: the one that the home has
   * counts, else the last one that must have been written.
   */
  checkpoint({ first, last }: Blocks, ofHome: Height | undefined): Height | undefined {
    if (ofHome !== undefined && ofHome >= first && ofHome <= last) return ofHome;
    const due = this.#checkpoint;
    return due !== undefined && last - due >= FIXED_LIMITS.checkpointDelayBlocks ? due : undefined;
  }
}
