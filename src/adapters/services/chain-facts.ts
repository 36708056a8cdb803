/** What the node-level services say about the build and the chain, and no query of the chain can tell. */
export interface ChainFacts {
  /** Name and version of the program, for GetNodeInfo. */
  readonly application: { readonly name: string; readonly version: string };
  /** Prefix of account addresses. */
  readonly bech32Prefix: string;
  /** Minimum gas price as the SDK's option writes it, for example `0.1achr`; empty for none. */
  readonly minimumGasPrice: string;
}
