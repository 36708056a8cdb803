/** Parses bech32-only addresses, with Go's error texts (cosmos-sdk v0.53 `types/address.go`). */
import { utf8 } from '../../bytes/bytes.js';
import { readBech32 } from './bech32.js';
import { isBlank } from '../go/go-text.js';
import { plainError, SdkError, sdkErrors } from '../module/sdk-error.js';

const MAX_ADDRESS = 255;

export type Bech32Address =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly error: SdkError };

/**
 * Parses an address with `prefix` (AccAddressFromBech32, ValAddressFromBech32, ConsAddressFromBech32); returns an
 * error for other text.
 */
export function readBech32Address(prefix: string, text: string): Bech32Address {
  if (isBlank(text)) return { ok: false, error: plainError('empty address string is not allowed') };
  return readPrefixed(prefix, utf8(text));
}

/**
 * Parses a bech32 address; throws SDK error 7 with a text that begins with `what`. Rejects hexadecimal, which
 * `requireAddress` accepts.
 */
export function requireBech32(prefix: string, text: string, what: string): Uint8Array {
  const read = readBech32Address(prefix, text);
  if (!read.ok) throw new SdkError(sdkErrors.invalidAddress, `${what}: ${read.error.message}`);
  return read.bytes;
}

/** Parses like `readBech32Address`, from arbitrary bytes (GetFromBech32, VerifyAddressFormat). */
export function readPrefixed(prefix: string, text: Uint8Array): Bech32Address {
  const read = readBech32(text);
  if (!read.ok) return { ok: false, error: plainError(`decoding bech32 failed: ${read.problem}`) };
  const { prefix: found, bytes } = read;
  if (found !== prefix)
    return { ok: false, error: plainError(`invalid Bech32 prefix; expected ${prefix}, got ${found}`) };
  const error = lengthRefusal(bytes);
  return error === undefined ? { ok: true, bytes } : { ok: false, error };
}

/** Error for bytes that cannot be an address (VerifyAddressFormat); undefined for valid ones. */
export function lengthRefusal({ length }: Uint8Array): SdkError | undefined {
  if (length === 0) return new SdkError(sdkErrors.unknownAddress, 'addresses cannot be empty');
  if (length <= MAX_ADDRESS) return undefined;
  return new SdkError(sdkErrors.unknownAddress, `address max length is ${MAX_ADDRESS}, got ${length}`);
}
