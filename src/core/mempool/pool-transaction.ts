/** What the pool needs to know of a transaction to order it, of either kind; read from its bytes alone. */
export interface PoolTransaction {
  /** Uppercase hex of the consensus hash. */
  readonly hash: string;
  /** Uppercase hex of another hash by which it is found: Ethereum's. */
  readonly alias?: string;
  readonly tx: Uint8Array;
  readonly gasWanted: bigint;
  /** Accounts whose nonce (sequence) it uses, in order of signers; empty for one that uses none. */
  readonly accounts: readonly AccountNonce[];
  /** Highest price of one gas that its sender pays, base fee included; in the base denom. */
  readonly feeCap: bigint;
  /** Highest price above the base fee. */
  readonly tipCap: bigint;
  /** Ethereum transactions may wait for a nonce and may be replaced; others follow the SDK's CheckTx. */
  readonly kind: 'ethereum' | 'cosmos';
}

export interface AccountNonce {
  /** Lower-case hex of the address. */
  readonly address: string;
  readonly nonce: bigint;
}

/** What a proposer earns for one gas at this base fee; undefined when the transaction does not pay the base fee. */
export function effectiveTip(
  { feeCap, tipCap }: Pick<PoolTransaction, 'feeCap' | 'tipCap'>,
  baseFee: bigint,
): bigint | undefined {
  if (feeCap < baseFee) return undefined;
  const room = feeCap - baseFee;
  return tipCap < room ? tipCap : room;
}

/** geth's `--txpool.pricebump`: both prices must rise by this much, per cent. */
const PRICE_BUMP_PERCENT = 10n;

/** True when `next` pays enough more than `old` to take its place (geth `txpool/legacypool`: both caps, the bumped prices rounded down). */
export function isReplacement(
  old: Pick<PoolTransaction, 'feeCap' | 'tipCap'>,
  next: Pick<PoolTransaction, 'feeCap' | 'tipCap'>,
): boolean {
  const bumped = (price: bigint): bigint => (price * (100n + PRICE_BUMP_PERCENT)) / 100n;
  return (
    next.feeCap > old.feeCap &&
    next.tipCap > old.tipCap &&
    next.feeCap >= bumped(old.feeCap) &&
    next.tipCap >= bumped(old.tipCap)
  );
}
