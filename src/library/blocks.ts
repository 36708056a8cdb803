import { filter, map, tap, type Observable } from 'rxjs';
import { equal, EMPTY } from '../core/bytes/bytes.js';
import { fromTimestamp } from '../core/comet/time.js';
import { headerHashesOf } from '../core/ethereum/header-facts.js';
import type { ChainQueries } from '../core/node-api.js';
import { toHeight, type Height } from '../core/primitives.js';
import { feedEndingOnOverflow } from '../streams/index.js';
import type { PublishedCommit } from '../node/push/shown-commits.js';
import type { Hex } from './methods.js';
import type { BlockFacts } from './types.js';
import { bytesOfDigits, hex } from '../core/bytes/hex.js';
import { FIXED_LIMITS } from '../core/limits/limits.js';

export interface FollowOptions {
  /** Commits as they are published. */
  readonly commits: Observable<PublishedCommit>;
  readonly chain: Pick<ChainQueries, 'head' | 'block' | 'results'>;
  /** The first block to read; it may be in the future. */
  readonly from: Height;
  readonly signal: AbortSignal;
}

/**
 * Yields blocks in height order from `from` on, each once and without gaps, until `signal` aborts: first from the
 * log, then as they are published. A slow reader does not delay the node and misses no block. After a revert it
 * yields the blocks of the new branch. Throws when the reader was too slow to be told of a revert.
 */
export async function* followBlocks({
  commits,
  chain,
  from,
  signal,
}: FollowOptions): AsyncGenerator<BlockFacts, void, undefined> {
  let last: BlockFacts | undefined;
  while (!signal.aborted) {
    let unpublished = toHeight(chain.head().height + 1n);
    const blocks = commits.pipe(
      map(({ height }) => (height === undefined ? undefined : factsOf(chain, height))),
      filter((facts) => facts !== undefined),
      // A revert replaces blocks that are not read yet: the next read begins at the height of the new branch.
      tap(({ height }) => (unpublished = height < unpublished ? toHeight(height) : unpublished)),
      filter(({ height }) => height >= from),
    );
    // Listens before reading the log: blocks published meanwhile wait in the feed.
    const published = feedEndingOnOverflow(blocks, { capacity: FIXED_LIMITS.heldBlocks, signal });
    try {
      if (last !== undefined && !isStill(chain, last))
        throw new Error(`the chain went back below block ${last.height}, and this reader was too slow to be told`);
      for (
        let next = last === undefined ? from : toHeight(last.height + 1n);
        next < unpublished && !signal.aborted;
        next = toHeight(next + 1n)
      ) {
        const facts = factsOf(chain, next);
        if (facts === undefined) break;
        yield (last = facts);
      }
      for await (const facts of published) yield (last = facts);
    } finally {
      await published.return?.();
    }
  }
}

function isStill(chain: FollowOptions['chain'], { height, hash }: BlockFacts): boolean {
  const block = chain.block(toHeight(height));
  return block !== undefined && equal(block.blockId.hash, bytesOfDigits(hash.slice(2)) ?? EMPTY);
}

function factsOf(chain: FollowOptions['chain'], height: Height): BlockFacts | undefined {
  const stored = chain.block(height);
  if (stored?.block.header === undefined) return undefined;
  const { block, blockId } = stored;
  const hash: Hex = `0x${hex(blockId.hash)}`;
  const hashes = headerHashesOf(chain.results(height));
  const ethereumHash: Hex = hashes === undefined ? hash : `0x${hex(hashes.hash)}`;
  return { height, hash, ethereumHash, time: fromTimestamp(stored.block.header.time), txs: block.data?.txs ?? [] };
}
