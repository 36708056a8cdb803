import { encodeAddress } from '../../sdk/codec/address.js';
import { emit } from '../../sdk/module/abci-event.js';
import { formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { getSupply, setSupply } from './balances.js';
import { lowerSupply } from './lower-supply.js';
import { addCoins, subtractCoins } from './transfer.js';

/** Mints coins to a module account with that permission. Emits coin_received and coinbase. */
export function mintCoins(context: Context, module: string, coins: readonly Coin[]): void {
  const minter = ensureModuleAccount(context, module);
  addCoins(context, minter, coins);
  for (const { denom, amount } of coins) setSupply(context, denom, getSupply(context, denom) + BigInt(amount));
  emit(context, 'coinbase', () => [
    ['minter', encodeAddress(context.chain.bech32Prefix, minter)],
    ['amount', formatCoins(coins)],
  ]);
}

/** Burns coins of a module account. Emits coin_spent and burn. */
export function burnCoins(context: Context, module: string, coins: readonly Coin[]): void {
  const burner = ensureModuleAccount(context, module);
  subtractCoins(context, burner, coins);
  for (const { denom, amount } of coins) lowerSupply(context, denom, BigInt(amount));
  emit(context, 'burn', () => [
    ['burner', encodeAddress(context.chain.bech32Prefix, burner)],
    ['amount', formatCoins(coins)],
  ]);
}
