/** Keys of the transfer store (ibc-go v10 `modules/apps/transfer/types/keys.go`). */
import { concat, utf8 } from '../../bytes/bytes.js';

export const STORE = 'transfer';
/** The only channel version. */
export const VERSION = 'ics20-1';
export const PORT_KEY = Uint8Array.of(1);
export const PARAMS_KEY = utf8('params');
/** Key prefix of denoms. */
export const DENOM_PREFIX = Uint8Array.of(3);

/** Key of a denom by the hash of its path. */
export function denomKey(hash: Uint8Array): Uint8Array {
  return concat(DENOM_PREFIX, hash);
}

/** Key of a denom's total escrow. */
export function totalEscrowKey(denom: string): Uint8Array {
  return utf8(`totalEscrowForDenom/${denom}`);
}
