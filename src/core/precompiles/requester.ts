import { equal } from '../bytes/bytes.js';
import { encodeAddress } from '../sdk/codec/address.js';
import { readBech32Address } from '../sdk/codec/bech32-address.js';
import type { Context } from '../sdk/module/context.js';
import { plainError } from '../sdk/module/sdk-error.js';
import type { ContractCall } from '../sdk/module/stateful-precompile.js';
import { checksumAddress, lastTwentyBytes } from '../keys/address.js';
import { padded } from './abi/words.js';

/** Role of an address argument, as it appears in error texts. */
export type Named = 'delegator' | 'validator' | 'voter' | 'depositor' | 'proposer';

/** Rejects the zero address (cosmos/evm v0.6 `precompiles/common/errors.go`). */
export function requireAddressGiven(context: Context, address: Uint8Array, named: Named): void {
  if (isZero(address)) throw plainError(`invalid ${named} address: ${checksumAddress(context.crypto, address)}`);
}

/** True for the zero address. */
export function isZero(address: Uint8Array): boolean {
  for (let at = 0; at < address.length; at += 1) if (address[at] !== 0) return false;
  return true;
}

/** Rejects a message on behalf of an account other than the caller. */
export function requireCaller(context: Context, { caller }: ContractCall, requester: Uint8Array): void {
  if (equal(caller, requester)) return;
  const [sender, other] = [caller, requester].map((one) => checksumAddress(context.crypto, one));
  throw plainError(`msg.sender address ${sender} does not match the requester address ${other}`);
}

/** Bech32 address of an account. */
export const accountName = ({ chain }: Context, address: Uint8Array): string =>
  encodeAddress(chain.bech32Prefix, address);

/** Bech32 operator address of a validator. */
export const operatorName = ({ chain }: Context, address: Uint8Array): string =>
  encodeAddress(`${chain.bech32Prefix}valoper`, address);

/**
 * Decodes an operator address argument: bech32 only. The error does not name the role (cosmos-sdk v0.53
 * `types/address.go` ValAddressFromBech32).
 */
export function requireOperatorName({ chain }: Context, name: string): Uint8Array {
  const read = readBech32Address(`${chain.bech32Prefix}valoper`, name);
  if (!read.ok) throw read.error;
  return read.bytes;
}

/** Topic of an operator address in an event. */
export const operatorTopic = (context: Context, name: string): Uint8Array =>
  padded(lastTwentyBytes(requireOperatorName(context, name)));
