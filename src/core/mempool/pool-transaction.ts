/** Facts of a transaction of either kind that decide its order in the pool, decoded from its bytes alone. */
export interface PoolTransaction {
  /** Uppercase hex of the consensus hash. */
  readonly hash: string;
  /** Uppercase hex of a second hash by which it is found: the Ethereum hash. */
  readonly alias?: string | undefined;
  readonly tx: Uint8Array;
  readonly gasWanted: bigint;
  /** Accounts and their nonces (sequences) that it uses, in order of signers; empty when it uses none. */
  readonly accounts: readonly AccountNonce[];
  /** Highest gas price that its sender pays, base fee included, in wei. */
  readonly feeCap: bigint;
  /** Highest gas price above the base fee. */
  readonly tipCap: bigint;
  /** Ethereum transactions may wait for a nonce and may be replaced; Cosmos transactions follow the SDK's CheckTx. */
  readonly kind: 'ethereum' | 'cosmos';
}

export interface AccountNonce {
  /** Lower-case hex of the address. */
  readonly address: string;
  readonly nonce: bigint;
}

/** True for a command of dev mode: it is a transaction that no account sends (`src/core/modules/dev/ante.ts`). */
export function isCommand({ accounts }: Pick<PoolTransaction, 'accounts'>): boolean {
  return accounts.length === 0;
}

/** A described transaction under its hash. */
export function withHash(described: Omit<PoolTransaction, 'hash'>, hash: string): PoolTransaction {
  return { ...described, hash };
}

/** The proposer's income per gas at this base fee; undefined when the transaction does not pay the base fee. */
export function effectiveTip(
  { feeCap, tipCap }: Pick<PoolTransaction, 'feeCap' | 'tipCap'>,
  baseFee: bigint,
): bigint | undefined {
  if (feeCap < baseFee) return undefined;
  const room = feeCap - baseFee;
  return tipCap < room ? tipCap : room;
}

/** Price bump: smallest rise of both prices for a replacement, per cent (geth's `--txpool.pricebump`). */
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
