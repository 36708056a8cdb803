/** Signers of IBC's messages. */
import { addressRefusal, parseAddress } from '../../sdk/address.js';
import type { Context } from '../../sdk/context.js';
import { SdkError } from '../../sdk/sdk-error.js';
import { requireAuthority } from '../authority.js';
import { ibcErrors } from './errors.js';

/** Fails unless a text is an account of this chain. */
export function validateSigner(signer: string, bech32Prefix: string): void {
  if (parseAddress(bech32Prefix, signer) === undefined)
    throw new SdkError(
      ibcErrors.invalidAddress,
      `string could not be parsed as address: ${addressRefusal(bech32Prefix, signer).message}`,
    );
}

/** Fails unless a message is signed by gov's module account. */
export function requireIbcAuthority(context: Context, signer: string): void {
  requireAuthority(
    context,
    signer,
    (expected, got) => new SdkError(ibcErrors.unauthorized, `expected ${expected}, got ${got}`),
  );
}
