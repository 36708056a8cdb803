/**
 * Cryptography as a port: core decides what is hashed and verified, the host supplies native speed
 * (`src/runtime/host/crypto.ts`). All functions are synchronous and deterministic.
 */
export interface Crypto {
  sha256(data: Uint8Array): Uint8Array;
  keccak256(data: Uint8Array): Uint8Array;
  /** Used for ripemd160(sha256(key)) in addresses of secp256k1 keys. */
  ripemd160(data: Uint8Array): Uint8Array;
  /** Verifies a 64-byte ed25519 signature; false for malformed keys or signatures. */
  verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  /**
   * Verifies a 64-byte compact ECDSA signature over a 32-byte digest; false when malformed or when s is in the upper
   * half.
   */
  verifySecp256k1(publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean;
  /**
   * Recovers the public key (64 bytes, x || y) from a compact 64-byte signature over a 32-byte digest and the parity
   * of y; undefined when there is none. Accepts s in either half; callers that must reject high s check it first
   * (EIP-2).
   */
  recoverSecp256k1(digest: Uint8Array, signature: Uint8Array, yParity: 0 | 1): Uint8Array | undefined;
}

/**
 * Signs consensus messages with one validator key. The caller must prevent double signing: never two blocks at one
 * height, round and step.
 */
export interface ConsensusSigner {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}
