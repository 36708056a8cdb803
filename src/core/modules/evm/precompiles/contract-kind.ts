/** The contract at an address: one that Ethereum or the parameters name, a token of a native coin, or none. */
export type ContractKind = 'static' | 'token' | undefined;
