/** Vesting schedules as lists of periods (evmos v3.0.0 `x/vesting/types/schedule.go`). */
import { create } from '@bufbuild/protobuf';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { PeriodSchema, type Period } from '../../proto/cosmos/vesting/v1beta1/vesting_pb.js';
import { amountOf, coin, sumCoins } from '../../sdk/coins/coins.js';
import { min } from '../../bigint.js';

/** Coins at one time, in Unix seconds. */
interface Step {
  readonly at: bigint;
  readonly coins: readonly Coin[];
}

function stepsOf(start: bigint, periods: readonly Period[]): readonly Step[] {
  let at = start;
  return periods.map(({ length, amount: coins }) => ({ at: (at += length), coins }));
}

function periodsOf(start: bigint, steps: readonly Step[]): readonly Period[] {
  let before = start;
  return steps.map(({ at, coins }) => {
    const period = create(PeriodSchema, { length: at - before, amount: [...coins] });
    before = at;
    return period;
  });
}

/** Total coins of a schedule. */
export const totalOf = (periods: readonly Period[]): Coin[] => sumCoins(periods.flatMap(({ amount }) => amount));

/** End of the last period, in Unix seconds. */
export const endOf = (start: bigint, periods: readonly Period[]): bigint =>
  periods.reduce((sum, { length }) => sum + length, start);

/** Periods that have ended at a time in Unix seconds. */
export function passedPeriods(start: bigint, periods: readonly Period[], now: bigint): readonly Period[] {
  const left = stepsOf(start, periods).findIndex(({ at }) => at > now);
  return left === -1 ? periods : periods.slice(0, left);
}

/**
 * Merges two schedules into one that starts at the earlier start; coins of the same time form one period
 * (`DisjunctPeriods`).
 */
export function mergedPeriods(
  [startA, a]: readonly [start: bigint, periods: readonly Period[]],
  [startB, b]: readonly [start: bigint, periods: readonly Period[]],
): readonly Period[] {
  const merged = new Map<bigint, readonly Coin[]>();
  for (const { at, coins } of [...stepsOf(startA, a), ...stepsOf(startB, b)])
    merged.set(at, sumCoins([...(merged.get(at) ?? []), ...coins]));
  const steps = Array.from(merged, ([at, coins]) => ({ at, coins })).toSorted((x, y) => (x.at < y.at ? -1 : 1));
  return periodsOf(startA < startB ? startA : startB, steps);
}

/** Caps a schedule at `maximum` coins (`ConjunctPeriods` with one period at the start). */
export function cappedPeriods(start: bigint, periods: readonly Period[], maximum: readonly Coin[]): readonly Period[] {
  let [sum, given]: Coin[][] = [[], []];
  const steps = stepsOf(start, periods).flatMap(({ at, coins }) => {
    const after = sumCoins([...(sum ?? []), ...coins]);
    const capped = sumCoins(
      maximum.map(({ denom, amount }) => coin(denom, min(amountOf(after, denom), BigInt(amount)))),
    );
    const added = sumCoins(
      capped.map(({ denom, amount }) => coin(denom, BigInt(amount) - amountOf(given ?? [], denom))),
    );
    [sum, given] = [after, capped];
    return added.length === 0 ? [] : [{ at, coins: added }];
  });
  return periodsOf(start, steps);
}
