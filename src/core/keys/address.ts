import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8, hex } from '../app/bytes.js';

/** 33-byte compressed public key of a 32-byte private key. Throws outside the curve's order. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return secp256k1.getPublicKey(privateKey, true);
}

/** Ethereum's address of a public key: the last 20 bytes of keccak256(x || y). */
export function ethAddressOf(publicKey: Uint8Array): Uint8Array {
  const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return keccak_256(uncompressed.subarray(1)).slice(12);
}

/** Hexadecimal with the upper-case digits that check it (EIP-55). */
export function checksumAddress(address: Uint8Array): string {
  const digits = hex(address);
  const hash = hex(keccak_256(utf8(digits)));
  let out = '0x';
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    out += Number.parseInt(hash.charAt(i), 16) >= 8 ? digit.toUpperCase() : digit;
  }
  return out;
}
