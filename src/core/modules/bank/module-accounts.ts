/** Transfers between accounts and module accounts (cosmos-sdk v0.53 `x/bank/keeper/keeper.go`). */
import { equal } from '../../bytes/bytes.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { encodeAddress, moduleAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { requireReceiver } from './send-rules.js';
import { sendCoins } from './transfer.js';

/** Sends coins to a module account, which is created on first use. */
export function sendToModule(context: Context, from: Uint8Array, module: string, coins: readonly Coin[]): void {
  sendCoins(context, from, ensureModuleAccount(context, module), coins);
}

/** Sends coins from a module account; SDK error 4 for a blocked receiver. */
export function sendFromModule(context: Context, module: string, to: Uint8Array, coins: readonly Coin[]): void {
  requireReceiver(context, to, encodeAddress(context.chain.bech32Prefix, to));
  sendCoins(context, moduleAddress(context.crypto, module), to, coins);
}

/** True for a module account of the application version. */
export function isModuleAccount(
  { version, crypto }: Pick<Context, 'version' | 'crypto'>,
  address: Uint8Array,
): boolean {
  return Object.keys(version.moduleAccounts).some((module) => equal(moduleAddress(crypto, module), address));
}
