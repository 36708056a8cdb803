/**
 * Key prefixes of token pairs in store `erc20` (cosmos/evm v0.6 `x/erc20/types/keys.go`). Shared, because the EVM
 * also charges gas for reading them.
 */
export const STORE = 'erc20';
/** Token pairs by id. */
export const PAIR_PREFIX = Uint8Array.of(1);
/** Ids of token pairs by contract address (20 bytes). */
export const PAIR_BY_CONTRACT_PREFIX = Uint8Array.of(2);
