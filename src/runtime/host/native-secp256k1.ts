import { createRequire } from 'node:module';
import type Secp256k1 from 'secp256k1';

const require = createRequire(import.meta.url);
let loaded: typeof Secp256k1 | undefined;

/**
 * The native addon, loaded on first use: terminating a thread while it loads the addon aborts the process
 * (`Napi::Error`, SIGABRT), and a failing start terminates the executor thread while that loads its modules.
 */
export function nativeSecp256k1(): typeof Secp256k1 {
  return (loaded ??= require('secp256k1'));
}

/** Recovers the public key (64 bytes) of an ECDSA signature; undefined for an invalid one. */
export function recoverSecp256k1(digest: Uint8Array, signature: Uint8Array, yParity: 0 | 1): Uint8Array | undefined {
  if (digest.length !== 32 || signature.length !== 64) return undefined;
  try {
    return nativeSecp256k1().ecdsaRecover(signature, yParity, digest, false).subarray(1);
  } catch {
    return undefined;
  }
}
