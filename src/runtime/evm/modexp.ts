import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { fromHex, hexData } from '../../core/bytes/hex.js';

/** Largest RSA modulus in OpenSSL, bits; above `SMALL_BITS` its public exponent may have at most 64 bits. */
const RSA_BITS = 16_384;
const SMALL_BITS = 3_072;
const LONG_KEY_EXPONENT_BITS = 64;
/** For a smaller modulus, creating a key costs more than it saves. */
const WORTH_A_KEY_BITS = 500;

/** Computes base ** exponent mod modulus, padded to the length of the modulus (EIP-198). */
export function modexp(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array {
  const m = toBigInt(modulus);
  if (m <= 1n) return new Uint8Array(modulus.length);
  const b = toBigInt(base) % m;
  const digits = withoutZeros(exponent);
  const result = asRsa(b, digits, m) ?? toBytes(power(b, digits, m), modulus.length);
  if (result.length === modulus.length) return result;
  const padded = new Uint8Array(modulus.length);
  padded.set(result, modulus.length - result.length);
  return padded;
}

/**
 * Computes the power as an unpadded RSA public-key operation, because OpenSSL multiplies six times faster than V8's
 * bigints. Requires an odd modulus larger than the exponent; undefined when not possible. Both methods give the same
 * result.
 */
function asRsa(base: bigint, exponent: Uint8Array, modulus: bigint): Uint8Array | undefined {
  const n = bigEndian(modulus);
  const bits = bitLength(n);
  const exponentBits = bitLength(exponent);
  if ((modulus & 1n) === 0n || bits < WORTH_A_KEY_BITS || bits > RSA_BITS) return undefined;
  if (exponentBits < 2 || exponentBits >= bits || (bits > SMALL_BITS && exponentBits > LONG_KEY_EXPONENT_BITS))
    return undefined;
  try {
    const key = createPublicKey({
      key: { kty: 'RSA', n: n.toString('base64url'), e: Buffer.from(exponent).toString('base64url') },
      format: 'jwk',
    });
    return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, toBytes(base, n.length));
  } catch {
    // OpenSSL was built with narrower limits.
    return undefined;
  }
}

/** Square-and-multiply, four bits at a time from the left. */
function power(base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  const table = [1n];
  for (let index = 1; index < 16; index += 1) table.push(((table[index - 1] ?? 0n) * base) % modulus);
  let result = 1n;
  let started = false;
  for (const byte of exponent) {
    for (const digit of [byte >> 4, byte & 15]) {
      if (started) for (let square = 0; square < 4; square += 1) result = (result * result) % modulus;
      if (digit === 0) continue;
      result = (result * (table[digit] ?? 0n)) % modulus;
      started = true;
    }
  }
  return result;
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? new Uint8Array(0) : bytes.subarray(first);
}

/** Number of bits of bytes without leading zeros. */
const bitLength = (bytes: Uint8Array): number =>
  bytes.length === 0 ? 0 : bytes.length * 8 - Math.clz32(bytes[0] ?? 0) + 24;

function bigEndian(value: bigint): Buffer {
  const digits = value.toString(16);
  return Buffer.from(fromHex(digits.length % 2 === 0 ? digits : `0${digits}`));
}

const toBytes = (value: bigint, length: number): Uint8Array => fromHex(value.toString(16).padStart(length * 2, '0'));

function toBigInt(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(hexData(bytes));
}
