/** P-256 verification by the host's key agreement, compared with @noble/curves, and its edge cases of addition. */
import { p256 } from '@noble/curves/nist.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifiesP256 } from '../../../src/runtime/evm/p256.js';
import { propertyRuns } from '../../support/property-runs.js';
import { asBigInt, word } from './support.js';

const { Point } = p256;
const N = Point.Fn.ORDER;
const P = Point.Fp.ORDER;
const D = 0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdefn;
const KEY = Point.BASE.multiply(D);

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));
const keyOf = ({ x, y }: { readonly x: bigint; readonly y: bigint }): Uint8Array => joined(word(x), word(y));
const verifies = (z: bigint, r: bigint, s: bigint, key: Uint8Array = keyOf(KEY.toAffine())): boolean =>
  verifiesP256(word(z), joined(word(r), word(s)), key);
const divided = (a: bigint, b: bigint): bigint => Point.Fn.div(Point.Fn.create(a), Point.Fn.create(b));
/** The signature of z with the nonce k. */
function signed(z: bigint, k: bigint): readonly [r: bigint, s: bigint] {
  const r = Point.Fn.create(Point.BASE.multiply(k).toAffine().x);
  return [r, divided(z + r * D, k)];
}

describe('P-256 verification of the host', () => {
  const scalar = fc.bigInt({ min: 1n, max: N - 1n });
  const digest = fc.oneof(
    fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
    fc.constantFrom(0n, 1n, N - 1n, N, N + 1n, (1n << 256n) - 1n),
  );

  test('agrees with @noble/curves', () => {
    fc.assert(
      fc.property(digest, scalar, scalar, fc.constantFrom(0n, 0n, 1n, N - 1n), (z, d, k, error) => {
        const key = Point.BASE.multiply(d);
        const r = Point.Fn.create(Point.BASE.multiply(k).toAffine().x);
        const s = Point.Fn.create(divided(z + r * d, k) + error);
        fc.pre(r !== 0n && s !== 0n);
        const theirs = p256.verify(joined(word(r), word(s)), word(z), key.toBytes(false), {
          prehash: false,
          lowS: false,
        });
        expect(verifies(z, r, s, keyOf(key.toAffine()))).toBe(theirs);
        expect(theirs).toBe(error === 0n);
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  test('handles sums of equal points, of opposite points and with infinity', () => {
    const [r] = signed(1n, 99n);
    const [equal, opposite] = [Point.Fn.create(D * r), Point.Fn.create(-D * r)];
    expect(verifies(equal, ...signed(equal, 99n))).toBe(true);
    for (const s of [1n, 2n, N - 1n]) expect(verifies(opposite, r, s), 'the sum is infinity').toBe(false);
    for (const z of [0n, N]) expect(verifies(z, ...signed(z, 99n))).toBe(true);
    expect(verifies(5n, ...signed(5n, 99n))).toBe(true);
  });

  test('refuses r and s outside of 1 to the order minus 1', () => {
    const [r, s] = signed(7n, 3n);
    expect(verifies(7n, r, N - s), 'either s').toBe(true);
    for (const [badR, badS] of [
      [0n, s],
      [N, s],
      [r, 0n],
      [r, N],
      [r + N, s],
      [r, s + N],
    ]) {
      if ((badR ?? 0n) < 1n << 256n && (badS ?? 0n) < 1n << 256n)
        expect(verifies(7n, badR ?? 0n, badS ?? 0n)).toBe(false);
    }
  });

  test('refuses r and s plus the order when the sum fits into 32 bytes', () => {
    const [r] = signed(7n, 3n);
    const z = Point.Fn.create(2n * 3n - r * D);
    expect(verifies(z, r, 2n)).toBe(true);
    expect(verifies(z, r, 2n + N)).toBe(false);
    const x = [...Array(40).keys()].map((index) => BigInt(index + 1)).find(isSquare) ?? 0n;
    const key = Point.fromAffine({ x, y: Point.Fp.sqrt(curve(x)) })
      .subtract(Point.BASE)
      .multiply(Point.Fn.inv(x));
    expect(verifies(1n, x, 1n, keyOf(key.toAffine()))).toBe(true);
    expect(verifies(1n, x + N, 1n, keyOf(key.toAffine()))).toBe(false);
  });

  test('refuses a key that is off the curve, is infinity, or has coordinates not below the prime', () => {
    const [r, s] = signed(7n, 3n);
    const { x, y } = KEY.toAffine();
    const low =
      [...Array(40).keys()]
        .map((index) => BigInt(index))
        .find((candidate) => Point.Fp.isValid(candidate) && isSquare(candidate)) ?? 0n;
    const lowY = Point.Fp.sqrt(curve(low));
    for (const key of [
      { x, y: y + 1n },
      { x: x + 1n, y },
      { x: 0n, y: 0n },
      { x: low + P, y: lowY },
      { x: P, y: 0n },
    ]) {
      expect(verifies(7n, r, s, keyOf(key))).toBe(false);
    }
    expect(verifies(7n, r, s)).toBe(true);
    expect(asBigInt(word(low + P))).toBe(low + P);
  });
});

const curve = (x: bigint): bigint => Point.Fp.create(x * x * x + Point.CURVE().a * x + Point.CURVE().b);
function isSquare(x: bigint): boolean {
  try {
    Point.Fp.sqrt(curve(x));
    return true;
  } catch {
    return false;
  }
}
