/** Validates and subtracts coins like the SDK, with its panics (cosmos-sdk v0.53 `types/coin.go`). */
import { MAX_UINT256 } from '../../bigint.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { coin, formatCoins, isValidDenom } from './coins.js';
import { NIL_POINTER, RecoveredPanic } from '../module/sdk-error.js';

const INTEGER = /^-?\d+$/;

/** Amount of a coin; throws RecoveredPanic when it is absent. */
function valueOf({ amount }: Coin): bigint {
  if (!INTEGER.test(amount)) throw new RecoveredPanic(NIL_POINTER);
  return BigInt(amount);
}

/** Error of `Coins.Validate`; undefined for valid coins. */
export function coinsFault(coins: readonly Coin[]): string | undefined {
  let previous: Coin | undefined;
  for (const one of coins) {
    if (!isValidDenom(one.denom)) return `invalid denom: ${one.denom}`;
    if (previous !== undefined && one.denom < previous.denom) return `denomination ${one.denom} is not sorted`;
    if (one.denom === previous?.denom) return `duplicate denomination ${one.denom}`;
    // Only the first coin is shown completely.
    if (valueOf(one) <= 0n)
      return `coin ${previous === undefined ? formatCoins([one]) : one.denom} amount is not positive`;
    previous = one;
  }
  return undefined;
}

/**
 * Subtracts coins; undefined when a denom is short (`Coins.SafeSub`). Throws RecoveredPanic when `taken` is invalid
 * after sorting and removing zeros, when `coins` is not sorted, or when a sum exceeds 256 bits.
 */
export function safeSubtractCoins(coins: readonly Coin[], taken: readonly Coin[]): readonly Coin[] | undefined {
  const set = taken.filter((one) => valueOf(one) !== 0n).toSorted(byDenom);
  const fault = coinsFault(set);
  if (fault !== undefined) throw new RecoveredPanic(`invalid coin set ${formatCoins(set)}: ${fault}`);
  if (coins.some((one, index) => index > 0 && byDenom(coins[index - 1] ?? one, one) > 0))
    throw new RecoveredPanic('Coins (self) must be sorted');
  const sums = new Map<string, bigint>();
  const add = (denom: string, amount: bigint): void => {
    const sum = (sums.get(denom) ?? 0n) + amount;
    if (sum > MAX_UINT256 || sum < -MAX_UINT256) throw new RecoveredPanic('integer overflow');
    sums.set(denom, sum);
  };
  for (const one of coins) add(one.denom, valueOf(one));
  for (const one of set) add(one.denom, -valueOf(one));
  const left = [...sums].filter(([, sum]) => sum !== 0n);
  if (left.some(([, sum]) => sum < 0n)) return undefined;
  return left.map(([denom, sum]) => coin(denom, sum)).toSorted(byDenom);
}

const byDenom = (left: Coin, right: Coin): number => (left.denom < right.denom ? -1 : left.denom > right.denom ? 1 : 0);
