/** The coins that a vesting account may spend (cosmos-sdk v0.53 `x/auth/vesting/types/vesting_account.go`). */
import { NS_PER_SECOND, type TimeNs } from '../../../primitives.js';
import { amountOf } from '../../../sdk/coins/coins.js';
import { DEC_ONE, mulDec, quoDec, roundDec } from '../../../sdk/coins/dec.js';
import type { Period } from '../../../proto/cosmos/vesting/v1beta1/vesting_pb.js';
import type { VestingAccount } from './account.js';

/** Unix seconds of a time, also before 1970. */
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

/** Amount of the periods that have passed. */
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
 * Amount of one of the two schedules of an account with clawback at a time: nothing at the start, all at the end
 * (evmos v3.0.0 `x/vesting/types/schedule.go` ReadSchedule).
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

/** Amount of a denom that the funder of an account with clawback may take back; 0 for other accounts. */
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
 * Amount of a denom that the account may not spend: what has not vested and is not delegated (`LockedCoins`). What a
 * funder may take back stays in the account in any case.
 */
export function lockedAmount(account: VestingAccount, denom: string, time: TimeNs): bigint {
  const locked = vestingAmount(account, denom, time) - amountOf(account.delegatedVesting, denom);
  const unvested = unvestedAmount(account, denom, time);
  return locked > unvested ? locked : unvested;
}
