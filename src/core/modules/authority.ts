import { encodeAddress, moduleAddress, parseAddress } from '../sdk/codec/address.js';
import { equal } from '../bytes/bytes.js';
import { readBech32Address } from '../sdk/codec/bech32-address.js';
import type { Context } from '../sdk/module/context.js';
import { plainError, SdkError, type RegisteredError, wrapped } from '../sdk/module/sdk-error.js';

export const INVALID_SIGNER: RegisteredError = {
  codespace: 'gov',
  code: 13,
  text: 'expected gov account as only signer for proposal message',
};

/** Account that governs parameters: gov's module address. */
export function governance(context: Context): Uint8Array {
  return moduleAddress(context.crypto, 'gov');
}

/** Throws `error` unless `authority` is gov's module address or `other`, an authority from the genesis. */
export function requireAuthority(
  context: Context,
  authority: string,
  error: (expected: string, got: string) => SdkError,
  other?: Uint8Array,
): void {
  const address = parseAddress(context.chain.bech32Prefix, authority);
  const accepted = other === undefined ? [governance(context)] : [governance(context), other];
  if (address !== undefined && accepted.some((one) => equal(one, address))) return;
  throw error(encodeAddress(context.chain.bech32Prefix, governance(context)), authority);
}

/** Requires gov's module address; throws with the text of the SDK's modules. */
export function requireGovernance(context: Context, authority: string): void {
  requireAuthority(
    context,
    authority,
    (expected, got) => new SdkError(INVALID_SIGNER, `invalid authority; expected ${expected}, got ${got}`),
  );
}

/** Requires gov's module address and then parameters without a `problem`, which is the text of the error. */
export function requireUpdate(context: Context, authority: string, problem: string | undefined): void {
  requireGovernance(context, authority);
  if (problem !== undefined) throw plainError(problem);
}

/**
 * Requires a bech32 account address, like `ValidateBasic` of cosmos/evm's messages; the error text begins with
 * `what`.
 */
export function validateAccount(account: string, bech32Prefix: string, what: string): void {
  const address = readBech32Address(bech32Prefix, account);
  if (!address.ok) throw wrapped(address.error, what);
}
