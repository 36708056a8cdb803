/** The BN254 precompiles; @noble/curves is the judge. */
import { bn254 } from '@noble/curves/bn254.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../support/property-runs.js';
import { address, asBigInt, executed, fromHex, toHex, tx, word, world } from './support.js';

const at = world();
const GAS = 1_000_000n;
const P = bn254.fields.Fp.ORDER;
const ORDER = bn254.fields.Fr.ORDER;
const G1 = bn254.G1.Point;
const G2 = bn254.G2.Point;
type G1Point = InstanceType<typeof G1>;
type G2Point = InstanceType<typeof G2>;

const words = (...values: readonly bigint[]): Uint8Array =>
  Uint8Array.from(values.flatMap((value) => [...word(value)]));
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const g1 = (point: G1Point): Uint8Array =>
  point.is0() ? words(0n, 0n) : words(point.toAffine().x, point.toAffine().y);
const g2 = (point: G2Point): Uint8Array => {
  if (point.is0()) return words(0n, 0n, 0n, 0n);
  const { x, y } = point.toAffine();
  return words(x.c1, x.c0, y.c1, y.c0);
};
const times = (point: G1Point, scalar: bigint): G1Point =>
  scalar % ORDER === 0n ? G1.ZERO : point.multiplyUnsafe(scalar % ORDER);

function run(
  index: number,
  data: Uint8Array,
): { readonly status: string; readonly output: string; readonly gasUsed: bigint } {
  const { status, output, gasUsed } = executed(
    at.engine.call(at.state, tx({ to: address(index), data, gasLimit: GAS }), { fees: 'none' }, []),
  );
  return { status, output: toHex(output), gasUsed };
}
const succeeds = (index: number, data: Uint8Array, output: Uint8Array): void => {
  expect(run(index, data)).toMatchObject({ status: 'success', output: toHex(output) });
};
/** Fails with all gas used and no output. */
const fails = (index: number, data: Uint8Array): void => {
  expect(run(index, data)).toEqual({ status: 'halt', output: '', gasUsed: GAS });
};

/**
 * The eigenvalue of the endomorphism that splits a scalar: the cube of BETA is 1, and LAMBDA times (x, y) is (BETA x,
 * y).
 */
const LAMBDA = 21888242871839275217838484774961031246154997185409878258781734729429964517155n;
const BETA = 21888242871839275220042445260109153167277707414472061641714758635765020556616n;
/** The shortest i + j LAMBDA that are zero modulo the order: -A + B LAMBDA and -B - C LAMBDA. */
const A = 147946756881789319000765030803803410728n;
const B = 9931322734385697763n;
const C = A + B;

const scalar = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
  fc.bigInt({ min: 0n, max: 40n }),
  fc.integer({ min: 0, max: 255 }).map((bit) => 1n << BigInt(bit)),
  fc.bigInt({ min: -40n, max: 40n }).map((offset) => ORDER + offset),
  // Both halves of the scalar are short.
  fc.bigInt({ min: -40n, max: 40n }).map((offset) => LAMBDA + offset),
);
const point = scalar.map((value) => times(G1.BASE, value));

describe('the BN254 precompiles ecAdd and ecMul', () => {
  test('add any two points', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        for (const other of [b, a, a.negate(), G1.ZERO]) succeeds(6, joined(g1(a), g1(other)), g1(a.add(other)));
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  test('multiply any point by any 256 bits', () => {
    fc.assert(
      fc.property(point, scalar, (a, k) => {
        succeeds(7, joined(g1(a), word(k)), g1(times(a, k)));
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  test('multiply by scalars around multiples of the order and at 2^256 - 1', () => {
    for (const k of [
      0n,
      1n,
      2n,
      ORDER - 1n,
      ORDER,
      ORDER + 1n,
      2n * ORDER,
      5n * ORDER - 1n,
      5n * ORDER,
      5n * ORDER + 1n,
      (1n << 256n) - 1n,
    ]) {
      for (const a of [G1.BASE, G1.BASE.multiply(ORDER - 3n), G1.ZERO])
        succeeds(7, joined(g1(a), word(k)), g1(times(a, k)));
    }
  });

  test('multiply an input for which an earlier implementation lost a carry', () => {
    const x = 0x110c97747d499731cb26fe4fc98e5c5551028c194451da2f49b22170ab6a3ca6n;
    const y = 0x27135060a15db22068138a77cef2af73953c1c11f4499064bf11f70707e726b4n;
    const k = 390515207303183498853467621839049136150049722789323975282221660845530145186n;
    succeeds(7, words(x, y, k), g1(times(G1.fromAffine({ x, y }), k)));
  });

  test('multiply by scalars whose halves have the maximum length or are zero', () => {
    expect([
      (LAMBDA * LAMBDA + LAMBDA + 1n) % ORDER,
      (B * LAMBDA - A) % ORDER,
      (B + C * LAMBDA) % ORDER,
      A * C + B * B,
    ]).toEqual([0n, 0n, 0n, ORDER]);
    expect([BETA ** 3n % P, times(G1.BASE, LAMBDA).toAffine()]).toEqual([1n, { x: BETA, y: 2n }]);
    const near = (value: bigint): readonly bigint[] => [value - 1n, value, value + 1n];
    const firsts = [0n, ...near((A - B) / 2n), ...near((A + B) / 2n), ...near(-(A + B) / 2n)];
    const seconds = [0n, ...near((C - B) / 2n), ...near((B + C) / 2n), ...near(-(B + C) / 2n)];
    const a = G1.BASE.multiply(0x1234567890abcdefn);
    for (const i of firsts) {
      for (const j of seconds) {
        const k = (((i + j * LAMBDA) % ORDER) + ORDER) % ORDER;
        succeeds(7, joined(g1(a), word(k)), g1(times(a, k)));
      }
    }
  });

  test('pad a short input with zeros and ignore surplus bytes', () => {
    succeeds(6, new Uint8Array(0), words(0n, 0n));
    succeeds(6, words(1n, 2n), words(1n, 2n));
    succeeds(7, words(1n, 2n), words(0n, 0n));
    succeeds(7, joined(words(1n, 2n, 3n), fromHex('ff')), g1(times(G1.BASE, 3n)));
  });

  test('refuse coordinates not below the prime and points off the curve', () => {
    for (const index of [6, 7]) {
      for (const [x, y] of [
        [P, 2n],
        [1n, P],
        [P + 1n, 2n],
        [1n, P + 2n],
        [(1n << 256n) - 1n, 2n],
        [1n, 3n],
        [0n, 1n],
        [P - 1n, 2n],
      ]) {
        fails(index, words(x ?? 0n, y ?? 0n, 0n, 0n));
      }
    }
    fails(6, words(1n, 2n, 1n, 3n));
  });
});

describe('the BN254 pairing check', () => {
  const ONE = word(1);
  const ZERO = word(0);
  const pair = (a: bigint, b: bigint): Uint8Array =>
    joined(g1(times(G1.BASE, a)), g2(b === 0n ? G2.ZERO : G2.BASE.multiply(b)));

  test('returns 1 exactly when the products of the scalars sum to zero', () => {
    const small = fc.bigInt({ min: 1n, max: ORDER - 1n });
    fc.assert(
      fc.property(small, small, small, fc.bigInt({ min: 0n, max: 1n }), (a, b, c, error) => {
        const last = (ORDER - ((a * b + c) % ORDER) + error) % ORDER;
        succeeds(8, joined(pair(a, b), pair(c, 1n), pair(last, 1n)), error === 0n ? ONE : ZERO);
      }),
      { numRuns: propertyRuns(8) },
    );
  });

  test('returns 1 for no pairs and for pairs with the point at infinity', () => {
    succeeds(8, new Uint8Array(0), ONE);
    succeeds(8, pair(0n, 5n), ONE);
    succeeds(8, pair(5n, 0n), ONE);
    succeeds(8, joined(pair(0n, 0n), pair(3n, 7n), pair(ORDER - 21n, 1n)), ONE);
    succeeds(8, pair(1n, 1n), ZERO);
  });

  test('refuses points outside the subgroup or off the curve, and coordinates not below the prime', () => {
    const { Fp2 } = bn254.fields;
    const { b } = G2.CURVE();
    // Most points of the twist are outside of the group, whose cofactor is as long as its order.
    const outside = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].flatMap((c0) => {
      const x = Fp2.fromBigTuple([c0, 1n]);
      try {
        const y = Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), b));
        return [words(x.c1, x.c0, y.c1, y.c0)];
      } catch {
        return [];
      }
    });
    expect(outside.length).toBeGreaterThan(1);
    for (const bytes of outside) fails(8, joined(g1(G1.BASE), bytes));
    fails(8, joined(g1(G1.BASE), words(1n, 2n, 3n, 4n)));
    fails(8, joined(words(1n, 3n), g2(G2.BASE)));
    const valid = g2(G2.BASE);
    for (const index of [0, 1, 2, 3]) {
      const raised = Uint8Array.from(valid);
      raised.set(word(asBigInt(valid.slice(index * 32, index * 32 + 32)) + P), index * 32);
      fails(8, joined(g1(G1.BASE), raised));
    }
  });

  test('refuses an input whose length is not a multiple of 192 bytes', () => {
    fails(8, new Uint8Array(191));
    fails(8, new Uint8Array(193));
  });
});
