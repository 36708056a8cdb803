/**
 * Tracks delegated coins of vesting accounts: unvested coins are delegated first and returned last (cosmos-sdk v0.53
 * `x/auth/vesting/types/vesting_account.go` TrackDelegation and TrackUndelegation).
 */
import type { TimeNs } from '../../../primitives.js';
import type { Coin } from '../../../proto/cosmos/base/v1beta1/coin_pb.js';
import { amountOf, coin, sumCoins } from '../../../sdk/coins/coins.js';
import type { VestingAccount } from './account.js';
import { vestingAmount } from './schedule.js';
import { min } from '../../../bigint.js';

/** Returns the account after a delegation of `coins`. */
export function trackDelegation(account: VestingAccount, coins: readonly Coin[], time: TimeNs): VestingAccount {
  return coins.reduce((before, { denom, amount }) => {
    const delegated = BigInt(amount);
    const notYet = vestingAmount(before, denom, time) - amountOf(before.delegatedVesting, denom);
    const vesting = min(notYet > 0n ? notYet : 0n, delegated);
    return changed(before, denom, { vesting, free: delegated - vesting });
  }, account);
}

/** Returns the account after an undelegation of `coins`; an excess over what it delegated is ignored. */
export function trackUndelegation(account: VestingAccount, coins: readonly Coin[]): VestingAccount {
  return coins.reduce((before, { denom, amount }) => {
    const returned = BigInt(amount);
    const free = min(amountOf(before.delegatedFree, denom), returned);
    const vesting = min(amountOf(before.delegatedVesting, denom), returned - free);
    return changed(before, denom, { vesting: -vesting, free: -free });
  }, account);
}

function changed(
  account: VestingAccount,
  denom: string,
  by: { readonly vesting: bigint; readonly free: bigint },
): VestingAccount {
  return {
    ...account,
    delegatedVesting: sumCoins([...account.delegatedVesting, coin(denom, by.vesting)]),
    delegatedFree: sumCoins([...account.delegatedFree, coin(denom, by.free)]),
  };
}
