import { bytesOfDigits } from '../bytes/hex.js';
import type { KeyCrypto } from '../ports/key-crypto.js';
import { decodeBech32 } from '../sdk/codec/address.js';
import { checksumAddress } from './address.js';

const BECH32 = /^([a-z0-9]{1,83})1[02-9ac-hj-np-z]{38,}$/;
const DIGITS = /^(?:0x)?([0-9a-fA-F]{40})$/i;

/** True for text that looks like a bech32 address, with or without a valid checksum. */
export function hasBech32Form(text: string): boolean {
  return BECH32.test(text);
}

/**
 * Describes the typing error in text that looks like an address (0x and hexadecimal digits, or bech32). Undefined for
 * a valid address and for other text, such as a key name. With `prefix`, bech32 must be an account address of the
 * chain. Digits of one case have no checksum (EIP-55). JSON-RPC ignores the checksum like geth (go-ethereum v1.17
 * `common/types.go` UnmarshalJSON of Address) and does not use this.
 */
export function addressTypo(crypto: Pick<KeyCrypto, 'keccak256'>, text: string, prefix?: string): string | undefined {
  if (hasBech32Form(text)) return bech32Slip(text, prefix);
  const digits = DIGITS.exec(text)?.[1];
  if (digits !== undefined) return hasWrongCase(crypto, digits) ? 'its checksum (EIP-55) does not match' : undefined;
  return /^0x/i.test(text) ? `expected 0x and 40 hexadecimal digits${countText(text.slice(2))}` : undefined;
}

function bech32Slip(text: string, prefix: string | undefined): string | undefined {
  const decoded = decodeBech32(text);
  if (decoded === undefined) return 'its checksum is wrong';
  if (prefix === undefined || decoded.prefix === prefix) return undefined;
  return `it begins with ${decoded.prefix}1, and accounts of this chain with ${prefix}1`;
}

function hasWrongCase(crypto: Pick<KeyCrypto, 'keccak256'>, digits: string): boolean {
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return false;
  return checksumAddress(crypto, bytesOfDigits(digits) ?? new Uint8Array(20)).slice(2) !== digits;
}

/** Formats the number of digits for an error; empty for text with other characters. */
function countText(digits: string): string {
  return /^[0-9a-fA-F]+$/.test(digits) ? `, found ${digits.length}` : '';
}
