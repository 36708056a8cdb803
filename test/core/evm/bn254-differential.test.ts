/**
 * The engine's arithmetic of BN254 against another implementation, with many inputs: sums and multiples along walks
 * whose next point costs the other side one addition. CHRONICLED_BN254 is the number of inputs, CHRONICLE_SEED the
 * beginning of the random sequence (`scripts/bn254-differential.js`).
 */
import { createHash, randomInt } from 'node:crypto';
import { normalizeZ } from '@noble/curves/abstract/curve.js';
import { bn254 } from '@noble/curves/bn254.js';
import { expect, test } from 'vitest';
import { bigintOfBytes } from '../../../src/core/bytes/big-endian.js';
import { address, executed, toHex, tx, word, world } from './support.js';

const INPUTS = Number(process.env['CHRONICLED_BN254'] ?? 100_000);
const SEED = Number(process.env['CHRONICLE_SEED'] ?? randomInt(2 ** 31));
/** Inputs of one walk. */
const WALK = 500;
const ECADD = 6;
const ECMUL = 7;

const at = world();
const G1 = bn254.G1.Point;
const ORDER = bn254.fields.Fr.ORDER;
const WORD = 1n << 256n;
type Point = InstanceType<typeof G1>;

function random(walk: number, name: string): bigint {
  return bigintOfBytes(createHash('sha256').update(`${SEED}/${walk}/${name}`).digest());
}

/** Scalars near the ends of what the engine tells apart, and any others. */
function scalar(walk: number, name: string): bigint {
  const any = random(walk, name);
  const small = any % 1_000n;
  switch (Number(random(walk, `${name}?`) % 6n)) {
    case 0:
      return small;
    case 1:
      return WORD - 1n - small;
    case 2:
      return (ORDER * ((any % 5n) + 1n) + small - 500n) % WORD;
    case 3:
      return (any % (1n << 128n)) + small;
    default:
      return any;
  }
}

const times = (point: Point, by: bigint): Point => (by % ORDER === 0n ? G1.ZERO : point.multiplyUnsafe(by % ORDER));

function bytesOf(point: Point): Uint8Array {
  const bytes = new Uint8Array(64);
  if (point.is0()) return bytes;
  const { x, y } = point.toAffine();
  bytes.set(word(x));
  bytes.set(word(y), 32);
  return bytes;
}

function run(precompile: number, ...parts: readonly Uint8Array[]): string {
  const data = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    data.set(part, offset);
    offset += part.length;
  }
  const call = tx({ to: address(precompile), data, gasLimit: 1_000_000n });
  const { status, output } = executed(at.engine.call(at.state, call, { fees: 'none' }, []));
  return `${status} ${toHex(output)}`;
}

/** Points from `start` on in steps of `step`, and their bytes. */
function walkOf(start: Point, step: Point, count: number): readonly Uint8Array[] {
  const points = [start];
  for (let last = start; points.length <= count; points.push(last)) last = last.add(step);
  return normalizeZ(G1, points).map(bytesOf);
}

test(
  `sums and multiples of ${INPUTS} inputs, seed ${SEED}`,
  () => {
    for (let done = 0, walk = 0; done < INPUTS; walk += 1) {
      const count = Math.min(WALK, INPUTS - done);
      const base = times(G1.BASE, scalar(walk, 'base'));
      const first = scalar(walk, 'first');
      const step = scalar(walk, 'step') >> 16n;
      if (walk % 2 === 0) {
        const stride = times(base, step);
        const points = walkOf(times(base, first), stride, count);
        const by = bytesOf(stride);
        for (let index = 0; index < count; index += 1) {
          const [from, to] = [points[index], points[index + 1]];
          if (from === undefined || to === undefined) throw new Error('the walk is too short');
          if (run(ECADD, from, by) !== `success ${toHex(to)}`)
            expect.fail(`seed ${SEED}: sum ${index} of walk ${walk}: ${toHex(from)} and ${toHex(by)}`);
        }
      } else {
        const points = walkOf(times(base, first), times(base, step), count);
        const factor = bytesOf(base);
        for (let index = 0; index < count; index += 1) {
          const by = first + BigInt(index) * step;
          // A scalar has 256 bits: a longer one would be another number.
          if (by >= WORD) break;
          if (run(ECMUL, factor, word(by)) !== `success ${toHex(points[index] ?? new Uint8Array())}`)
            expect.fail(`seed ${SEED}: multiple ${index} of walk ${walk}: ${toHex(factor)} by ${by}`);
        }
      }
      done += count;
    }
  },
  60_000 + INPUTS * 2,
);
