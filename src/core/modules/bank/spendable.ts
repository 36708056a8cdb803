/** Spendable coins: the balance without locked coins (cosmos-sdk v0.53 `x/bank/keeper/view.go`). */
import type { Context } from '../../sdk/module/context.js';
import { getAccount, type Account } from '../auth/accounts.js';
import { lockedAmount } from '../auth/vesting/schedule.js';
import { getBalance } from './balances.js';

/** Spendable part of a balance; 0 when more is locked than the account has. */
export function spendableOf(
  context: Context,
  account: Account | undefined,
  address: Uint8Array,
  denom: string,
): bigint {
  const spendable = getBalance(context, address, denom) - lockedOf(context, account, denom);
  return spendable > 0n ? spendable : 0n;
}

/** Locked amount of a denom; 0 for accounts that do not vest. */
export function lockedOf({ time }: Context, account: Account | undefined, denom: string): bigint {
  return account?.kind === 'vesting' ? lockedAmount(account, denom, time) : 0n;
}

/** Reads the spendable balance of a denom in base units; reads the account too, for its locked coins. */
export function getSpendable(context: Context, address: Uint8Array, denom: string): bigint {
  return spendableOf(context, getAccount(context, address), address, denom);
}
