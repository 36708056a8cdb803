/** Values of single fields: mostly valid ones, and by `mischief` unusual or invalid ones. */
import { encodeAddress } from '../../../src/core/sdk/codec/address.js';
import type { Actor } from './actors.js';
import { bytes, number, write } from './wire.js';
import { isDue, type World } from './world.js';

const E18 = 10n ** 18n;

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud83d\ude00',
  'a'.repeat(300),
  '"\\\n\t<>&\u2028',
  '%s%d',
  'null',
  '\u202etext',
  '\ufffd',
  '0',
  '-1',
  '\u007f\u0080',
].map((each) => Buffer.from(each));
/** Texts that are no UTF-8. */
const ODD_BYTES = [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0x61, 0x80]].map((each) =>
  Buffer.from(each),
);

export function oddText(world: World): Uint8Array {
  return world.random.chance(0.3) ? world.random.pick(ODD_BYTES) : world.random.pick(ODD_TEXTS);
}

export function plainText({ random }: World): Uint8Array {
  return Buffer.from(
    random.pick(['', 'abc', 'a text', 'A longer text, with marks: {"a":1}', '[do-not-modify]', 'Zürich <b>']),
  );
}

const ODD_NUMBERS = [
  '',
  '0',
  '-1',
  '1',
  '-0',
  '+7',
  '007',
  '0x10',
  '0b11',
  '1_000',
  ' 5',
  '1.5',
  '1e3',
  '٣',
  'NaN',
  String(2n ** 255n),
  String(2n ** 256n - 1n),
  String(2n ** 256n),
  `-${2n ** 256n}`,
  String(2n ** 63n),
  String(10n ** 77n),
  '1'.repeat(400),
];

/** Atomic units of a coin. */
export function amount(world: World): string {
  const { random } = world;
  if (isDue(world)) return random.pick(ODD_NUMBERS);
  return String(
    random.weighted<() => bigint>([
      [3, () => BigInt(random.between(1, 1000))],
      [5, () => random.bigBelow(20n * E18) + 1n],
      [2, () => BigInt(random.between(1, 30)) * E18],
      [1, () => random.bigBelow(30_000n * E18)],
    ])(),
  );
}

/** A decimal from 0 to 1 with its 18 digits as an integer. */
export function decimal(world: World): bigint {
  return world.random.pick([
    0n,
    1n,
    E18 / 100n,
    E18 / 10n,
    E18 / 3n,
    E18 / 2n,
    (E18 * 2n) / 3n,
    E18,
    world.random.bigBelow(E18),
  ]);
}

export const decimalText = (value: bigint): string => `${value / E18}.${String(value % E18).padStart(18, '0')}`;

export function decimalAtoms(world: World): string {
  return isDue(world) ? world.random.pick([...ODD_NUMBERS, '-1', String(2n * E18)]) : String(decimal(world));
}

export function decimalWord(world: World): string {
  const odd = [
    '',
    '1',
    '0',
    '-0.1',
    '1.1',
    '.5',
    '0.',
    '0.0000000000000000001',
    'abc',
    '1e-2',
    '+0.5',
    '1.000000000000000000',
    '--1',
  ];
  return isDue(world) ? world.random.pick(odd) : decimalText(decimal(world));
}

export function denom(world: World): string {
  const { random } = world;
  if (isDue(world))
    return random.pick([
      '',
      'a',
      'aTest',
      'x'.repeat(129),
      '1abc',
      'a test',
      'nothere',
      'erc20:0x0',
      'ibc/ab',
      'stake',
      'a!b',
      'ü'.repeat(5),
    ]);
  return random.chance(0.8) ? 'atest' : random.pick(world.denoms);
}

export function coin(world: World, of = denom(world)): Uint8Array {
  const fields = [bytes(1, Buffer.from(of)), bytes(2, Buffer.from(amount(world)))];
  return write(isDue(world) ? fields.slice(world.random.below(3)) : fields);
}

/** Coins as the SDK wants them: sorted, each denom once. */
export function coins(world: World): readonly Uint8Array[] {
  const { random } = world;
  if (isDue(world)) return Array.from({ length: random.below(4) }, () => coin(world));
  const chosen = random.chance(0.8) ? [denom(world)] : world.denoms.filter(() => random.chance(0.5));
  return chosen.toSorted((a, b) => (a < b ? -1 : 1)).map((each) => coin(world, each));
}

const ODD_ADDRESSES = [
  '',
  ' ',
  'cosmos1',
  'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a',
  '0x7cb61d4117ae31a12e393a1cfa3bac666481d02e',
  'cosmos10jmp6sgh4cc6zt3e8gw05wavvejgr5pwsjskvw',
  'COSMOS10JMP6SGH4CC6ZT3E8GW05WAVVEJGR5PWSJSKVV',
  'cosmos10jmp6sgh4cc6zt3e8gw05wavvejgr5pWSJSKVV',
  ' cosmos10jmp6sgh4cc6zt3e8gw05wavvejgr5pwsjskvv',
  'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9',
  'cosmos1550dq7',
  'x'.repeat(200),
];

export function oddAddress(world: World): Uint8Array {
  const { random, prefix } = world;
  return random.weighted<() => Uint8Array>([
    [6, () => Buffer.from(random.pick(ODD_ADDRESSES))],
    [1, () => oddText(world)],
    [2, () => Buffer.from(encodeAddress(prefix, random.bytes(random.pick([1, 19, 21, 32, 64, 255]))))],
    [2, () => Buffer.from(random.pick(world.actors).operator)],
    [1, () => Buffer.from(encodeAddress(`${prefix}valcons`, random.bytes(20)))],
    [1, () => Buffer.from(random.pick(world.modules))],
  ])();
}

export function address(world: World): Uint8Array {
  const { random, prefix, actors, modules } = world;
  if (isDue(world)) return oddAddress(world);
  if (random.chance(0.03)) return Buffer.from(random.pick(modules));
  return Buffer.from(random.chance(0.85) ? random.pick(actors).bech32 : encodeAddress(prefix, random.bytes(20)));
}

/** Operators: of the first accounts, of which some have validators. */
export function operator(world: World): Uint8Array {
  if (isDue(world))
    return world.random.chance(0.5) ? Buffer.from(world.random.pick(world.actors).bech32) : oddAddress(world);
  const known = world.standing.validators;
  if (known.length > 0 && world.random.chance(0.9)) return Buffer.from(world.random.pick(known).operator);
  return Buffer.from(validators(world)[world.random.chance(0.4) ? 0 : world.random.below(4)]?.operator ?? '');
}

/** Accounts that are, or may become, operators of validators. */
export const validators = (world: World): readonly Actor[] => world.actors.slice(0, 4);

/** `google.protobuf.Duration` of nanoseconds. */
export function duration(world: World): Uint8Array {
  const { random } = world;
  if (isDue(world))
    return write(
      random.pick([
        [],
        [number(1, -1n)],
        [number(2, -5n)],
        [number(1, 1n), number(2, -1n)],
        [number(1, 2n ** 62n)],
        [number(1, 315_576_000_001n)],
        [number(2, 2_000_000_000n)],
        [number(1, 9_223_372_037n)],
      ]),
    );
  return write([
    number(1, BigInt(random.between(1, 40))),
    ...(random.chance(0.2) ? [number(2, BigInt(random.below(1_000_000_000)))] : []),
  ]);
}

/** `google.protobuf.Timestamp`, around the newest block or far from it. */
export function timestamp(world: World): Uint8Array {
  const { random } = world;
  if (isDue(world))
    return write(
      random.pick([
        [],
        [number(1, -1n)],
        [number(1, -62_135_596_801n)],
        [number(1, 253_402_300_800n)],
        [number(1, -62_135_596_800n)],
        [number(1, 1n), number(2, -1n)],
        [number(1, 5n), number(2, 1_000_000_000n)],
      ]),
    );
  const seconds = world.time / 1_000_000_000n + BigInt(random.between(-3, 40));
  return write([number(1, seconds), number(2, BigInt(random.pick([0, 1, 500_000_000, 999_999_999])))]);
}

/** A number of 64 bits. */
export function integer(world: World): bigint {
  const { random } = world;
  if (isDue(world)) return random.pick([0n, 1n, -1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 32n]);
  return BigInt(random.between(1, 20));
}
