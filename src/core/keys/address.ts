import { utf8 } from '../bytes/bytes.js';
import { hex } from '../bytes/hex.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { KeyCrypto } from '../ports/key-crypto.js';

type Keccak = Pick<KeyCrypto, 'keccak256'>;

const ADDRESS_BYTES = 20;

/** Ethereum address of a public key point: the last 20 bytes of keccak256(x || y). */
export function ethAddressOf(crypto: Keccak, point: Uint8Array): Uint8Array {
  return crypto.keccak256(point.subarray(1)).slice(12);
}

/** Last 20 bytes, left-padded with zeros (go-ethereum v1.16 `common` BytesToAddress). */
export function lastTwentyBytes(bytes: Uint8Array): Uint8Array {
  const address = new Uint8Array(ADDRESS_BYTES);
  const last = bytes.slice(-ADDRESS_BYTES);
  address.set(last, ADDRESS_BYTES - last.length);
  return address;
}

/** Cached checksummed addresses by lower-case digits: transfers show their recipient in an event. */
const texts = new Map<string, string>();

/** Formats an address with an EIP-55 checksum. */
export function checksumAddress(crypto: Keccak, address: Uint8Array): string {
  const digits = hex(address);
  const known = texts.get(digits);
  if (known !== undefined) return known;
  const text = withChecksum(crypto, digits);
  if (texts.size >= FIXED_LIMITS.cachedAddresses) texts.clear();
  texts.set(digits, text);
  return text;
}

function withChecksum(crypto: Keccak, digits: string): string {
  const hash = hex(crypto.keccak256(utf8(digits)));
  let out = '0x';
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    out += Number.parseInt(hash.charAt(i), 16) >= 8 ? digit.toUpperCase() : digit;
  }
  return out;
}
