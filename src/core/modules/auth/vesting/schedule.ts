/** Vested and locked coins of vesting accounts (cosmos-sdk v0.53 `x/auth/vesting/types/vesting_account.go`). */
import { NS_PER_SECOND, type TimeNs } from '../../../primitives.js';
import { amountOf } from '../../../sdk/coins/coins.js';
import { DEC_ONE, mulDec, quoDec, roundDec } from '../../../sdk/coins/dec.js';
import type { Period } from '../../../proto/cosmos/vesting/v1beta1/vesting_pb.js';
import type { VestingAccount } from './account.js';

/** Unix seconds of a time, rounded down. */
export function unixSeconds(time: TimeNs): bigint {
  const seconds = time / NS_PER_SECOND;
  return time % NS_PER_SECOND < 0n ? seconds - 1n : seconds;
}

/** Amount of a denom that has vested at a time. */
function vestedAmount(account: VestingAccount, denom: string, time: TimeNs): bigint {
  const { schedule, originalVesting, end } = account;
  const now = unixSeconds(time);
  const original = amountOf(originalVesting, denom);
  switch (schedule.kind) {
    case 'permanent':
      return 0n;
    case 'delayed':
      return now >= end ? original : 0n;
    case 'continuous': {
      if (now <= schedule.start) return 0n;
      if (now >= end) return original;
      const share = quoDec((now - schedule.start) * DEC_ONE, (end - schedule.start) * DEC_ONE);
      return roundDec(mulDec(original * DEC_ONE, share));
    }
    case 'periodic': {
      if (now <= schedule.start) return 0n;
      if (now >= end) return original;
      return passedAmount(schedule.start, schedule.periods, denom, now);
    }
    case 'clawback': {
      const [unlocked, vested] = [schedule.lockup, schedule.vesting].map((periods) =>
        stepAmount(account, periods, denom, time),
      );
      return (unlocked ?? 0n) < (vested ?? 0n) ? (unlocked ?? 0n) : (vested ?? 0n);
    }
  }
}

/** Sum of the periods that have passed. */
function passedAmount(start: bigint, periods: readonly Period[], denom: string, now: bigint): bigint {
  let passed = 0n;
  let begun = start;
  for (const { length, amount } of periods) {
    if (now - begun < length) break;
    passed += amountOf(amount, denom);
    begun += length;
  }
  return passed;
}

/**
 * Vested or unlocked amount of a clawback account at a time, by one of its two lists of periods: nothing at the
 * start, everything at the end (evmos v3.0.0 `x/vesting/types/schedule.go` ReadSchedule).
 */
export function stepAmount(
  { schedule, end, originalVesting }: VestingAccount,
  periods: readonly Period[],
  denom: string,
  time: TimeNs,
): bigint {
  const start = schedule.kind === 'clawback' ? unixSeconds(schedule.startTime) : 0n;
  const now = unixSeconds(time);
  if (now <= start) return 0n;
  return now >= end ? amountOf(originalVesting, denom) : passedAmount(start, periods, denom, now);
}

/** Unvested amount, which the funder of a clawback account may take back; 0 for other accounts. */
export function unvestedAmount(account: VestingAccount, denom: string, time: TimeNs): bigint {
  const { schedule, originalVesting } = account;
  if (schedule.kind !== 'clawback') return 0n;
  return amountOf(originalVesting, denom) - stepAmount(account, schedule.vesting, denom, time);
}

/** Amount of a denom that has not vested at a time. */
export function vestingAmount(account: VestingAccount, denom: string, time: TimeNs): bigint {
  return amountOf(account.originalVesting, denom) - vestedAmount(account, denom, time);
}

/**
 * Amount that the account may not spend: unvested and not delegated (`LockedCoins`). Coins that a funder may claw
 * back always stay in the account.
 */
export function lockedAmount(account: VestingAccount, denom: string, time: TimeNs): bigint {
  const locked = vestingAmount(account, denom, time) - amountOf(account.delegatedVesting, denom);
  const unvested = unvestedAmount(account, denom, time);
  return locked > unvested ? locked : unvested;
}
