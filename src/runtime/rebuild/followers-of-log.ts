import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Height } from '../../core/primitives.js';

/** First and last height of a log. */
interface Blocks {
  readonly first: Height;
  readonly last: Height;
}

/**
 * Determines what background writers must have written by the end of a log: the first index rows, and tree checkpoints.
 */
export class FollowersOfLog {
  #checkpoint: Height | undefined;
  /**
   * True after a node started on a chain with blocks, until it makes one: its first index rows may still be on their
   * way.
   */
  #isIndexing = false;
  #hasIndexed = false;

  /** Notes that a node started. */
  started(hasBlocks: boolean): void {
    this.#isIndexing = hasBlocks;
  }

  /** Notes an executed block. */
  executed(height: Height): void {
    if (height % FIXED_LIMITS.checkpointBlocks === 0n) this.#checkpoint = height;
    this.#hasIndexed ||= this.#isIndexing;
  }

  /** Notes that records were pruned, which happens only to indexed blocks. */
  pruned(): void {
    this.#hasIndexed = true;
  }

  /** Notes a revert to a height. */
  reverted(to: Height, first: Height): void {
    if (to < first) {
      // The index was deleted with the blocks and is rebuilt when the chain is long enough, like that of a new chain.
      this.#isIndexing = false;
      this.#hasIndexed = false;
    }
    if (this.#checkpoint !== undefined && this.#checkpoint > to) this.#checkpoint = undefined;
  }

  /** False when the home's nodes may have ended before they wrote the first index rows. */
  mustBeIndexed({ first, last }: Blocks): boolean {
    return this.#hasIndexed || last - first + 1n >= FIXED_LIMITS.indexedBlocks;
  }

  /**
   * Height of the tree checkpoint. Because it is written asynchronously, the home's own checkpoint counts if it is
   * valid; otherwise the last one that must have been written.
   */
  checkpoint({ first, last }: Blocks, ofHome: Height | undefined): Height | undefined {
    if (ofHome !== undefined && ofHome >= first && ofHome <= last) return ofHome;
    const due = this.#checkpoint;
    return due !== undefined && last - due >= FIXED_LIMITS.checkpointDelayBlocks ? due : undefined;
  }
}
