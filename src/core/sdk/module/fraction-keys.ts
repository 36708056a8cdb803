/**
 * Keys of fractional balances in store `precisebank` (cosmos/evm v0.6 `x/precisebank/types/keys.go`). Shared, because
 * the EVM also charges gas for reading them.
 */
import { concat } from '../../bytes/bytes.js';

export const STORE = 'precisebank';
export const FRACTION_PREFIX = Uint8Array.of(1);

/** Key of an account's fractional balance (address of 20 bytes). */
export const fractionKey = (address: Uint8Array): Uint8Array => concat(FRACTION_PREFIX, address);
