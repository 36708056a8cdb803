/** Blocked receivers, and denoms with disabled transfers (cosmos-sdk v0.53 `x/bank/keeper/send.go`). */
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import { isPrecompile } from '../../evm/precompiles.js';
import type { AppVersion } from '../../sdk/module/app-version.js';
import type { Context } from '../../sdk/module/context.js';
import { keyName } from '../../state/key-name.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { getParams, getSendEnabled } from './balances.js';
import { errors } from './errors.js';

/** Throws bank error 5 when transfers of one of the denoms are disabled. */
export function requireSendEnabled(context: Context, coins: readonly Coin[]): void {
  if (coins.length === 0) return;
  const byDefault = getParams(context).defaultSendEnabled;
  for (const { denom } of coins) {
    if (!(getSendEnabled(context, denom) ?? byDefault))
      throw new SdkError(errors.sendDisabled, `${denom} transfers are currently disabled`);
  }
}

/** True for module accounts and precompiles, to which users may not send. */
export function isBlocked(context: Context, address: Uint8Array): boolean {
  const { precompiles, evm } = versionOf(context);
  if (blockedOf(context).has(keyName(address))) return true;
  // Ethereum's precompiles are blocked too when the chain has static precompiles (cosmos/evm v0.6 `config`).
  return precompiles.static.length > 0 && isPrecompile(evm.fork, address);
}

/** Blocked addresses of each application version: module accounts and static precompiles. */
const blocked = new WeakMap<AppVersion, ReadonlySet<string>>();

function blockedOf(context: Context): ReadonlySet<string> {
  const { crypto } = context;
  const version = versionOf(context);
  const known = blocked.get(version);
  if (known !== undefined) return known;
  const modules = Object.keys(version.moduleAccounts).map((module) => moduleAddress(crypto, module));
  const contracts = version.precompiles.static.map(({ address }) => address);
  const names = new Set([...modules, ...contracts].map(keyName));
  blocked.set(version, names);
  return names;
}

/** Throws SDK error 4 for an account that may not receive coins; `name` is its address as text. */
export function requireReceiver(context: Context, address: Uint8Array, name: string): void {
  if (isBlocked(context, address))
    throw new SdkError(sdkErrors.unauthorized, `${name} is not allowed to receive funds`);
}
