import { bech32 } from '@scure/base';
import type { Crypto } from '../../ports/crypto.js';
import { equal, utf8 } from '../../bytes/bytes.js';
import { lengthRefusal } from './bech32-address.js';
import { isBlank } from '../go/go-text.js';
import { SdkError, sdkErrors } from '../module/sdk-error.js';
import { FIXED_LIMITS } from '../../limits/limits.js';

const MAX_BECH32_LENGTH = 1023;

interface Known {
  readonly address: Uint8Array;
  readonly text: string;
}

/**
 * Cached bech32 texts by prefix (an operator shares the bytes of its account), then by the last four bytes of the
 * address; the complete address is compared on a hit.
 */
const texts = new Map<string, Map<number, Known>>();

/** Encodes an account address in bech32 with the chain's prefix. */
export function encodeAddress(prefix: string, address: Uint8Array): string {
  const key = lastBytes(address);
  const ofPrefix = texts.get(prefix);
  const known = ofPrefix?.get(key);
  if (known !== undefined && equal(known.address, address)) return known.text;
  const text = bech32.encode(prefix, bech32.toWords(address), false);
  // No account has such an address.
  if (lengthRefusal(address) !== undefined) return text;
  const kept = { address: address.slice(), text };
  if (ofPrefix === undefined) {
    if (texts.size >= FIXED_LIMITS.cachedAddressPrefixes) texts.clear();
    texts.set(prefix, new Map([[key, kept]]));
    return text;
  }
  if (ofPrefix.size >= FIXED_LIMITS.cachedAddresses) ofPrefix.clear();
  ofPrefix.set(key, kept);
  return text;
}

function lastBytes(address: Uint8Array): number {
  let key = 0;
  for (let at = Math.max(0, address.length - 4); at < address.length; at += 1) key = (key << 8) | (address[at] ?? 0);
  return key;
}

/** Splits bech32 text into prefix and bytes; undefined when it is invalid. */
export function decodeBech32(value: string): { readonly prefix: string; readonly bytes: Uint8Array } | undefined {
  const at = value.lastIndexOf('1');
  if (at < 1) return undefined;
  const decoded = bech32.decodeUnsafe(value, MAX_BECH32_LENGTH);
  if (decoded === undefined) return undefined;
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  return bytes === undefined ? undefined : { prefix: decoded.prefix, bytes: Uint8Array.from(bytes) };
}

const parsed = new Map<string, NonNullable<ReturnType<typeof decodeBech32>>>();

/** Parses an address: bech32 with the chain's prefix, or 20 bytes in hexadecimal; undefined for other text. */
export function parseAddress(prefix: string, value: string): Uint8Array | undefined {
  const known = parsed.get(value);
  if (known?.prefix === prefix) return known.bytes;
  if (/^(0x|0X)?[0-9a-fA-F]{40}$/.test(value)) {
    const digits = value.slice(-40);
    return Uint8Array.from({ length: 20 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
  }
  const decoded = decodeBech32(value);
  if (decoded?.prefix !== prefix || lengthRefusal(decoded.bytes) !== undefined) return undefined;
  if (parsed.size >= FIXED_LIMITS.cachedAddresses) parsed.clear();
  parsed.set(value, decoded);
  return decoded.bytes;
}

/**
 * Parses an address; throws the SDK's error for a malformed one. The error text begins with `what` (for example
 * `invalid to address`).
 */
export function requireAddress(prefix: string, value: string, what: string): Uint8Array {
  const address = parseAddress(prefix, value);
  if (address === undefined)
    throw new SdkError(sdkErrors.invalidAddress, `${what}: ${addressRefusal(prefix, value).message}`);
  return address;
}

/** The Go node's error for a malformed address (cosmos/evm v0.6 `encoding/address`). */
export function addressRefusal(prefix: string, value: string): SdkError {
  if (isBlank(value)) return new SdkError(sdkErrors.invalidAddress, 'empty address string is not allowed');
  const decoded = decodeBech32(value);
  const other = decoded?.prefix;
  if (other !== undefined && other !== prefix)
    return new SdkError(sdkErrors.logic, `hrp does not match bech32 prefix: expected '${prefix}' got '${other}'`);
  const refusal = decoded && lengthRefusal(decoded.bytes);
  return refusal ?? new SdkError(sdkErrors.unknownAddress, `unknown address format: ${value}`);
}

const moduleAddresses = new Map<string, Uint8Array>();

/** Address of a module account: the first 20 bytes of sha256(name) (SDK `address.Module` without derivation keys). */
export function moduleAddress(crypto: Crypto, name: string): Uint8Array {
  const known = moduleAddresses.get(name);
  if (known !== undefined) return known;
  const address = crypto.sha256(utf8(name)).slice(0, 20);
  if (moduleAddresses.size < FIXED_LIMITS.cachedModuleAddresses) moduleAddresses.set(name, address);
  return address;
}
