/** Tells whether two looks at a node saw one chain that went on, one that went back, or two chains. */

/** One look: the chain's name, its first block and its head. */
export interface Look {
  readonly chainId: string;
  /** EIP-155 chain id, as a quantity. */
  readonly evmChainId: string;
  /** Hash of block 0, which is made from the genesis document. */
  readonly genesis: string;
  readonly head: bigint;
  readonly headHash: string;
  /** Hash that now stands at the height of the head of the look before; undefined where no block stands there. */
  readonly hashAtPrevious: string | undefined;
}

export type Judgement = 'first' | 'same' | 'forward' | 'back' | 'replaced';

/** Compares a look with the one before it; undefined `before` is the first look. */
export function judge(before: Look | undefined, now: Look): Judgement {
  if (before === undefined) return 'first';
  if (before.chainId !== now.chainId || before.evmChainId !== now.evmChainId || before.genesis !== now.genesis)
    return 'replaced';
  if (before.head === now.head && before.headHash === now.headHash) return 'same';
  return now.head > before.head && now.hashAtPrevious === before.headHash ? 'forward' : 'back';
}
