/**
 * Rows of fractions of coins in store `precisebank` (cosmos/evm v0.6 `x/precisebank/types/keys.go`), of which the EVM
 * charges reads too.
 */
import { concat } from '../../bytes/bytes.js';

export const STORE = 'precisebank';
export const FRACTION_PREFIX = Uint8Array.of(1);

/** Key of the fraction of an account (20 bytes). */
export const fractionKey = (address: Uint8Array): Uint8Array => concat(FRACTION_PREFIX, address);
