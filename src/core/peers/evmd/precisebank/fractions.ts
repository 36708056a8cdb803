/**
 * Parts of a coin's smallest unit that accounts own, and the part of the reserve that nobody owns (cosmos/evm v0.6
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

/** Reads the wei of an account that make no whole unit of the bank coin; 0 where there is no row. */
export const getFraction = (context: Readable, address: Uint8Array): bigint => read(context, fractionKey(address));
/** Stores the wei of an account that make no whole unit of the bank coin; 0 deletes the row. */
export const setFraction = (context: Readable, address: Uint8Array, amount: bigint): void =>
  write(context, fractionKey(address), amount);
/** Reads the wei of the reserve that belong to no account; 0 where there is no row. */
export const getRemainder = (context: Readable): bigint => read(context, REMAINDER_KEY);
/** Stores the wei of the reserve that belong to no account; 0 deletes the row. */
export const setRemainder = (context: Readable, amount: bigint): void => write(context, REMAINDER_KEY, amount);

/** Each account that owns a fraction. */
export function* fractions({ store }: Readable): Generator<{ readonly address: Uint8Array; readonly amount: bigint }> {
  for (const { key, value } of store.range(STORE, prefixRange(FRACTION_PREFIX)))
    yield { address: key.subarray(FRACTION_PREFIX.length), amount: BigInt(text(value)) };
}
