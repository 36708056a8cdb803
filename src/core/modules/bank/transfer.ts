import { encodeAddress } from '../../sdk/address.js';
import { emit } from '../../sdk/abci-event.js';
import { areValidCoins, formatCoins } from '../../sdk/coins.js';
import type { Context } from '../../sdk/context.js';
import { SdkError, sdkErrors } from '../../sdk/sdk-error.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ensureAccount, getAccount } from '../auth/accounts.js';
import { getBalance, setBalance } from './balances.js';

/** Takes coins from an account; SDK error 5 when one denom is short. Emits coin_spent. */
export function subtractCoins(context: Context, from: Uint8Array, coins: readonly Coin[]): void {
  requireValid(coins);
  // The SDK looks here for vesting locks: the read costs gas also for accounts without them.
  getAccount(context, from);
  for (const { denom, amount } of coins) {
    const balance = getBalance(context, from, denom);
    const needed = BigInt(amount);
    if (balance < needed) {
      throw new SdkError(
        sdkErrors.insufficientFunds,
        `spendable balance ${balance}${denom} is smaller than ${amount}${denom}`,
      );
    }
    setBalance(context, from, denom, balance - needed);
  }
  emit(context, 'coin_spent', () => [
    ['spender', encodeAddress(context.chain.bech32Prefix, from)],
    ['amount', formatCoins(coins)],
  ]);
}

/** Gives coins to an account. Emits coin_received. */
export function addCoins(context: Context, to: Uint8Array, coins: readonly Coin[]): void {
  requireValid(coins);
  for (const { denom, amount } of coins)
    setBalance(context, to, denom, getBalance(context, to, denom) + BigInt(amount));
  emit(context, 'coin_received', () => [
    ['receiver', encodeAddress(context.chain.bech32Prefix, to)],
    ['amount', formatCoins(coins)],
  ]);
}

/** Moves coins; creates the receiver's account on its first receipt. Events and accesses as SDK 0.53 `SendCoins`. */
export function sendCoins(context: Context, from: Uint8Array, to: Uint8Array, coins: readonly Coin[]): void {
  subtractCoins(context, from, coins);
  addCoins(context, to, coins);
  ensureAccount(context, to);
  const sender = encodeAddress(context.chain.bech32Prefix, from);
  emitTransfer(context, to, sender, coins);
  emit(context, 'message', () => [['sender', sender]]);
}

/** Emits `transfer`; `sender`: bech32 text. */
export function emitTransfer(context: Context, to: Uint8Array, sender: string, coins: readonly Coin[]): void {
  emit(context, 'transfer', () => [
    ['recipient', encodeAddress(context.chain.bech32Prefix, to)],
    ['sender', sender],
    ['amount', formatCoins(coins)],
  ]);
}

function requireValid(coins: readonly Coin[]): void {
  if (!areValidCoins(coins)) throw new SdkError(sdkErrors.invalidCoins, formatCoins(coins));
}
