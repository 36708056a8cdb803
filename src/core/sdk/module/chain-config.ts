/**
 * Facts of one chain that no module's genesis contains, resolved once and recorded in the first log event
 * (`ChainStarted` in `src/core/log-events.ts`).
 */
export interface ChainConfig {
  readonly chainId: string;
  /** EIP-155 chain id. */
  readonly evmChainId: bigint;
  readonly bech32Prefix: string;
  readonly baseDenom: string;
  /** The denom of wei where the base denom has fewer than 18 decimals; undefined: the base denom. */
  readonly weiDenom?: string;
  /** Wei in one of the base denom, where that has fewer than 18 decimals; undefined: one. */
  readonly weiPerCoin?: bigint;
  /**
   * Smallest gas price in `baseDenom` that mempool admission accepts; 0 accepts every fee (SDK `minimum-gas-prices`).
   */
  readonly minGasPrice: bigint;
  /** Blocks from one check of all invariants to the next; 0, as undefined, checks none. */
  readonly invariantPeriod?: bigint;
  /** Transactions in the genesis; undefined without any. */
  readonly genesisTransactions?: {
    readonly initialHeight: bigint;
    /** Sum of their gas limits; 0 where base fees are off in the genesis. */
    readonly gasWanted: bigint;
  };
  /**
   * Tokens of coins that the genesis has the chain answer for, by address: of the EVM's own coin, and of others. No
   * message and no block changes them. undefined: the state of erc20 says.
   */
  readonly tokens?: { readonly native: readonly string[]; readonly dynamic: readonly string[] };
  /** Names of the sections in the genesis: a chain begins with the upgrades whose modules they name. */
  readonly genesisModules?: readonly string[];
}
