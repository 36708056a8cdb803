import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Crypto } from '../../core/ports/crypto.js';

/** The `Crypto` port in pure JavaScript, for the few commands that verify signatures. */
export const PURE_CRYPTO: Crypto = {
  sha256: (data) => sha256(data),
  keccak256: (data) => keccak_256(data),
  ripemd160: (data) => ripemd160(data),
  verifyEd25519: (publicKey, message, signature) =>
    quietly(() => ed25519.verify(signature, message, publicKey)) ?? false,
  verifySecp256k1: (publicKey, digest, signature) =>
    quietly(() => secp256k1.verify(signature, digest, publicKey, { prehash: false, lowS: true })) ?? false,
  recoverSecp256k1: (digest, signature, yParity) =>
    quietly(() =>
      secp256k1.Signature.fromBytes(signature).addRecoveryBit(yParity).recoverPublicKey(digest).toBytes(false).slice(1),
    ),
};

/** Undefined when `run` throws: malformed keys and signatures count as invalid. */
function quietly<Value>(run: () => Value): Value | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
