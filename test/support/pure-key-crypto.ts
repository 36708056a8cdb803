import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hmac } from '@noble/hashes/hmac.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { KeyCrypto } from '../../src/core/ports/key-crypto.js';

/** Key cryptography in pure JavaScript, with which the host's native code is compared. */
export const PURE_KEY_CRYPTO: KeyCrypto = {
  keccak256: (data) => keccak_256(data),
  hmacSha512: (key, data) => hmac(sha512, key, data),
  pbkdf2Sha512: (password, salt, rounds) => pbkdf2(sha512, password, salt, { c: rounds, dkLen: 64 }),
  publicPoint: (privateKey) => secp256k1.getPublicKey(privateKey, false),
};
