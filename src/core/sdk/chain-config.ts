/** Facts of one chain that no module's genesis holds, resolved once and recorded in the first log event (design section 2). */
export interface ChainConfig {
  readonly chainId: string;
  /** EIP-155 chain id. */
  readonly evmChainId: bigint;
  readonly bech32Prefix: string;
  readonly baseDenom: string;
  /** Smallest gas price in `baseDenom` that mempool admission accepts; 0 accepts every fee (SDK `minimum-gas-prices`). */
  readonly minGasPrice: bigint;
}
