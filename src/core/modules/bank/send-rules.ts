/** Receivers that are refused, and coins that may not be sent (cosmos-sdk v0.53 `x/bank/keeper/send.go`). */
import { equal } from '../../bytes/bytes.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { moduleAddress } from '../../sdk/address.js';
import { isPrecompile } from '../../evm/precompiles.js';
import type { AppVersion } from '../../sdk/app-version.js';
import type { Context } from '../../sdk/context.js';
import { SdkError, sdkErrors } from '../../sdk/sdk-error.js';
import { getParams, getSendEnabled } from './balances.js';
import { errors } from './errors.js';

/** Fails with bank error 5 when one of the coins may not be sent. */
export function requireSendEnabled(context: Context, coins: readonly Coin[]): void {
  if (coins.length === 0) return;
  const byDefault = getParams(context).defaultSendEnabled;
  for (const { denom } of coins) {
    if (!(getSendEnabled(context, denom) ?? byDefault))
      throw new SdkError(errors.sendDisabled, `${denom} transfers are currently disabled`);
  }
}

/** True for module accounts and contracts of the chain, which users may not send to. */
export function isBlocked({ crypto, version }: Context, address: Uint8Array): boolean {
  return (
    Object.keys(version.moduleAccounts).some((module) => equal(moduleAddress(crypto, module), address)) ||
    isBlockedContract(version, address)
  );
}

/** Contracts of Ethereum are refused, too, where the chain has some of its own (cosmos/evm v0.6 `config`). */
function isBlockedContract({ precompiles, evm }: AppVersion, address: Uint8Array): boolean {
  if (precompiles.static.length === 0) return false;
  return precompiles.static.some((one) => equal(one.address, address)) || isPrecompile(evm.fork, address);
}

/** Fails with SDK error 4 for an account that may not receive coins; `name`: its address as text. */
export function requireReceiver(context: Context, address: Uint8Array, name: string): void {
  if (isBlocked(context, address))
    throw new SdkError(sdkErrors.unauthorized, `${name} is not allowed to receive funds`);
}
