import { createECDH } from 'node:crypto';
import { bigintOfBytes, wordOf } from '../../core/bytes/big-endian.js';

/** NIST P-256, y^2 = x^3 - 3x + B over the integers modulo P; its order is N (SEC 2). */
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const UNCOMPRESSED = 4;

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/**
 * Verifies a P-256 `signature` (r, s) of `digest` by `key` (x, y; 32 bytes each), as the precompile of EIP-7951
 * requires. Node's `verify` would hash its input, but Node's ECDH multiplies points: z/s G + r/s Q is r/s times (z/r G
 * + Q), and only the x of the result is needed.
 */
export function verifiesP256(digest: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean {
  const [r, s] = [bigintOfBytes(signature.subarray(0, 32)), bigintOfBytes(signature.subarray(32))];
  const q: Point = { x: bigintOfBytes(key.subarray(0, 32)), y: bigintOfBytes(key.subarray(32)) };
  if (r === 0n || r >= N || s === 0n || s >= N || !isOnCurve(q)) return false;
  const inverse = inverted(r * s, N);
  const z = bigintOfBytes(digest);
  const sum = add(multiple((z * s * inverse) % N), q);
  if (sum === undefined) return false;
  return timesX(sum, (r * r * inverse) % N) % N === r;
}

function isOnCurve({ x, y }: Point): boolean {
  return x < P && y < P && (x * x * x - 3n * x + B - y * y) % P === 0n;
}

/** A multiple of the generator; undefined for infinity. */
function multiple(factor: bigint): Point | undefined {
  if (factor === 0n) return undefined;
  const agreement = createECDH('prime256v1');
  agreement.setPrivateKey(wordOf(factor));
  const point = agreement.getPublicKey();
  return { x: bigintOfBytes(point.subarray(1, 33)), y: bigintOfBytes(point.subarray(33)) };
}

/** The x of a multiple of a point; `factor` is below N and not zero. */
function timesX({ x, y }: Point, factor: bigint): bigint {
  const agreement = createECDH('prime256v1');
  agreement.setPrivateKey(wordOf(factor));
  return bigintOfBytes(agreement.computeSecret(Buffer.concat([Uint8Array.of(UNCOMPRESSED), wordOf(x), wordOf(y)])));
}

/** Adds two points; undefined is infinity. */
function add(a: Point | undefined, b: Point): Point | undefined {
  if (a === undefined) return b;
  if (a.x === b.x && (a.y + b.y) % P === 0n) return undefined;
  const [rise, run] = a.x === b.x ? [3n * a.x * a.x - 3n, 2n * a.y] : [b.y - a.y, b.x - a.x];
  const slope = (rise * inverted(run, P)) % P;
  const x = positive(slope * slope - a.x - b.x, P);
  return { x, y: positive(slope * (a.x - x) - a.y, P) };
}

/** The modular inverse by Euclid's algorithm; `value` is not a multiple of the prime. */
function inverted(value: bigint, prime: bigint): bigint {
  let [a, b] = [positive(value, prime), prime];
  let [x, y] = [1n, 0n];
  while (a > 1n) {
    const quotient = b / a;
    [a, b] = [b - quotient * a, a];
    [x, y] = [y - quotient * x, x];
  }
  return positive(x, prime);
}

function positive(value: bigint, prime: bigint): bigint {
  const rest = value % prime;
  return rest < 0n ? rest + prime : rest;
}
