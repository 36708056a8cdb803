/**
 * Coins with 18 decimals, sorted by denom, without zero amounts (cosmos-sdk v0.53 `types/dec_coin.go`). Rewards are
 * counted in them.
 */
import { invariant } from '../../errors.js';
import type { Coin, DecCoin as DecCoinMessage } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { coin } from './coins.js';
import { DEC_ONE, formatDec, mulDec, mulDecTruncate, quoDecTruncate, truncateDec } from './dec.js';

export interface DecCoin {
  readonly denom: string;
  /** With 18 decimals. */
  readonly amount: bigint;
}

export type DecCoins = readonly DecCoin[];

/** Valid coins as decimal ones. */
export function decCoinsOf(coins: readonly Coin[]): DecCoins {
  return coins.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) * DEC_ONE }));
}

/** Adds two sorted lists; denoms with a sum of 0 are left out. */
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
  if (indexA < a.length) sum.push(...a.slice(indexA));
  if (indexB < b.length) sum.push(...b.slice(indexB));
  return withoutZeros(sum);
}

/** The difference, or undefined when one denom has less in `a` than in `b` (`DecCoins.SafeSub`). */
export function safeSubtractDecCoins(a: DecCoins, b: DecCoins): DecCoins | undefined {
  const difference = addDecCoins(
    a,
    b.map(({ denom, amount }) => ({ denom, amount: -amount })),
  );
  return difference.some(({ amount }) => amount < 0n) ? undefined : difference;
}

/** The difference; `b` must hold no more than `a`. */
export function subtractDecCoins(a: DecCoins, b: DecCoins): DecCoins {
  const difference = safeSubtractDecCoins(a, b);
  invariant(difference !== undefined, 'a negative amount of coins');
  return difference;
}

/** The lesser amount of both for each denom of `a`. */
export function intersectDecCoins(a: DecCoins, b: DecCoins): DecCoins {
  return withoutZeros(
    a.map(({ denom, amount }) => {
      const other = b.find((one) => one.denom === denom)?.amount ?? 0n;
      return { denom, amount: other < amount ? other : amount };
    }),
  );
}

/** Products with a decimal, rounded half to even. */
export function mulDecCoins(coins: DecCoins, factor: bigint): DecCoins {
  return withoutZeros(coins.map(({ denom, amount }) => ({ denom, amount: mulDec(amount, factor) })));
}

/** Products with a decimal, cut towards zero. */
export function mulDecCoinsTruncate(coins: DecCoins, factor: bigint): DecCoins {
  return withoutZeros(coins.map(({ denom, amount }) => ({ denom, amount: mulDecTruncate(amount, factor) })));
}

/** Quotients by a decimal, cut towards zero. */
export function quoDecCoinsTruncate(coins: DecCoins, divisor: bigint): DecCoins {
  return withoutZeros(coins.map(({ denom, amount }) => ({ denom, amount: quoDecTruncate(amount, divisor) })));
}

/** Whole coins and what is left of them. */
export function truncateDecCoins(coins: DecCoins): { readonly whole: readonly Coin[]; readonly rest: DecCoins } {
  return {
    whole: coins.map(({ denom, amount }) => coin(denom, truncateDec(amount))).filter(({ amount }) => amount !== '0'),
    rest: withoutZeros(coins.map(({ denom, amount }) => ({ denom, amount: amount % DEC_ONE }))),
  };
}

/** `1.500000000000000000atest`, with commas between coins. */
export function formatDecCoins(coins: DecCoins): string {
  return coins.map(({ denom, amount }) => `${formatDec(amount)}${denom}`).join(',');
}

/** Coins as messages hold them: amounts are integers as text. */
export function decCoinMessages(coins: DecCoins): DecCoinMessage[] {
  return coins.map(({ denom, amount }) => ({
    $typeName: 'cosmos.base.v1beta1.DecCoin',
    denom,
    amount: amount.toString(),
  }));
}

/** Coins of messages, whose amounts must be integers as text. */
export function decCoinsOfMessages(coins: readonly DecCoinMessage[]): DecCoins {
  return coins.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }));
}

const isZero = ({ amount }: DecCoin): boolean => amount === 0n;

/** The coins themselves where none is zero, as nearly always. */
function withoutZeros(coins: DecCoins): DecCoins {
  return coins.some(isZero) ? coins.filter((one) => !isZero(one)) : coins;
}
