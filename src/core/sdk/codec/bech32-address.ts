/** Addresses that can only be bech32, and refusals in Go's words (cosmos-sdk v0.53 `types/address.go`). */
import { utf8 } from '../../bytes/bytes.js';
import { readBech32 } from './bech32.js';
import { isBlank } from '../go/go-text.js';
import { plainError, SdkError, sdkErrors } from '../module/sdk-error.js';

const MAX_ADDRESS = 255;

export type Bech32Address =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly error: SdkError };

/** An address with `prefix` (AccAddressFromBech32, ValAddressFromBech32, ConsAddressFromBech32), or what is wrong. */
export function readBech32Address(prefix: string, text: string): Bech32Address {
  if (isBlank(text)) return { ok: false, error: plainError('empty address string is not allowed') };
  return readPrefixed(prefix, utf8(text));
}

/**
 * Reads as `readBech32Address` does; fails after `what` with SDK error 7, also for hexadecimal, which `requireAddress`
 * takes.
 */
export function requireBech32(prefix: string, text: string, what: string): Uint8Array {
  const read = readBech32Address(prefix, text);
  if (!read.ok) throw new SdkError(sdkErrors.invalidAddress, `${what}: ${read.error.message}`);
  return read.bytes;
}

/** Reads as `readBech32Address` does, of any bytes (GetFromBech32, VerifyAddressFormat). */
export function readPrefixed(prefix: string, text: Uint8Array): Bech32Address {
  const read = readBech32(text);
  if (!read.ok) return { ok: false, error: plainError(`decoding bech32 failed: ${read.problem}`) };
  const { prefix: found, bytes } = read;
  if (found !== prefix)
    return { ok: false, error: plainError(`invalid Bech32 prefix; expected ${prefix}, got ${found}`) };
  const error = lengthRefusal(bytes);
  return error === undefined ? { ok: true, bytes } : { ok: false, error };
}

/** Gives the reason why bytes are no address (VerifyAddressFormat); undefined when they are one. */
export function lengthRefusal({ length }: Uint8Array): SdkError | undefined {
  if (length === 0) return new SdkError(sdkErrors.unknownAddress, 'addresses cannot be empty');
  if (length <= MAX_ADDRESS) return undefined;
  return new SdkError(sdkErrors.unknownAddress, `address max length is ${MAX_ADDRESS}, got ${length}`);
}
