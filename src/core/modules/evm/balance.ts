/** Balances as the EVM sees them, in wei: what bank says may be spent, and the fraction that precisebank keeps. */
import type { Context } from '../../sdk/module/context.js';
import { getAccount, type Account } from '../auth/accounts.js';
import { getBalance, setBalance } from '../bank/balances.js';
import { lockedOf, spendableOf } from '../bank/spendable.js';
import { getFraction, setFraction } from '../precisebank/fractions.js';
import { spendableWei } from '../precisebank/move.js';
import { evmCoin } from '../../sdk/coins/evm-coin.js';

/** Spendable wei of an account that was read before. */
export function spendableBalanceOf(context: Context, account: Account | undefined, address: Uint8Array): bigint {
  const coin = evmCoin(context);
  return coin.unit === 1n ? spendableOf(context, account, address, coin.denom) : spendableWei(context, coin, address);
}

export function spendableBalance(context: Context, address: Uint8Array): bigint {
  return spendableBalanceOf(context, getAccount(context, address), address);
}

/** Writes spendable wei without events, for the checks of waiting transactions. */
export function keepSpendableBalance(
  context: Context,
  account: Account | undefined,
  address: Uint8Array,
  wei: bigint,
): void {
  const { denom, unit } = evmCoin(context);
  setBalance(context, address, denom, wei / unit + lockedOf(context, account, denom));
  if (unit !== 1n) setFraction(context, address, wei % unit);
}

/** Gives wei to an account without events, for the same checks. */
export function addBalance(context: Context, address: Uint8Array, wei: bigint): void {
  const { denom, unit } = evmCoin(context);
  const sum = getBalance(context, address, denom) * unit + (unit === 1n ? 0n : getFraction(context, address)) + wei;
  setBalance(context, address, denom, sum / unit);
  if (unit !== 1n) setFraction(context, address, sum % unit);
}
