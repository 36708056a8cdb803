/**
 * Exactly what a vesting account may spend, and which delegated coins count as vesting (cosmos-sdk v0.53
 * `x/auth/vesting/types/vesting_account.go`).
 */
import { describe, expect, it } from 'vitest';
import { trackDelegation, trackUndelegation } from '../../../../src/core/modules/auth/vesting/delegation.js';
import type { Schedule, VestingAccount } from '../../../../src/core/modules/auth/vesting/account.js';
import { lockedAmount, unixSeconds } from '../../../../src/core/modules/auth/vesting/schedule.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { BaseAccountSchema } from '../../../../src/core/proto/cosmos/auth/v1beta1/auth_pb.js';
import { coin } from '../../../../src/core/sdk/coins/coins.js';
import { create } from '@bufbuild/protobuf';

const SECOND = 1_000_000_000n;
const at = (seconds: bigint, nanoseconds = 0n) => toTimeNs(seconds * SECOND + nanoseconds);
const achr = (amount: bigint) => [coin('achr', amount)];

function vests(schedule: Schedule, amount: bigint, end: bigint): VestingAccount {
  const base = create(BaseAccountSchema);
  return {
    kind: 'vesting',
    base,
    schedule,
    originalVesting: achr(amount),
    delegatedFree: [],
    delegatedVesting: [],
    end,
  };
}
/** Vests from second 100 to second 100 + `length`. */
const linear = (amount: bigint, length: bigint): VestingAccount =>
  vests({ kind: 'continuous', start: 100n }, amount, 100n + length);
const locked = (account: VestingAccount, time: ReturnType<typeof at>): bigint => lockedAmount(account, 'achr', time);

describe('coins that vest linearly', () => {
  it('are rounded half to even', () => {
    // vested of 1, 3, 5 and 7 at half of the time: 0.5, 1.5, 2.5, 3.5
    expect([1n, 3n, 5n, 7n].map((amount) => amount - locked(linear(amount, 2n), at(101n)))).toEqual([0n, 2n, 2n, 4n]);
  });

  it('vest by a share of the time that is first rounded to 18 decimals', () => {
    // 10^18 thirds: 0.333333333333333333 and 0.666666666666666667
    const whole = linear(3n * 10n ** 18n, 3n);
    expect([1n, 2n].map((seconds) => 3n * 10n ** 18n - locked(whole, at(100n + seconds)))).toEqual([
      999_999_999_999_999_999n,
      2_000_000_000_000_000_001n,
    ]);
  });

  it('vest by whole seconds, none at the start and all at the end', () => {
    const account = linear(1000n, 10n);
    expect([at(99n), at(100n), at(100n, SECOND - 1n)].map((time) => locked(account, time))).toEqual([
      1000n,
      1000n,
      1000n,
    ]);
    expect([at(101n), at(101n, SECOND - 1n), at(109n, SECOND - 1n)].map((time) => locked(account, time))).toEqual([
      900n,
      900n,
      100n,
    ]);
    expect([at(110n), at(111n)].map((time) => locked(account, time))).toEqual([0n, 0n]);
    // before 1970, too, a second begins at its whole number
    expect([unixSeconds(at(-1n, -1n)), unixSeconds(at(-1n)), unixSeconds(at(0n, -1n))]).toEqual([-2n, -1n, -1n]);
  });
});

describe('coins that do not vest linearly', () => {
  it('vest at the second of the end time, or never', () => {
    const account = vests({ kind: 'delayed' }, 10n, 110n);
    expect([at(109n, SECOND - 1n), at(110n)].map((time) => locked(account, time))).toEqual([10n, 0n]);
    const forever = vests({ kind: 'permanent' }, 10n, 0n);
    expect(locked(forever, at(10n ** 9n))).toBe(10n);
  });

  it('vest at the end of each period, none at the start', () => {
    const periods = [
      { length: 5n, amount: 1n },
      { length: 0n, amount: 2n },
      { length: 5n, amount: 4n },
    ].map(({ length, amount }) => ({
      $typeName: 'cosmos.vesting.v1beta1.Period' as const,
      length,
      amount: achr(amount),
    }));
    const account = vests({ kind: 'periodic', start: 100n, periods }, 7n, 110n);
    const vested = [100n, 104n, 105n, 109n, 110n].map((second) => 7n - locked(account, at(second)));
    expect(vested).toEqual([0n, 0n, 3n, 3n, 7n]);
  });
});

describe('locked coins', () => {
  it('are the vesting coins that are not delegated, and never negative', () => {
    const account = linear(1000n, 10n);
    const delegated = trackDelegation(account, achr(600n), at(100n));
    expect(delegated).toMatchObject({ delegatedVesting: achr(600n), delegatedFree: [] });
    expect(locked(delegated, at(100n))).toBe(400n);
    // 600 are still vesting, and 600 are delegated
    expect(locked(delegated, at(104n))).toBe(0n);
    expect(locked(delegated, at(105n))).toBe(0n);
  });

  it('are delegated before free coins', () => {
    const account = trackDelegation(linear(1000n, 10n), achr(300n), at(104n));
    // 600 are still vesting at second 104
    expect(trackDelegation(account, achr(500n), at(104n))).toMatchObject({
      delegatedVesting: achr(600n),
      delegatedFree: achr(200n),
    });
    // 200 are still vesting at second 108, and those are delegated already
    expect(trackDelegation(account, achr(500n), at(108n))).toMatchObject({
      delegatedVesting: achr(300n),
      delegatedFree: achr(500n),
    });
  });

  it('are undelegated after free coins, and an excess changes nothing', () => {
    const account = trackDelegation(linear(1000n, 10n), achr(800n), at(104n));
    expect(trackUndelegation(account, achr(300n))).toMatchObject({
      delegatedVesting: achr(500n),
      delegatedFree: [],
    });
    expect(trackUndelegation(account, achr(900n))).toMatchObject({ delegatedVesting: [], delegatedFree: [] });
  });

  it('are 0 for another denom', () => {
    expect(lockedAmount(linear(1000n, 10n), 'other', at(100n))).toBe(0n);
  });
});
