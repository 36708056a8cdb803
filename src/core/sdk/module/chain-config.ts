/**
 * Facts of a chain that are in no module's genesis section; resolved once and recorded in the first log event
 * (`ChainStarted` in `src/core/log-events.ts`).
 */
export interface ChainConfig {
  readonly chainId: string;
  /** EIP-155 chain id. */
  readonly evmChainId: bigint;
  readonly bech32Prefix: string;
  readonly baseDenom: string;
  /** Denom of wei when the base denom has fewer than 18 decimals; undefined: the base denom. */
  readonly weiDenom?: string;
  /** Wei per unit of the base denom when it has fewer than 18 decimals; undefined: one. */
  readonly weiPerCoin?: bigint;
  /**
   * Lowest gas price in `baseDenom` that mempool admission accepts; 0 accepts every fee (SDK `minimum-gas-prices`).
   */
  readonly minGasPrice: bigint;
  /** Number of blocks between checks of all invariants; 0 or undefined: never. */
  readonly invariantPeriod?: bigint;
  /** Genesis transactions; undefined without any. */
  readonly genesisTransactions?: {
    readonly initialHeight: bigint;
    /** Sum of their gas limits; 0 when the genesis disables base fees. */
    readonly gasWanted: bigint;
  };
  /**
   * Genesis addresses of ERC-20 precompiles: of the native coin, and of other coins. They never change. Undefined:
   * the state of erc20 contains them.
   */
  readonly tokens?: { readonly native: readonly string[]; readonly dynamic: readonly string[] };
  /** Names of the genesis sections: a chain starts with those upgrades whose modules have sections. */
  readonly genesisModules?: readonly string[];
}
