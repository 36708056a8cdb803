/**
 * Prefixes of the rows of token pairs in store `erc20` (cosmos/evm v0.6 `x/erc20/types/keys.go`), of which the EVM
 * charges reads too.
 */
export const STORE = 'erc20';
/** A pair, by its id. */
export const PAIR_PREFIX = Uint8Array.of(1);
/** The id of a pair, by the 20 bytes of its contract. */
export const PAIR_BY_CONTRACT_PREFIX = Uint8Array.of(2);
