import type { Crypto } from '../../core/ports/crypto.js';

/**
 * The precompile 0x01 (ecrecover): the signer's address of `digest` as a 32-byte word; undefined for an invalid
 * signature.
 */
export function recoverAddress(
  crypto: Crypto,
  digest: Uint8Array,
  signature: Uint8Array,
  parity: number,
): Uint8Array | undefined {
  if (parity !== 0 && parity !== 1) return undefined;
  const key = crypto.recoverSecp256k1(digest, signature, parity);
  if (key === undefined) return undefined;
  const word = Uint8Array.from(crypto.keccak256(key));
  word.fill(0, 0, 12);
  return word;
}
