import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Height } from '../../core/primitives.js';

/** Bounds of a cache of blocks. */
export interface BlockCacheLimits {
  readonly cachedBlocks: number;
  readonly cachedBlockBytes: number;
}

/** Keeps no block. */
export const NO_BLOCK_CACHE: BlockCacheLimits = { cachedBlocks: 0, cachedBlockBytes: 0 };

/**
 * The blocks that were read last, by height. The one that was not read for the longest time goes when there are too
 * many of them, or when they have too many bytes together; a block of any size stays until the next one is read.
 */
export class BlockCache<Block> {
  readonly #sizeOf: (block: Block) => number;
  readonly #limits: BlockCacheLimits;
  readonly #blocks = new Map<Height, Block>();
  #bytes = 0;

  /** @param sizeOf bytes of a block, in proportion to the memory that it takes */
  constructor(sizeOf: (block: Block) => number, limits: BlockCacheLimits = FIXED_LIMITS) {
    this.#sizeOf = sizeOf;
    this.#limits = limits;
  }

  get(height: Height): Block | undefined {
    const block = this.#blocks.get(height);
    if (block === undefined) return undefined;
    this.#blocks.delete(height);
    this.#blocks.set(height, block);
    return block;
  }

  set(height: Height, block: Block): void {
    this.delete(height);
    this.#blocks.set(height, block);
    this.#bytes += this.#sizeOf(block);
    for (const oldest of this.#blocks.keys()) {
      const { cachedBlocks, cachedBlockBytes } = this.#limits;
      const isSmall = this.#bytes <= cachedBlockBytes || oldest === height;
      if (this.#blocks.size <= cachedBlocks && isSmall) return;
      this.delete(oldest);
    }
  }

  delete(height: Height): void {
    const block = this.#blocks.get(height);
    if (block === undefined) return;
    this.#blocks.delete(height);
    this.#bytes -= this.#sizeOf(block);
  }

  /** Drops the blocks above a height. */
  forgetAbove(height: Height): void {
    for (const known of [...this.#blocks.keys()]) if (known > height) this.delete(known);
  }

  clear(): void {
    this.#blocks.clear();
    this.#bytes = 0;
  }
}
