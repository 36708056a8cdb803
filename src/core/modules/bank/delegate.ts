/**
 * Coins that an account delegates, and that return to it. Locked coins may be delegated, and vesting accounts keep
 * account of them (cosmos-sdk v0.53 `x/bank/keeper/keeper.go` DelegateCoinsFromAccountToModule,
 * UndelegateCoinsFromModuleToAccount).
 */
import { encodeAddress } from '../../sdk/codec/address.js';
import { emit } from '../../sdk/module/abci-event.js';
import { coin, formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { requireValidCoins } from '../../sdk/coins/require-coins.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ensureModuleAccount, getAccount, requireAccount, setAccount } from '../auth/accounts.js';
import { trackDelegation, trackUndelegation } from '../auth/vesting/delegation.js';
import { getBalance, setBalance } from './balances.js';
import { addCoins, subtractCoins } from './transfer.js';

/** Moves coins of an account to a module that holds delegated ones; SDK error 5 when it has less. */
export function delegateCoins(context: Context, from: Uint8Array, module: string, coins: readonly Coin[]): void {
  const pool = ensureModuleAccount(context, module);
  getAccount(context, pool);
  requireValidCoins(coins);
  for (const { denom, amount } of coins) {
    const balance = getBalance(context, from, denom);
    if (balance < BigInt(amount)) {
      throw new SdkError(
        sdkErrors.insufficientFunds,
        `failed to delegate; ${formatCoins([coin(denom, balance)])} is smaller than ${formatCoins(coins)}`,
      );
    }
    setBalance(context, from, denom, balance - BigInt(amount));
  }
  const delegator = requireAccount(context, from);
  if (delegator.kind === 'vesting') setAccount(context, from, trackDelegation(delegator, coins, context.time));
  emit(context, 'coin_spent', () => [
    ['spender', encodeAddress(context.chain.bech32Prefix, from)],
    ['amount', formatCoins(coins)],
  ]);
  addCoins(context, pool, coins);
}

/** Returns delegated coins from the module that holds them. */
export function undelegateCoins(context: Context, module: string, to: Uint8Array, coins: readonly Coin[]): void {
  const pool = ensureModuleAccount(context, module);
  getAccount(context, pool);
  requireValidCoins(coins);
  subtractCoins(context, pool, coins);
  const delegator = requireAccount(context, to);
  if (delegator.kind === 'vesting') setAccount(context, to, trackUndelegation(delegator, coins));
  addCoins(context, to, coins);
}
