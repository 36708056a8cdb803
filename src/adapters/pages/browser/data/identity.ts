/** Compares two polls of the node: whether the chain has advanced, reverted, or been replaced. */

/** Result of a poll: chain id, first block and head. */
export interface Look {
  readonly chainId: string;
  /** EIP-155 chain id, as a quantity. */
  readonly evmChainId: string;
  /** Hash of block 0, which depends on the genesis document; that of the poll before where block 0 is pruned. */
  readonly genesis: string;
  readonly head: bigint;
  readonly headHash: string;
  /** The current hash at the height of the previous poll's head; undefined if there is no block, or a pruned one. */
  readonly hashAtPrevious: string | undefined;
}

export type Judgement = 'first' | 'same' | 'forward' | 'back' | 'replaced';

/** Compares a poll with the previous one; `before` is undefined for the first. */
export function judge(before: Look | undefined, now: Look): Judgement {
  if (before === undefined) return 'first';
  if (before.chainId !== now.chainId || before.evmChainId !== now.evmChainId || before.genesis !== now.genesis)
    return 'replaced';
  if (before.head === now.head && before.headHash === now.headHash) return 'same';
  if (now.head <= before.head) return 'back';
  // below the head only pruned blocks are absent
  return (now.hashAtPrevious ?? before.headHash) === before.headHash ? 'forward' : 'back';
}
