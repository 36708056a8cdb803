/** Hashes and addresses, by the node's own rules. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesOfDigits, hexData } from '../../../../core/bytes/hex.js';
import { checksumAddress } from '../../../../core/keys/address.js';
import { decodeBech32, encodeAddress } from '../../../../core/sdk/codec/address.js';

/** The port of hashes that the parts of core take. */
export const crypto = { keccak256: (bytes: Uint8Array): Uint8Array => keccak_256(bytes) };

export interface Address {
  readonly bytes: Uint8Array;
  /** With its checksum; undefined for an address that is not of 20 bytes. */
  readonly hex: string | undefined;
  readonly bech32: string;
}

/** The account of a text in either spelling; undefined for a text that names none of this chain. */
export function addressOf(text: string, prefix: string): Address | undefined {
  const bytes = /^0x[0-9a-f]{40}$/i.test(text) ? bytesOfDigits(text.slice(2)) : bech32Bytes(text, prefix);
  return bytes && spellings(bytes, prefix);
}

/** Both spellings of an address; module accounts of 32 bytes have bech32 alone. */
export function spellings(bytes: Uint8Array, prefix: string): Address {
  return {
    bytes,
    hex: bytes.length === 20 ? checksumAddress(crypto, bytes) : undefined,
    bech32: encodeAddress(prefix, bytes),
  };
}

/** Bytes of a bech32 text with exactly this prefix; undefined for any other text. */
export function bech32Bytes(text: string, prefix: string): Uint8Array | undefined {
  const decoded = decodeBech32(text.toLowerCase());
  return decoded?.prefix === prefix && decoded.bytes.length > 0 ? decoded.bytes : undefined;
}

/** Bytes of `0x` and an even number of digits; undefined for any other text. */
export function bytesOf(data: string): Uint8Array | undefined {
  return data.startsWith('0x') ? bytesOfDigits(data.slice(2)) : undefined;
}

export { hexData };
