import { createHash, createPublicKey, hash, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Crypto } from '../../../src/core/ports/crypto.js';

/** The Crypto port over Node's own primitives, so that tests of pure code need no host. */
export const nodeCrypto: Crypto = {
  sha256: (data) => new Uint8Array(hash('sha256', data, 'buffer')),
  keccak256: (data) => keccak_256(data),
  ripemd160: (data) => new Uint8Array(createHash('ripemd160').update(data).digest()),
  verifyEd25519(publicKey, message, signature) {
    if (publicKey.length !== 32 || signature.length !== 64) return false;
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, message, key, signature);
  },
  verifySecp256k1: (publicKey, digest, signature) => secp256k1.verify(signature, digest, publicKey, { prehash: false }),
  recoverSecp256k1: (digest, signature, yParity) =>
    secp256k1.Signature.fromBytes(signature).addRecoveryBit(yParity).recoverPublicKey(digest).toBytes(false).slice(1),
};
