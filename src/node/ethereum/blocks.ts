import { itemsOf } from '../../core/ethereum/block-items.js';
import { max, min } from '../../core/bigint.js';
import type { EncodedResults } from '../../core/comet/encoded-results.js';
import type { StoredBlock } from '../../core/comet/stored-block.js';
import { type BlockSurroundings, ethereumBlockOf, genesisEthereumBlock } from '../../core/ethereum/block-of.js';
import type { EthereumBlock, EthereumBlockTransaction, LoggedBlock } from '../../core/ethereum/block-view.js';
import { genesisHeight } from '../../core/genesis/genesis-height.js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { ChainQueries, Outcome } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, type Height, type Position } from '../../core/primitives.js';
import { hasIndexGoneBack, indexedThrough } from '../../store/index-rows/index-rows.js';
import { searchLogPostings } from '../../store/index-rows/log-posting.js';
import { equal } from '../../core/bytes/bytes.js';

export interface EthereumBlocksOptions {
  readonly chain: Pick<
    ChainQueries,
    'genesis' | 'earliestHeight' | 'head' | 'block' | 'results' | 'consensusParams' | 'heightByHash' | 'place'
  >;
  readonly store: Pick<KeyValueStore, 'get' | 'range'>;
  readonly crypto: Crypto;
  readonly limits: Pick<Limits, 'searchRows' | 'logIndexRows' | 'rangeRows'>;
  /** Facts of the synthetic genesis block: time in seconds, `max_gas`, base fee and hash. */
  readonly genesis: Omit<Parameters<typeof genesisEthereumBlock>[1], 'height'>;
  /** Mix hash of blocks without a PREVRANDAO of their own. */
  readonly prevRandao: Uint8Array;
}

/** The published chain as blocks of the Ethereum face. */
export class EthereumBlocks {
  readonly #options: EthereumBlocksOptions;
  readonly #known = new Map<Height, EthereumBlock>();
  #items = 0;
  /** Blocks with logs that the running revert removes, newest first. */
  #leaving: readonly AbandonedBlock[] = [];
  /** Reverts, oldest first, with the blocks with logs that each removed. */
  #reverts: readonly Revert[] = [];
  readonly #genesis: EthereumBlock;

  constructor(options: EthereumBlocksOptions) {
    this.#options = options;
    const height = genesisHeight(options.chain.genesis().initialHeight);
    this.#genesis = genesisEthereumBlock(options.crypto, { ...options.genesis, height });
  }

  block(height: Height): EthereumBlock | undefined {
    const { chain } = this.#options;
    if (height === this.#genesis.height) return this.#genesis;
    if (height > chain.head().height) return undefined;
    if (height < chain.earliestHeight()) return undefined;
    const known = this.#known.get(height);
    if (known !== undefined) return known;
    const block = this.#make(height);
    if (block !== undefined) this.#remember(block);
    return block;
  }

  /** The block of the chain that a revert is about to remove. It does not stay in memory. */
  leaving(height: Height): EthereumBlock | undefined {
    return this.#known.get(height) ?? this.#make(height);
  }

  #make(height: Height): EthereumBlock | undefined {
    const { chain, crypto } = this.#options;
    const stored = chain.block(height);
    const results = chain.results(height);
    if (stored === undefined || results === undefined) return undefined;
    return ethereumBlockOf(crypto, stored, results, this.#surroundings(stored, this.#maxGas(height)));
  }

  /** The Ethereum form of a pending block. `maxGas`: from the consensus parameters. */
  pending(stored: StoredBlock, results: EncodedResults, maxGas: bigint): EthereumBlock {
    const surroundings = { ...this.#surroundings(stored, maxGas), isPending: true } as const;
    return ethereumBlockOf(this.#options.crypto, stored, results, surroundings);
  }

  heightOf(hash: Uint8Array): Height | undefined {
    return equal(hash, this.#genesis.hash) ? this.#genesis.height : this.#options.chain.heightByHash(hash);
  }

  /** Finds a transaction by its Ethereum hash or consensus hash; the log has a row for each. */
  transaction(
    hash: Uint8Array,
  ): { readonly block: EthereumBlock; readonly transaction: EthereumBlockTransaction } | undefined {
    const place = this.#options.chain.place(hash);
    const block = place === undefined ? undefined : this.block(place.height);
    const transaction = block?.transactions.find((one) => equal(one.hash, hash) || equal(one.consensusHash, hash));
    return block === undefined || transaction === undefined ? undefined : { block, transaction };
  }

  /** True if the block's Ethereum form is in memory. */
  has(height: Height): boolean {
    return this.#known.has(height);
  }

  /**
   * Heights that may match, from the postings (index), and every height that is not indexed yet. Blocks in memory are
   * returned without reading the postings: matching their logs is cheaper than a read of the store.
   */
  async candidates(
    lowest: Height,
    to: Height,
    addresses: readonly Uint8Array[],
    topics: readonly (readonly Uint8Array[])[],
    touched: readonly Uint8Array[] = [],
  ): Promise<Outcome<readonly Height[]>> {
    const { store, limits, chain } = this.#options;
    const head = chain.head().height;
    const end = min(to, head);
    // Only the genesis block is below the initial height, and it has no logs.
    const from = max(lowest, chain.genesis().initialHeight);
    let stored: bigint = end;
    while (stored >= from && this.#known.has(toHeight(stored))) stored -= 1n;
    const indexed = stored < from ? 0n : (indexedThrough(store) ?? 0n);
    let searched = toHeight(indexed < stored ? indexed : stored);
    const heights: Height[] = [];
    if (from <= searched) {
      const found = await searchLogPostings(store, { from, to: searched, addresses, topics, touched }, limits);
      if (!found.ok) return found;
      // A revert of the index may also have removed rows of blocks that remain.
      if (hasIndexGoneBack(store, searched)) searched = indexedThrough(store) ?? toHeight(0n);
      for (const height of found.value) if (height <= searched) heights.push(height);
    }
    for (let height = from > searched ? from : toHeight(searched + 1n); height <= end; height = toHeight(height + 1n))
      heights.push(height);
    return { ok: true, value: heights };
  }

  /** Called before a revert with the blocks with logs that it removes, newest first. */
  abandon(blocks: readonly AbandonedBlock[]): void {
    this.#leaving = blocks;
  }

  /** Called after the revert at `position` to `height`: drops the blocks above it from memory. */
  forgetAbove(height: Height, position: Position): void {
    for (const known of [...this.#known.keys()]) if (known > height) this.#forget(known);
    this.#reverts = newestReverts([...this.#reverts, { position, blocks: this.#leaving }]);
    this.#leaving = [];
  }

  /** Blocks with logs that the revert at `position` removed, newest first; empty when it is not in memory. */
  abandonedBy(position: Position): readonly AbandonedBlock[] {
    return this.#reverts.find((revert) => revert.position === position)?.blocks ?? [];
  }

  /** Blocks with logs that were published at or before a position and removed by later reverts, newest first. */
  abandonedSince(position: Position): readonly LoggedBlock[] {
    return this.#reverts
      .filter((revert) => revert.position > position)
      .flatMap(({ blocks }) => blocks)
      .filter((one) => one.position <= position)
      .map(({ block }) => block);
  }

  #surroundings({ block: { header } }: StoredBlock, maxGas: bigint): BlockSurroundings {
    const miner = header?.proposerAddress ?? new Uint8Array(20);
    return { miner, maxGas, genesisHash: this.#genesis.hash, prevRandao: this.#options.prevRandao };
  }

  #maxGas(height: Height): bigint {
    return this.#options.chain.consensusParams(height)?.block?.maxGas ?? -1n;
  }

  #remember(block: EthereumBlock): void {
    this.#known.set(block.height, block);
    this.#items += itemsOf(block);
    for (const oldest of this.#known.keys()) {
      if (
        oldest === block.height ||
        (this.#known.size <= FIXED_LIMITS.ethereumBlocks && this.#items <= FIXED_LIMITS.ethereumBlockItems)
      )
        return;
      this.#forget(oldest);
    }
  }

  #forget(height: Height): void {
    const block = this.#known.get(height);
    if (block === undefined) return;
    this.#known.delete(height);
    this.#items -= itemsOf(block);
  }
}

/** A block that was reverted, and the position of its execution in the log. */
export interface AbandonedBlock {
  /** Only the transactions that emitted logs. */
  readonly block: LoggedBlock;
  readonly position: Position;
}

interface Revert {
  readonly position: Position;
  readonly blocks: readonly AbandonedBlock[];
}

/** The last revert, and earlier ones as far as the memory limit allows. */
function newestReverts(reverts: readonly Revert[]): readonly Revert[] {
  let items = 0;
  const first = reverts.findLastIndex(({ blocks }, index) => {
    items += 1 + blocks.reduce((sum, { block }) => sum + itemsOf(block), 0);
    return index < reverts.length - 1 && items > FIXED_LIMITS.ethereumBlockItems;
  });
  return reverts.slice(first + 1);
}
