/** Facts about build and configuration that node-level services report. */
export interface ChainFacts {
  /** Name and version of the program, for GetNodeInfo. */
  readonly application: { readonly name: string; readonly version: string };
  /** Prefix of account addresses. */
  readonly bech32Prefix: string;
  /** Minimum gas price in the form of the SDK's option, for example `0.1achr`; empty when there is none. */
  readonly minimumGasPrice: string;
  /**
   * `pruning-keep-recent` and `pruning-interval` as in the SDK's configuration: 0 unless the strategy is `custom`.
   */
  readonly pruning: { readonly keepRecent: bigint; readonly interval: bigint };
}
