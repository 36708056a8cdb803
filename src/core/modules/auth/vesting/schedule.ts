/** The coins that a vesting account may spend (cosmos-sdk v0.53 `x/auth/vesting/types/vesting_account.go`). */
import type { TimeNs } from '../../../primitives.js';
import { amountOf } from '../../../sdk/coins/coins.js';
import { DEC_ONE, mulDec, quoDec, roundDec } from '../../../sdk/coins/dec.js';
import type { VestingAccount } from './account.js';

const NANOSECONDS = 1_000_000_000n;

/** Unix seconds of a time, also before 1970. */
export function unixSeconds(time: TimeNs): bigint {
  const seconds = time / NANOSECONDS;
  return time % NANOSECONDS < 0n ? seconds - 1n : seconds;
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
      let vested = 0n;
      let begun = schedule.start;
      for (const { length, amount } of schedule.periods) {
        if (now - begun < length) break;
        vested += amountOf(amount, denom);
        begun += length;
      }
      return vested;
    }
  }
}

/** Amount of a denom that has not vested at a time. */
export function vestingAmount(account: VestingAccount, denom: string, time: TimeNs): bigint {
  return amountOf(account.originalVesting, denom) - vestedAmount(account, denom, time);
}

/** Amount of a denom that the account may not spend: what has not vested and is not delegated (`LockedCoins`). */
export function lockedAmount(account: VestingAccount, denom: string, time: TimeNs): bigint {
  const locked = vestingAmount(account, denom, time) - amountOf(account.delegatedVesting, denom);
  return locked > 0n ? locked : 0n;
}
