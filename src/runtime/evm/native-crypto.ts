import type { Crypto } from '../../core/ports/crypto.js';

/**
 * 32 bytes that end with the address of the signer of `digest`; undefined for an invalid signature (precompile 0x01).
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
