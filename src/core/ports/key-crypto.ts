/**
 * Cryptography for deriving account keys. Pure JavaScript takes about 20 ms per key and native code 0.3 ms, so node
 * and commands pass native implementations.
 */
export interface KeyCrypto {
  /** Returns 32 bytes. */
  keccak256(data: Uint8Array): Uint8Array;
  /** Returns 64 bytes. */
  hmacSha512(key: Uint8Array, data: Uint8Array): Uint8Array;
  /** PBKDF2 with HMAC-SHA512 (RFC 8018 5.2); returns 64 bytes. */
  pbkdf2Sha512(password: Uint8Array, salt: Uint8Array, rounds: number): Uint8Array;
  /**
   * secp256k1 point of a 32-byte private key: 65 bytes, 0x04 || x || y. Throws for zero and for numbers not below the
   * curve's order.
   */
  publicPoint(privateKey: Uint8Array): Uint8Array;
}
