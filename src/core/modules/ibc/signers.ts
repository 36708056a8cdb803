/** Validation of IBC message signers. */
import { readBech32Address } from '../../sdk/codec/bech32-address.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { requireAuthority } from '../authority.js';
import { ibcErrors } from './errors.js';

/** Requires a bech32 account address of this chain. */
export function validateSigner(signer: string, bech32Prefix: string): void {
  const read = readBech32Address(bech32Prefix, signer);
  if (!read.ok)
    throw new SdkError(ibcErrors.invalidAddress, `string could not be parsed as address: ${read.error.message}`);
}

/** Requires gov's module account as signer. */
export function requireIbcAuthority(context: Context, signer: string): void {
  requireAuthority(
    context,
    signer,
    (expected, got) => new SdkError(ibcErrors.unauthorized, `expected ${expected}, got ${got}`),
  );
}
