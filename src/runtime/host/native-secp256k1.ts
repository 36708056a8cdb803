import { createRequire } from 'node:module';
import type Secp256k1 from 'secp256k1';

const require = createRequire(import.meta.url);
let loaded: typeof Secp256k1 | undefined;

/**
 * The native addon, loaded on first use. A thread that is ended while it loads the addon ends the whole process
 * (`Napi::Error`, SIGABRT), and a failing start ends the executor's thread while that loads its modules.
 */
export function nativeSecp256k1(): typeof Secp256k1 {
  return (loaded ??= require('secp256k1'));
}

/** Public key (64 bytes) of an ECDSA signature; undefined for one without a key. */
export function recoverSecp256k1(digest: Uint8Array, signature: Uint8Array, yParity: 0 | 1): Uint8Array | undefined {
  if (digest.length !== 32 || signature.length !== 64) return undefined;
  try {
    return nativeSecp256k1().ecdsaRecover(signature, yParity, digest, false).subarray(1);
  } catch {
    return undefined;
  }
}
