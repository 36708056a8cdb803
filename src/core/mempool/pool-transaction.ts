/** A pool transaction of either kind: the fields that determine its order, decoded from its bytes alone. */
export interface PoolTransaction {
  /** Uppercase hex of the consensus hash. */
  readonly hash: string;
  /** Uppercase hex of the Ethereum hash, by which it can be looked up, too. */
  readonly alias?: string | undefined;
  readonly tx: Uint8Array;
  readonly gasWanted: bigint;
  /** The accounts and nonces (sequences) it uses, in signer order; may be empty. */
  readonly accounts: readonly AccountNonce[];
  /** Highest total gas price, base fee included, wei (`maxFeePerGas`). */
  readonly feeCap: bigint;
  /** Highest gas price above the base fee, wei (`maxPriorityFeePerGas`). */
  readonly tipCap: bigint;
  /** Ethereum transactions may wait for a nonce and may be replaced; Cosmos transactions follow the SDK's CheckTx. */
  readonly kind: 'ethereum' | 'cosmos';
}

export interface AccountNonce {
  /** Lower-case hex of the address. */
  readonly address: string;
  readonly nonce: bigint;
}

/** True for a dev-mode command: a transaction without sender account (`src/core/modules/dev/ante.ts`). */
export function isCommand({ accounts }: Pick<PoolTransaction, 'accounts'>): boolean {
  return accounts.length === 0;
}

/** Adds the hash to a decoded transaction. */
export function withHash(described: Omit<PoolTransaction, 'hash'>, hash: string): PoolTransaction {
  return { ...described, hash };
}

/**
 * Effective tip: the proposer's income per gas at this base fee, wei; undefined when the transaction does not pay the
 * base fee.
 */
export function effectiveTip(
  { feeCap, tipCap }: Pick<PoolTransaction, 'feeCap' | 'tipCap'>,
  baseFee: bigint,
): bigint | undefined {
  if (feeCap < baseFee) return undefined;
  const room = feeCap - baseFee;
  return tipCap < room ? tipCap : room;
}

/** Price bump: minimum increase of both prices for a replacement, per cent (geth's `--txpool.pricebump`). */
const PRICE_BUMP_PERCENT = 10n;

/**
 * True when `next` pays enough more than `old` to replace it (geth v1.17 `core/txpool/legacypool/list.go`: both caps,
 * the raised prices rounded down).
 */
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
