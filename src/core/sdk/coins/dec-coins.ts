/**
 * DecCoins: coins with 18 decimals, sorted by denom, without zero amounts (cosmos-sdk v0.53 `types/dec_coin.go`).
 * Rewards use them.
 */
import { invariant } from '../../errors.js';
import type { Coin, DecCoin as DecCoinMessage } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { coin } from './coins.js';
import { DEC_ONE, formatDec, mulDec, mulDecTruncate, quoDecTruncate, truncateDec } from './dec.js';

export interface DecCoin {
  readonly denom: string;
  /** Amount in units of 10^-18. */
  readonly amount: bigint;
}

export type DecCoins = readonly DecCoin[];

/** Converts valid coins to DecCoins. */
export function decCoinsOf(coins: readonly Coin[]): DecCoins {
  return coins.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) * DEC_ONE }));
}

/** Adds two sorted lists; drops denoms whose sum is 0. */
export function addDecCoins(a: DecCoins, b: DecCoins): DecCoins {
  if (a.length === 0) return withoutZeros(b);
  if (b.length === 0) return withoutZeros(a);
  const sum: DecCoin[] = [];
  let [indexA, indexB] = [0, 0];
  for (;;) {
    const [coinA, coinB] = [a[indexA], b[indexB]];
    if (coinA === undefined || coinB === undefined) break;
    if (coinA.denom === coinB.denom) sum.push({ denom: coinA.denom, amount: coinA.amount + coinB.amount });
    else sum.push(coinA.denom < coinB.denom ? coinA : coinB);
    if (coinA.denom <= coinB.denom) indexA += 1;
    if (coinB.denom <= coinA.denom) indexB += 1;
  }
  return withoutZeros([...sum, ...a.slice(indexA), ...b.slice(indexB)]);
}

/** Subtracts `b` from `a`; undefined when a denom of `a` is short (`DecCoins.SafeSub`). */
export function safeSubtractDecCoins(a: DecCoins, b: DecCoins): DecCoins | undefined {
  const difference = addDecCoins(
    a,
    b.map(({ denom, amount }) => ({ denom, amount: -amount })),
  );
  return difference.some(({ amount }) => amount < 0n) ? undefined : difference;
}

/** Subtracts `b` from `a`; `b` must not exceed `a`. */
export function subtractDecCoins(a: DecCoins, b: DecCoins): DecCoins {
  const difference = safeSubtractDecCoins(a, b);
  invariant(difference !== undefined, 'a negative amount of coins');
  return difference;
}

/** Minimum of both amounts for each denom of `a`. */
export function intersectDecCoins(a: DecCoins, b: DecCoins): DecCoins {
  return withoutZeros(
    a.map(({ denom, amount }) => {
      const other = b.find((one) => one.denom === denom)?.amount ?? 0n;
      return { denom, amount: other < amount ? other : amount };
    }),
  );
}

/** Multiplies by a decimal; rounds half to even. */
export function mulDecCoins(coins: DecCoins, factor: bigint): DecCoins {
  return withoutZeros(coins.map(({ denom, amount }) => ({ denom, amount: mulDec(amount, factor) })));
}

/** Multiplies by a decimal; truncates toward zero. */
export function mulDecCoinsTruncate(coins: DecCoins, factor: bigint): DecCoins {
  return withoutZeros(coins.map(({ denom, amount }) => ({ denom, amount: mulDecTruncate(amount, factor) })));
}

/** Divides by a decimal; truncates toward zero. */
export function quoDecCoinsTruncate(coins: DecCoins, divisor: bigint): DecCoins {
  return withoutZeros(coins.map(({ denom, amount }) => ({ denom, amount: quoDecTruncate(amount, divisor) })));
}

/** Splits into whole coins and the fractional rest. */
export function truncateDecCoins(coins: DecCoins): { readonly whole: readonly Coin[]; readonly rest: DecCoins } {
  return {
    whole: coins.map(({ denom, amount }) => coin(denom, truncateDec(amount))).filter(({ amount }) => amount !== '0'),
    rest: withoutZeros(coins.map(({ denom, amount }) => ({ denom, amount: amount % DEC_ONE }))),
  };
}

/** Formats DecCoins as `1.500000000000000000atest`, separated by commas. */
export function formatDecCoins(coins: DecCoins): string {
  return coins.map(({ denom, amount }) => `${formatDec(amount)}${denom}`).join(',');
}

/** Converts to messages, whose amounts are integer strings. */
export function decCoinMessages(coins: DecCoins): DecCoinMessage[] {
  return coins.map(({ denom, amount }) => ({
    $typeName: 'cosmos.base.v1beta1.DecCoin',
    denom,
    amount: amount.toString(),
  }));
}

/** Converts from messages; amounts must be integer strings. */
export function decCoinsOfMessages(coins: readonly DecCoinMessage[]): DecCoins {
  return coins.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }));
}

const isZero = ({ amount }: DecCoin): boolean => amount === 0n;

/** Drops zero amounts; returns the same list when there are none, which is the usual case. */
function withoutZeros(coins: DecCoins): DecCoins {
  return coins.some(isZero) ? coins.filter((one) => !isZero(one)) : coins;
}
