/** Keys and signatures by the native secp256k1, which is twenty times as fast as pure JavaScript. */
import { nativeSecp256k1 } from '../../src/runtime/host/native-secp256k1.js';

/** The public key in its short form, 33 bytes. */
export function publicKeyOf(secret: Uint8Array): Uint8Array {
  return nativeSecp256k1().publicKeyCreate(secret, true);
}

export interface RecoverableSignature {
  /** r || s with the nonce of RFC 6979 and s in the lower half, 64 bytes. */
  readonly signature: Uint8Array;
  readonly yParity: number;
}

/** The signature over a digest of 32 bytes. */
export function signDigest(digest: Uint8Array, secret: Uint8Array): RecoverableSignature {
  const { signature, recid } = nativeSecp256k1().ecdsaSign(digest, secret);
  return { signature, yParity: recid };
}
