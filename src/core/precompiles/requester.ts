import { equal } from '../bytes/bytes.js';
import { encodeAddress } from '../sdk/address.js';
import type { Context } from '../sdk/context.js';
import { plainError } from '../sdk/sdk-error.js';
import type { ContractCall } from '../sdk/stateful-precompile.js';
import { checksumAddress } from '../keys/address.js';

/** What an argument names, as texts of refusals say it. */
export type Named = 'delegator' | 'validator' | 'voter' | 'depositor' | 'proposer';

/** Refuses the zero address (cosmos/evm v0.6 `precompiles/common/errors.go`). */
export function requireAddressGiven(context: Context, address: Uint8Array, named: Named): void {
  if (isZero(address)) throw plainError(`invalid ${named} address: ${checksumAddress(context.crypto, address)}`);
}

function isZero(address: Uint8Array): boolean {
  for (let at = 0; at < address.length; at += 1) if (address[at] !== 0) return false;
  return true;
}

/** Refuses a message for another account than the caller's. */
export function requireCaller(context: Context, { caller }: ContractCall, requester: Uint8Array): void {
  if (equal(caller, requester)) return;
  const [sender, other] = [caller, requester].map((one) => checksumAddress(context.crypto, one));
  throw plainError(`msg.sender address ${sender} does not match the requester address ${other}`);
}

/** The bech32 text of an account. */
export const accountName = ({ chain }: Context, address: Uint8Array): string =>
  encodeAddress(chain.bech32Prefix, address);

/** The bech32 text of an operator. */
export const operatorName = ({ chain }: Context, address: Uint8Array): string =>
  encodeAddress(`${chain.bech32Prefix}valoper`, address);
