import { MAX_UINT256 } from '../../bigint.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';

const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;
const AMOUNT = /^[0-9]{1,78}$/;

/** True for denoms that the SDK accepts. */
export function isValidDenom(denom: string): boolean {
  if (denom === lastDenom) return true;
  if (!DENOM.test(denom)) return false;
  lastDenom = denom;
  return true;
}

/** Last valid denom: nearly all coins of a chain have the same. */
let lastDenom = '';

/** A number with at most this many digits is below 2^256. */
const EXACT_DIGITS = 77;

/** True for a positive amount below 2^256; short amounts need no bigint. */
function isPositiveAmount(amount: string): boolean {
  if (amount.length > EXACT_DIGITS) {
    const value = parseAmount(amount);
    return value !== undefined && value > 0n;
  }
  let isPositive = false;
  for (let at = 0; at < amount.length; at += 1) {
    const code = amount.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return false;
    if (code !== 0x30) isPositive = true;
  }
  return isPositive;
}

/** Parses a coin's amount in base units; undefined unless it is a non-negative integer below 2^256. */
export function parseAmount(amount: string): bigint | undefined {
  if (!AMOUNT.test(amount)) return undefined;
  const value = BigInt(amount);
  return value <= MAX_UINT256 ? value : undefined;
}

/** Creates a coin message; `amount` is in base units of the denom. */
export function coin(denom: string, amount: bigint): Coin {
  return { $typeName: 'cosmos.base.v1beta1.Coin', denom, amount: amount.toString() };
}

/** Formats coins as `100aevmos,5ibc/ABC`, like logs and events. */
export function formatCoins(coins: readonly { readonly denom: string; readonly amount: string }[]): string {
  const [one] = coins;
  return coins.length === 1 && one !== undefined ? formatCoin(one) : coins.map(formatCoin).join(',');
}

function formatCoin({ denom, amount }: { readonly denom: string; readonly amount: string }): string {
  return `${amount === '' ? '<nil>' : amount}${denom}`;
}

/** SDK `Coins.IsValid`: positive amounts, valid denoms, sorted without duplicates; the empty list is valid. */
export function areValidCoins(coins: readonly Coin[]): boolean {
  let previous: Coin | undefined;
  for (const one of coins) {
    const { denom, amount } = one;
    if (!isValidDenom(denom) || (previous !== undefined && previous.denom >= denom)) return false;
    if (!isPositiveAmount(amount)) return false;
    previous = one;
  }
  return true;
}

/** Sums coins by denom; sorts by denom and drops zero amounts. */
export function sumCoins(coins: Iterable<{ readonly denom: string; readonly amount: string }>): Coin[] {
  const sums = new Map<string, bigint>();
  for (const { denom, amount } of coins) sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount));
  return [...sums]
    .filter(([, amount]) => amount !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([denom, amount]) => coin(denom, amount));
}

/**
 * SDK `Coins.IsAllGTE`: each denom of `least` has at least that amount in `coins`. Empty `coins` fail unless `least`
 * is empty.
 */
export function isAllGte(coins: readonly Coin[], least: readonly Coin[]): boolean {
  if (least.length > 0 && coins.length === 0) return false;
  return least.every(({ denom, amount }) => amountOf(coins, denom) >= BigInt(amount));
}

/** Amount of a denom in valid coins; zero when absent. */
export function amountOf(coins: readonly Coin[], denom: string): bigint {
  return BigInt(coins.find((one) => one.denom === denom)?.amount ?? '0');
}

/**
 * Finds a denom by binary search like the SDK, which may miss it in an unsorted list (cosmos-sdk v0.53
 * `types/coin.go` Find).
 */
export function findByBinarySearch(coins: readonly Coin[], denom: string): Coin | undefined {
  let [from, to] = [0, coins.length];
  while (from < to) {
    const middle = from + ((to - from) >> 1);
    const found = coins[middle];
    if (found === undefined || found.denom === denom) return found;
    if (denom < found.denom) to = middle;
    else from = middle + 1;
  }
  return undefined;
}
