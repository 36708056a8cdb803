/** The ABI codec of precompiles, compared with viem's, and its errors with go-ethereum's texts. */
import fc from 'fast-check';
import { decodeAbiParameters, encodeAbiParameters, type AbiParameter } from 'viem';
import { describe, expect, test } from 'vitest';
import { bytesOfDigits, hex } from '../../../src/core/bytes/hex.js';
import { AbiInput } from '../../../src/core/precompiles/abi/abi-type.js';
import { bytes, decodeAll, encodeAll, listOf, text, tuple } from '../../../src/core/precompiles/abi/compounds.js';
import { address, bool, int, uint, uint256 } from '../../../src/core/precompiles/abi/words.js';
import { propertyRuns } from '../../support/property-runs.js';

const coin = tuple({ denom: text, amount: uint256 });
const TYPES = [
  address,
  listOf(coin),
  bool,
  tuple({ at: int(64), by: uint(8) }),
  bytes,
  listOf(listOf(uint(64))),
] as const;
const VIEM: readonly AbiParameter[] = [
  { type: 'address' },
  {
    type: 'tuple[]',
    components: [
      { name: 'denom', type: 'string' },
      { name: 'amount', type: 'uint256' },
    ],
  },
  { type: 'bool' },
  {
    type: 'tuple',
    components: [
      { name: 'at', type: 'int64' },
      { name: 'by', type: 'uint8' },
    ],
  },
  { type: 'bytes' },
  { type: 'uint64[][]' },
];

const values = fc.tuple(
  fc.uint8Array({ minLength: 20, maxLength: 20 }),
  fc.array(fc.record({ denom: fc.string(), amount: fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }) }), { maxLength: 4 }),
  fc.boolean(),
  fc.record({ at: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), by: fc.bigInt({ min: 0n, max: 255n }) }),
  fc.uint8Array({ maxLength: 70 }),
  fc.array(fc.array(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), { maxLength: 3 }), { maxLength: 3 }),
);

const fromText = (data: string): Uint8Array => bytesOfDigits(data.slice(2)) ?? new Uint8Array(0);

describe('values', () => {
  test('are encoded as by viem, and decoded again', () => {
    fc.assert(
      fc.property(values, ([owner, coins, flag, pair, data, lists]) => {
        const ours = encodeAll(TYPES, [owner, coins, flag, pair, data, lists]);
        const theirs = encodeAbiParameters(VIEM, [
          `0x${hex(owner)}`,
          coins,
          flag,
          { at: pair.at, by: Number(pair.by) },
          `0x${hex(data)}`,
          lists,
        ]);
        expect(`0x${hex(ours)}`).toBe(theirs);
        expect(decodeAbiParameters(VIEM, theirs)).toHaveLength(TYPES.length);
        expect(decodeAll(TYPES, new AbiInput(ours))).toEqual([owner, coins, flag, pair, data, lists]);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test.each([
    ['a short head', [uint256], '0x00', 'abi: cannot marshal in to go type: length insufficient 1 require 32'],
    ['a number too wide', [uint(8)], `0x${'00'.repeat(30)}0100`, 'abi: improperly encoded uint8 value'],
    ['a boolean of two', [bool], `0x${'00'.repeat(31)}02`, 'abi: improperly encoded boolean value'],
    [
      'an offset past the end',
      [text],
      `0x${'00'.repeat(31)}40`,
      'abi: cannot marshal in to go slice: offset 96 would go over slice boundary (len=32)',
    ],
    [
      'a length past the end',
      [text],
      `0x${'00'.repeat(31)}20${'00'.repeat(31)}05`,
      'abi: cannot marshal in to go type: length insufficient 64 require 69',
    ],
  ])('%s is refused', (_, types, data, message) => {
    expect(() => decodeAll(types, new AbiInput(fromText(data)))).toThrow(message);
  });

  test('repeated offsets to the same bytes are refused beyond a limit', () => {
    const word = (value: number): string => value.toString(16).padStart(64, '0');
    const size = 2_000;
    const heads = Array.from({ length: size }, () => word(size * 32)).join('');
    const data = fromText(`0x${word(32)}${word(size)}${heads}${word(32_000)}${'61'.repeat(32_000)}`);
    expect(() => decodeAll([listOf(text)], new AbiInput(data))).toThrow('bytes of values');
  });
});
