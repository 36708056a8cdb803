/** Inputs that Ethereum's precompiles refuse, with the reasons that evmd v0.6.0 gave (`Query/EthCall`). */
import { createHash } from 'node:crypto';

export interface RefusedInput {
  readonly address: number;
  /** Hexadecimal digits. */
  readonly input: string;
  readonly words: string;
  /** Gas of the call; by default enough for the precompile's price. */
  readonly gas?: number;
}

const P = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
const Q = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
/** `w`: words of 32 bytes; `b`: numbers of 64 bytes. */
const w = (...values: bigint[]): string => values.map((value) => value.toString(16).padStart(64, '0')).join('');
const b = (...values: bigint[]): string => values.map((value) => value.toString(16).padStart(128, '0')).join('');

/** Generators of BN254's G2 and of BLS12-381's G1. */
const TWIST = w(
  0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2n,
  0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6edn,
  0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975bn,
  0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daan,
);
const G1 = [
  0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn,
  0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n,
] as const;
/** Points on the curves but outside the subgroups: BN254's G2, BLS12-381's G1 and G2. */
const OTHER_TWIST = w(
  0n,
  1n,
  5912654199736721486680175016176231956195085055698687135131307249486702594212n,
  18278151005453108793778860132295291098363647455926340152056652516292830556603n,
);
const OTHER_G1 = b(0n, 2n);
const OTHER_G2 = b(
  2n,
  0n,
  3813414062821088896965879244443358096636228247329175415943186029072982909461945441384695595240360445618611812101176n,
  3568027680765585585945490907042741669558639753778547462314760963815399658271727325750766584361357481230047117262172n,
);
const NO_G1 = b(0n, 0n);
const NO_G2 = b(0n, 0n, 0n, 0n);

const CURVE = 'invalid point: not on curve';
const LENGTH = 'invalid input length';
const ENCODING = 'invalid fp.Element encoding';
const TOP = 'invalid field element top bytes';
const MALFORMED = 'bn256: malformed point';
const EQUALS = 'bn256: coordinate equals modulus';
const EXCEEDS = 'bn256: coordinate exceeds modulus';
const OUTSIDE_1 = 'g1 point is not on correct subgroup';
const OUTSIDE_2 = 'g2 point is not on correct subgroup';

/** Input of the point evaluation precompile (EIP-4844) with the right versioned hash. */
function opening(commitment: string, proof: string, point = w(0n), claim = w(0n)): string {
  const digest = createHash('sha256').update(Buffer.from(commitment, 'hex')).digest('hex');
  return `01${digest.slice(2)}${point}${claim}${commitment}${proof}`;
}
/** A compressed BLS12-381 point of 48 bytes. */
const short = (mask: number, x: bigint): string => ((BigInt(mask) << 381n) | x).toString(16).padStart(96, '0');
const INFINITY = short(0b110, 0n);
const kzg = (why: string): string => `error verifying kzg proof: ${why}`;
const SCALAR = kzg('scalar is not canonical when interpreted as a big integer in big-endian');
const MANY = 1n << 33n;
const MAX = w(2n ** 256n - 1n);

const cases: readonly (readonly [address: number, input: string, words: string, gas?: number])[] = [
  // No gas limit pays for numbers of these lengths.
  [5, w(MANY, 1n, 1n), 'out of gas'],
  [5, w(1n, MANY, 1n), 'out of gas'],
  [5, w(1n, 1n, MANY), 'out of gas'],
  [5, 'ff'.repeat(40), 'out of gas'],
  [6, w(1n, 1n), MALFORMED],
  [6, w(P, 1n), EQUALS],
  [6, w(1n, P + 1n), EXCEEDS],
  [6, w(1n, 2n, 3n), MALFORMED],
  [6, `${w(1n, 2n)}ff`, EXCEEDS],
  [7, w(1n, 1n), MALFORMED],
  [7, w(0n, P), EQUALS],
  [8, 'aa', 'bad elliptic curve pairing size'],
  [8, w(1n, 1n) + TWIST, MALFORMED],
  [8, w(1n, 2n) + w(1n, 2n, 3n, 4n), MALFORMED],
  [8, w(1n, 2n) + w(1n, 2n, P, 4n), EQUALS],
  [8, w(1n, 2n) + TWIST + w(1n, P + 3n) + TWIST, EXCEEDS],
  [8, w(1n, 2n) + OTHER_TWIST, MALFORMED],
  [8, w(1n, 2n) + OTHER_TWIST + w(1n, P + 3n) + TWIST, MALFORMED],
  [8, w(0n, 0n) + OTHER_TWIST + w(P, 0n) + TWIST, MALFORMED],
  [9, '00', LENGTH],
  [9, `${'00'.repeat(212)}02`, 'invalid final flag'],
  [10, '00', LENGTH],
  [10, '00'.repeat(192), 'mismatched versioned hash'],
  [10, opening('11'.repeat(48), '11'.repeat(48), w(1n), w(1n)), kzg('short buffer')],
  [10, opening('51'.repeat(48), INFINITY), kzg('short buffer')],
  [10, opening('31'.repeat(48), INFINITY), kzg('invalid point encoding')],
  [10, opening('71'.repeat(48), INFINITY), kzg('invalid point encoding')],
  [10, opening(INFINITY, 'f1'.repeat(48)), kzg('invalid point encoding')],
  [10, opening(short(0b110, 1n), INFINITY), kzg('invalid infinity point encoding')],
  [10, opening(INFINITY, short(0b100, Q)), kzg(ENCODING)],
  [10, opening(short(0b100, 1n), INFINITY), kzg("invalid compressed coordinate: square root doesn't exist")],
  [10, opening(INFINITY, short(0b101, 0n)), kzg('invalid point: subgroup check failed')],
  [10, opening(INFINITY, short(0b100, G1[0])), kzg("can't verify opening proof")],
  [10, opening(INFINITY, INFINITY, w(0n), w(1n)), kzg("can't verify opening proof")],
  [10, opening('31'.repeat(48), INFINITY, MAX), SCALAR],
  [10, opening('31'.repeat(48), INFINITY, w(0n), MAX), SCALAR],
  [11, '00', LENGTH],
  [11, '00', 'out of gas', 374],
  [11, b(1n, 1n, 0n, 0n), CURVE],
  [11, b(Q, 1n, 0n, 0n), ENCODING],
  [11, b(1n << 400n, 1n, 0n, 0n), TOP],
  [11, b(...G1, 5n, 5n), CURVE],
  [12, '', LENGTH],
  [12, '00'.repeat(161), LENGTH],
  [12, '00'.repeat(161), 'out of gas', 11_999],
  [12, '00'.repeat(159), LENGTH, 10],
  [12, b(1n, 1n) + w(1n), CURVE],
  [12, OTHER_G1 + w(1n), OUTSIDE_1],
  [12, OTHER_G1 + w(1n) + b(Q, 1n) + w(1n), OUTSIDE_1],
  [12, NO_G1 + w(1n) + b(Q, 1n) + w(1n) + OTHER_G1 + w(1n), ENCODING],
  [13, b(1n, 1n, 1n, 1n, 0n, 0n, 0n, 0n), CURVE],
  [13, b(0n, Q, 0n, 0n, 0n, 0n, 0n, 0n), ENCODING],
  [14, b(1n, 1n, 1n, 1n) + w(1n), CURVE],
  [14, OTHER_G2 + w(1n), OUTSIDE_2],
  [14, OTHER_G2 + w(1n) + b(Q, 0n, 0n, 0n) + w(1n), OUTSIDE_2],
  [14, '00'.repeat(300), 'out of gas', 22_499],
  [15, '', LENGTH],
  [15, '', 'out of gas', 37_699],
  [15, '00'.repeat(385), 'out of gas', 70_299],
  [15, b(1n, 1n) + NO_G2, CURVE],
  [15, NO_G1 + b(0n, 0n, 0n, Q), ENCODING],
  [15, OTHER_G1 + NO_G2, OUTSIDE_1],
  [15, OTHER_G1 + b(1n, 1n, 1n, 1n), CURVE],
  [15, NO_G1 + OTHER_G2, OUTSIDE_2],
  [15, OTHER_G1 + OTHER_G2, OUTSIDE_1],
  [15, NO_G1 + OTHER_G2 + b(1n << 400n, 0n) + NO_G2, OUTSIDE_2],
  [16, b(Q), ENCODING],
  [16, '00', LENGTH],
  [16, b(1n << 500n), TOP],
  [17, b(1n, Q + 1n), ENCODING],
  [17, '', LENGTH],
];

export const REFUSED_INPUTS: readonly RefusedInput[] = cases.map(([address, input, words, gas]) => ({
  address,
  input,
  words,
  ...(gas === undefined ? {} : { gas }),
}));

/** Intrinsic gas of a call (EIP-2028) and the calldata floor of its input (EIP-7623). */
export function intrinsicGas(input: string): { readonly least: number; readonly floor: number } {
  const bytes = Buffer.from(input, 'hex');
  const zeros = bytes.filter((byte) => byte === 0).length;
  const tokens = zeros + 4 * (bytes.length - zeros);
  return { least: 21_000 + 4 * tokens, floor: 21_000 + 10 * tokens };
}
