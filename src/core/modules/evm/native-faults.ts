/**
 * Why a contract that Ethereum itself has (EIP-196, EIP-197, EIP-152, EIP-4844, EIP-2537) refuses its input, in geth's
 * words (go-ethereum v1.16 `core/vm/contracts.go`, `crypto/bn256/cloudflare`). The engine says only that it refused.
 */
import { bigintOfBytes } from '../../bytes/big-endian.js';
import { equal } from '../../bytes/bytes.js';
import type { Crypto } from '../../ports/crypto.js';
import type { Context } from '../../sdk/context.js';

/** Numbers of an extension of degree two: `re + im * i` with `i * i = -1`. */
type Pair = readonly [re: bigint, im: bigint];

/** Modulus of bn254, and what its twist adds to a cube. */
const P = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
const TWIST: Pair = [
  19485874751759354771024239261021720505790618469301721065564631296452457478373n,
  266929791119991161246907387137283842545076965332900288569378510910307636690n,
];
/** Modulus of bls12-381. */
const Q = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
const MALFORMED = 'bn256: malformed point';
const NOT_ON_CURVE = 'invalid point: not on curve';
const WRONG_LENGTH = 'invalid input length';

/** As `nativeFault`, of the target of a transaction or a call. */
export function nativeFaultOf(
  { crypto }: Pick<Context, 'crypto'>,
  { to, data }: { readonly to: Uint8Array | undefined; readonly data: Uint8Array },
): string | undefined {
  return to === undefined ? undefined : nativeFault(crypto, bigintOfBytes(to), data);
}

/**
 * The reason for which the contract with the number `address` refused `input`; undefined for what only its whole
 * arithmetic tells (the proof of a blob, a subgroup of a pairing), and for other contracts.
 */
export function nativeFault(crypto: Pick<Crypto, 'sha256'>, address: bigint, input: Uint8Array): string | undefined {
  const at = (from: number, size: number): Uint8Array => {
    const padded = new Uint8Array(size);
    padded.set(input.subarray(from, from + size));
    return padded;
  };
  switch (address) {
    case 6n:
      return pointFault(at(0, 64)) ?? pointFault(at(64, 64));
    case 7n:
      return pointFault(at(0, 64));
    case 8n:
      if (input.length % 192 !== 0) return 'bad elliptic curve pairing size';
      return (
        firstOf(input, 192, (pair) => pointFault(pair.subarray(0, 64)) ?? twistFault(pair.subarray(64))) ?? MALFORMED
      );
    case 9n:
      return input.length === 213 ? 'invalid final flag' : WRONG_LENGTH;
    case 10n: {
      if (input.length !== 192) return WRONG_LENGTH;
      const hash = crypto.sha256(input.subarray(96, 144)).slice();
      hash[0] = 1;
      return equal(hash, input.subarray(0, 32)) ? undefined : 'mismatched versioned hash';
    }
    default:
      return address >= 11n && address <= 17n ? blsFault(Number(address), input) : undefined;
  }
}

function blsFault(address: number, input: Uint8Array): string | undefined {
  const { size, isList, fault, last } = BLS[address - 11] ?? {};
  if (size === undefined || fault === undefined) return undefined;
  const fits = isList === true ? input.length > 0 && input.length % size === 0 : input.length === size;
  return fits ? (firstOf(input, size, fault) ?? last) : WRONG_LENGTH;
}

interface BlsContract {
  readonly size: number;
  readonly isList?: boolean;
  readonly fault: (part: Uint8Array) => string | undefined;
  /** What is left as the reason when points are points. */
  readonly last?: string;
}

/** From address 11 on. */
const BLS: readonly BlsContract[] = [
  { size: 256, fault: (part) => g1Fault(part) ?? g1Fault(part.subarray(128)) },
  { size: 160, isList: true, fault: g1Fault, last: 'g1 point is not on correct subgroup' },
  { size: 512, fault: (part) => g2Fault(part) ?? g2Fault(part.subarray(256)) },
  { size: 288, isList: true, fault: g2Fault, last: 'g2 point is not on correct subgroup' },
  { size: 384, isList: true, fault: (part) => g1Fault(part) ?? g2Fault(part.subarray(128)) },
  { size: 64, fault: fieldFault },
  { size: 128, fault: (part) => fieldFault(part) ?? fieldFault(part.subarray(64)) },
];

function firstOf(input: Uint8Array, size: number, fault: (part: Uint8Array) => string | undefined): string | undefined {
  for (let from = 0; from < input.length; from += size) {
    const found = fault(input.subarray(from, from + size));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Numbers of 32 bytes, at most as many as `count`. */
const words = (bytes: Uint8Array, count: number): readonly bigint[] =>
  Array.from({ length: count }, (_, index) => bigintOfBytes(bytes.subarray(index * 32, index * 32 + 32)));

function coordinateFault(coordinates: readonly bigint[]): string | undefined {
  const wrong = coordinates.find((value) => value >= P);
  return wrong === undefined ? undefined : `bn256: coordinate ${wrong === P ? 'equals' : 'exceeds'} modulus`;
}

function pointFault(bytes: Uint8Array): string | undefined {
  const [x = 0n, y = 0n] = words(bytes, 2);
  const isPoint = (x === 0n && y === 0n) || (y * y - x * x * x - 3n) % P === 0n;
  return coordinateFault([x, y]) ?? (isPoint ? undefined : MALFORMED);
}

function twistFault(bytes: Uint8Array): string | undefined {
  const [xi = 0n, xr = 0n, yi = 0n, yr = 0n] = words(bytes, 4);
  return coordinateFault([xi, xr, yi, yr]) ?? (isOnCurve([xr, xi], [yr, yi], TWIST, P) ? undefined : MALFORMED);
}

/** Of the first 64 bytes. */
function fieldFault(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, 16).some((byte) => byte !== 0)) return 'invalid field element top bytes';
  return elementOf(bytes) < Q ? undefined : 'invalid fp.Element encoding';
}

const elementOf = (bytes: Uint8Array, index = 0): bigint =>
  bigintOfBytes(bytes.subarray(index * 64 + 16, index * 64 + 64));

function g1Fault(bytes: Uint8Array): string | undefined {
  const fault = fieldFault(bytes) ?? fieldFault(bytes.subarray(64));
  const [x, y] = [elementOf(bytes), elementOf(bytes, 1)];
  return fault ?? (isOnCurve([x, 0n], [y, 0n], [4n, 0n], Q) ? undefined : NOT_ON_CURVE);
}

function g2Fault(bytes: Uint8Array): string | undefined {
  for (let index = 0; index < 4; index += 1) {
    const fault = fieldFault(bytes.subarray(index * 64));
    if (fault !== undefined) return fault;
  }
  const x: Pair = [elementOf(bytes), elementOf(bytes, 1)];
  const y: Pair = [elementOf(bytes, 2), elementOf(bytes, 3)];
  return isOnCurve(x, y, [4n, 4n], Q) ? undefined : NOT_ON_CURVE;
}

/** True when `y^2 = x^3 + b`, and for the two zeros that stand for infinity. */
function isOnCurve(x: Pair, y: Pair, b: Pair, modulus: bigint): boolean {
  if ([...x, ...y].every((part) => part === 0n)) return true;
  const [left, cube] = [multiply(y, y), multiply(multiply(x, x), x)];
  return (left[0] - cube[0] - b[0]) % modulus === 0n && (left[1] - cube[1] - b[1]) % modulus === 0n;
}

const multiply = ([a, b]: Pair, [c, d]: Pair): Pair => [a * c - b * d, a * d + b * c];
