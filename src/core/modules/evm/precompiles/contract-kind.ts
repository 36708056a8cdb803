/** Kind of precompile at an address: static (Ethereum's or listed in the parameters), token, or none. */
export type ContractKind = 'static' | 'token' | undefined;
