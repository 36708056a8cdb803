import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Crypto } from '../../../src/core/ports/crypto.js';
import type { StateReader, StateWrite } from '../../../src/core/state/state.js';
import { CacheStore, EMPTY_STATE } from '../../../src/core/state/overlay.js';

const attempt = (verify: () => boolean): boolean => {
  try {
    return verify();
  } catch {
    return false;
  }
};

export const crypto: Crypto = {
  sha256: (data) => sha256(data),
  keccak256: (data) => keccak_256(data),
  ripemd160: (data) => ripemd160(data),
  verifyEd25519: (key, message, signature) => attempt(() => ed25519.verify(signature, message, key)),
  verifySecp256k1: (key, digest, signature) =>
    attempt(() => secp256k1.verify(signature, digest, key, { prehash: false, lowS: true })),
  recoverSecp256k1: (digest, signature, yParity) => {
    try {
      const recovered = secp256k1.Signature.fromBytes(signature).addRecoveryBit(yParity);
      return recovered.recoverPublicKey(digest).toBytes(false).slice(1);
    } catch {
      return undefined;
    }
  },
};

export const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'));

/** A state that holds exactly these writes. */
export function stateOf(writes: Iterable<StateWrite>, over: StateReader = EMPTY_STATE): CacheStore {
  const state = new CacheStore(over);
  for (const { store, key, value } of writes) {
    if (value === undefined) state.delete(store, key);
    else state.set(store, key, value);
  }
  return state;
}
