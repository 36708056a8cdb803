import { createPublicKey, hash, verify } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { createKeccak } from 'hash-wasm';
import type { Crypto } from '../../core/ports/crypto.js';
import { nativeSecp256k1, recoverSecp256k1 } from './native-secp256k1.js';

/**
 * The host's cryptography: node:crypto for sha256 and ed25519, native secp256k1 for ECDSA, hash-wasm for keccak; 11, 23
 * and 6 times as fast as pure JavaScript.
 */
export async function createHostCrypto(): Promise<Crypto> {
  const keccak = await createKeccak(256);
  // One instance is reused; calls never nest because they are synchronous.
  const keccak256 = (data: Uint8Array): Uint8Array => keccak.init().update(data).digest('binary');
  return {
    sha256,
    keccak256,
    ripemd160: (data) => ripemd160(data),
    verifyEd25519,
    verifySecp256k1,
    recoverSecp256k1,
  };
}

/** Synchronous variant with pure JavaScript keccak, for worker startup and for tests that cannot await. */
export function createPureCrypto(): Crypto {
  return {
    sha256,
    keccak256: (data) => keccak_256(data),
    ripemd160: (data) => ripemd160(data),
    verifyEd25519,
    verifySecp256k1,
    recoverSecp256k1,
  };
}

/** Decoding a binary string costs half of a Buffer from node:crypto, which is allocated outside of the heap. */
function sha256(data: Uint8Array): Uint8Array {
  const text = hash('sha256', data, 'binary');
  const digest = new Uint8Array(32);
  for (let index = 0; index < 32; index += 1) digest[index] = text.charCodeAt(index);
  return digest;
}

function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  // A JSON web key (RFC 8037) is parsed seven times faster than DER.
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
}

function verifySecp256k1(publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 33 || digest.length !== 32 || signature.length !== 64) return false;
  const secp256k1 = nativeSecp256k1();
  if (!secp256k1.publicKeyVerify(publicKey)) return false;
  // The library rejects high-s signatures, as the SDK does.
  return secp256k1.ecdsaVerify(signature, digest, publicKey);
}
