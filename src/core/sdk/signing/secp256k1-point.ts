import { bigintOfBytes, wordOf } from '../../bytes/big-endian.js';
import { concat } from '../../bytes/bytes.js';

const P = 2n ** 256n - 2n ** 32n - 977n;

/** Decompresses a secp256k1 point to x and y, 64 bytes (SEC 1, 2.3.4); undefined when x is not on the curve. */
export function decompress(key: Uint8Array): Uint8Array | undefined {
  const parity = key[0];
  if (parity !== 2 && parity !== 3) return undefined;
  const x = bigintOfBytes(key.subarray(1));
  if (x >= P) return undefined;
  const square = (x ** 3n + 7n) % P;
  let y = power(square, (P + 1n) / 4n);
  if ((y * y) % P !== square) return undefined;
  if ((y & 1n) !== BigInt(parity & 1)) y = P - y;
  return concat(wordOf(x), wordOf(y));
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}
