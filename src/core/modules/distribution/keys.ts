/** Keys of store `distribution` (cosmos-sdk v0.53 `x/distribution/types/keys.go`). */
import { addressKey, addressPairKey } from '../../bytes/address-key.js';
import { be64, le64, readBe64 } from '../../bytes/big-endian.js';
import { concat } from '../../bytes/bytes.js';

export const STORE = 'distribution';
/** Module account that holds all rewards. */
export const DISTRIBUTION = 'distribution';

export const FEE_POOL_KEY = Uint8Array.of(0);
export const PROPOSER_KEY = Uint8Array.of(1);
export const OUTSTANDING_PREFIX = Uint8Array.of(2);
export const WITHDRAW_ADDRESS_PREFIX = Uint8Array.of(3);
export const STARTING_INFO_PREFIX = Uint8Array.of(4);
export const HISTORICAL_PREFIX = Uint8Array.of(5);
export const CURRENT_PREFIX = Uint8Array.of(6);
export const COMMISSION_PREFIX = Uint8Array.of(7);
export const SLASH_EVENT_PREFIX = Uint8Array.of(8);
export const PARAMS_KEY = Uint8Array.of(9);

/** Address in a key that contains nothing else. */
export const addressOf = (key: Uint8Array): Uint8Array => key.subarray(2);
/** First address of a key, and the bytes after it. */
export function splitAddress(key: Uint8Array): { readonly address: Uint8Array; readonly rest: Uint8Array } {
  const end = 2 + (key[1] ?? 0);
  return { address: key.subarray(2, end), rest: key.subarray(end) };
}

/** Key of a delegation's starting info. */
export const startingInfoKey = (operator: Uint8Array, delegator: Uint8Array): Uint8Array =>
  addressPairKey(STARTING_INFO_PREFIX, operator, delegator);

/** Key of historical rewards; the period is the only little-endian number in this store. */
export function historicalKey(operator: Uint8Array, period: bigint): Uint8Array {
  return addressKey(HISTORICAL_PREFIX, operator, le64(period));
}

/** Period in a key of historical rewards. */
export const periodOf = (key: Uint8Array): bigint => readBe64(key.slice(-8).reverse());

/** Prefix of a validator's slash events at a height. */
export const slashEventsAt = (operator: Uint8Array, height: bigint): Uint8Array =>
  addressKey(SLASH_EVENT_PREFIX, operator, be64(height));
/** Key of the slash event that ended a period. */
export const slashEventKey = (operator: Uint8Array, height: bigint, period: bigint): Uint8Array =>
  concat(slashEventsAt(operator, height), be64(period));
