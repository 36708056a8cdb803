/** Hashes and addresses, with the functions of core. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesOfDigits, hexData } from '../../../../core/bytes/hex.js';
import { checksumAddress } from '../../../../core/keys/address.js';
import { decodeBech32, encodeAddress } from '../../../../core/sdk/codec/address.js';

/** Implementation of core's hash port. */
export const crypto = { keccak256: (bytes: Uint8Array): Uint8Array => keccak_256(bytes) };

export interface Address {
  readonly bytes: Uint8Array;
  /** Checksummed 0x address; undefined if it does not have 20 bytes. */
  readonly hex: string | undefined;
  readonly bech32: string;
}

/** Parses an address, 0x or bech32; undefined for any other text, or another chain's prefix. */
export function addressOf(text: string, prefix: string): Address | undefined {
  const bytes = /^0x[0-9a-f]{40}$/i.test(text) ? bytesOfDigits(text.slice(2)) : bech32Bytes(text, prefix);
  return bytes && spellings(bytes, prefix);
}

/** An address in both forms; module accounts of 32 bytes have only bech32. */
export function spellings(bytes: Uint8Array, prefix: string): Address {
  return {
    bytes,
    hex: bytes.length === 20 ? checksumAddress(crypto, bytes) : undefined,
    bech32: encodeAddress(prefix, bytes),
  };
}

/** Decodes bech32 with exactly this prefix; undefined for any other text. */
export function bech32Bytes(text: string, prefix: string): Uint8Array | undefined {
  const decoded = decodeBech32(text.toLowerCase());
  return decoded?.prefix === prefix && decoded.bytes.length > 0 ? decoded.bytes : undefined;
}

/** Decodes 0x hex; undefined for any other text. */
export function bytesOf(data: string): Uint8Array | undefined {
  return data.startsWith('0x') ? bytesOfDigits(data.slice(2)) : undefined;
}

export { hexData };
