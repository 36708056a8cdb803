/**
 * Fractional balances of accounts, and the remainder of the reserve that belongs to no account (cosmos/evm v0.6
 * `x/precisebank/keeper/fractional_balance.go`, `remainder_amount.go`).
 */
import { text, utf8 } from '../../../bytes/bytes.js';
import { prefixRange } from '../../../bytes/key-order.js';
import type { Context } from '../../../sdk/module/context.js';
import { FRACTION_PREFIX, fractionKey, STORE } from '../../../sdk/module/fraction-keys.js';

const REMAINDER_KEY = Uint8Array.of(2);

type Readable = Pick<Context, 'store'>;

function read({ store }: Readable, key: Uint8Array): bigint {
  const value = store.get(STORE, key);
  return value === undefined ? 0n : BigInt(text(value));
}

function write({ store }: Readable, key: Uint8Array, amount: bigint): void {
  if (amount === 0n) store.delete(STORE, key);
  else store.set(STORE, key, utf8(amount.toString()));
}

/** Reads the fractional balance of an account in wei; 0 without a row. */
export const getFraction = (context: Readable, address: Uint8Array): bigint => read(context, fractionKey(address));
/** Stores the fractional balance of an account in wei; 0 deletes the row. */
export const setFraction = (context: Readable, address: Uint8Array, amount: bigint): void =>
  write(context, fractionKey(address), amount);
/** Reads the remainder in wei; 0 without a row. */
export const getRemainder = (context: Readable): bigint => read(context, REMAINDER_KEY);
/** Stores the remainder in wei; 0 deletes the row. */
export const setRemainder = (context: Readable, amount: bigint): void => write(context, REMAINDER_KEY, amount);

/** Iterates over all fractional balances. */
export function* fractions({ store }: Readable): Generator<{ readonly address: Uint8Array; readonly amount: bigint }> {
  for (const { key, value } of store.range(STORE, prefixRange(FRACTION_PREFIX)))
    yield { address: key.subarray(FRACTION_PREFIX.length), amount: BigInt(text(value)) };
}
