/**
 * Moves coins for delegation and back. Locked coins may be delegated, which vesting accounts track (cosmos-sdk v0.53
 * `x/bank/keeper/keeper.go` DelegateCoinsFromAccountToModule, UndelegateCoinsFromModuleToAccount).
 */
import { encodeAddress } from '../../sdk/codec/address.js';
import { emit } from '../../sdk/module/abci-event.js';
import { coin, formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { requireValidCoins } from '../../sdk/coins/require-coins.js';
import { SdkError, sdkErrors, type RegisteredError } from '../../sdk/module/sdk-error.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ensureModuleAccount, getAccount, requireAccount, setAccount } from '../auth/accounts.js';
import type { TimeNs } from '../../primitives.js';
import { unmetered } from '../../sdk/module/gas.js';
import type { VestingAccount } from '../auth/vesting/account.js';
import { trackDelegation, trackUndelegation } from '../auth/vesting/delegation.js';
import { unvestedAmount } from '../auth/vesting/schedule.js';
import { getBalance, setBalance } from './balances.js';
import { addCoins, subtractCoins } from './transfer.js';

/** Moves an account's coins to a module's delegation pool; SDK error 5 when it has too few. */
export function delegateCoins(context: Context, from: Uint8Array, module: string, coins: readonly Coin[]): void {
  const pool = ensureModuleAccount(context, module);
  getAccount(context, pool);
  requireValidCoins(coins);
  const before = getAccount({ ...context, store: unmetered(context.store) }, from);
  for (const { denom, amount } of coins) {
    const balance = getBalance(context, from, denom);
    if (before?.kind === 'vesting') requireVested(before, { denom, amount, balance }, context.time);
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

/** Errors of clawback accounts (evmos v3.0.0 `x/vesting/types/errors.go`, `app/ante/cosmos/vesting.go`). */
const clawbackErrors = {
  notVested: { codespace: 'vesting', code: 2, text: 'insufficient vested coins error' },
} as const satisfies Record<string, RegisteredError>;

/**
 * Rejects a delegation of unvested coins by a clawback account. evmos checks each delegation alone; here all count
 * together, so that unvested coins stay in the account.
 */
function requireVested(
  account: VestingAccount,
  { denom, amount, balance }: { readonly denom: string; readonly amount: string; readonly balance: bigint },
  time: TimeNs,
): void {
  const unvested = unvestedAmount(account, denom, time);
  if (unvested === 0n || balance - BigInt(amount) >= unvested) return;
  const free = balance > unvested ? balance - unvested : 0n;
  throw new SdkError(
    clawbackErrors.notVested,
    free === 0n
      ? 'account has no vested coins'
      : `cannot delegate unvested coins. coins vested < delegation amount (${free} < ${amount})`,
  );
}

/** Returns delegated coins from the module's pool to the account. */
export function undelegateCoins(context: Context, module: string, to: Uint8Array, coins: readonly Coin[]): void {
  const pool = ensureModuleAccount(context, module);
  getAccount(context, pool);
  requireValidCoins(coins);
  subtractCoins(context, pool, coins);
  const delegator = requireAccount(context, to);
  if (delegator.kind === 'vesting') setAccount(context, to, trackUndelegation(delegator, coins));
  addCoins(context, to, coins);
}
