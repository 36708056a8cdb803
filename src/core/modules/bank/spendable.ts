/** Coins that an account may spend: all but those that are locked (cosmos-sdk v0.53 `x/bank/keeper/view.go`). */
import type { Context } from '../../sdk/module/context.js';
import { getAccount, type Account } from '../auth/accounts.js';
import { lockedAmount } from '../auth/vesting/schedule.js';
import { getBalance } from './balances.js';

/** Balance of an account, which was read before, without what is locked; 0 when more is locked than it holds. */
export function spendableOf(
  context: Context,
  account: Account | undefined,
  address: Uint8Array,
  denom: string,
): bigint {
  const spendable = getBalance(context, address, denom) - lockedOf(context, account, denom);
  return spendable > 0n ? spendable : 0n;
}

/** Amount of a denom that an account may not spend; 0 for accounts that do not vest. */
export function lockedOf({ time }: Context, account: Account | undefined, denom: string): bigint {
  return account?.kind === 'vesting' ? lockedAmount(account, denom, time) : 0n;
}

/** Reads the spendable balance of one denom in base units; reads the account for its locked coins. */
export function getSpendable(context: Context, address: Uint8Array, denom: string): bigint {
  return spendableOf(context, getAccount(context, address), address, denom);
}
