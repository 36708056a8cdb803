import fc from 'fast-check';
import { type AbiParameter as ViemParameter, encodeAbiParameters, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { type AbiValue, decodeParameters } from '../../../src/core/abi/decode.js';
import { parametersOf, typeOf, typeText } from '../../../src/core/abi/type.js';
import { fromHex, hexData } from '../../../src/core/bytes/hex.js';
import { checksumAddress } from '../../../src/core/keys/address.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { PURE_KEY_CRYPTO } from '../../support/pure-key-crypto.js';
import { propertyRuns } from '../../support/property-runs.js';

interface Sample {
  readonly parameter: ViemParameter;
  readonly value: unknown;
}

/** A type with a value of it, as viem takes both. */
const sample: fc.Arbitrary<Sample> = fc.letrec<{ any: Sample }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf('uint256', fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })),
    leaf('uint8', fc.integer({ min: 0, max: 255 })),
    leaf('int64', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    leaf('bool', fc.boolean()),
    leaf(
      'address',
      bytes(20, 20).map((hex) => checksumAddress(PURE_KEY_CRYPTO, fromHex(hex.slice(2)))),
    ),
    leaf('bytes', bytes(0, 70)),
    leaf('bytes4', bytes(4, 4)),
    leaf('string', fc.string({ unit: 'grapheme', maxLength: 40 })),
    tie('any').chain(({ parameter, value }) =>
      fc.integer({ min: 0, max: 3 }).chain((length) =>
        fc.boolean().map((isFixed) => ({
          parameter: { ...parameter, type: `${parameter.type}[${isFixed && length > 0 ? length : ''}]` },
          value: Array.from({ length }, () => value),
        })),
      ),
    ),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((members) => ({
      parameter: {
        type: 'tuple',
        name: '',
        components: members.map(({ parameter }, index) => ({ ...parameter, name: `m${index}` })),
      },
      value: Object.fromEntries(members.map(({ value }, index) => [`m${index}`, value])),
    })),
  ),
})).any;

function leaf(type: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Sample> {
  return value.map((one) => ({ parameter: { type, name: '' }, value: one }));
}

function bytes(minLength: number, maxLength: number): fc.Arbitrary<Hex> {
  return fc.uint8Array({ minLength, maxLength }).map((some) => hexData(some) as Hex);
}

/** A decoded value as viem takes it. */
function viemValue(value: AbiValue): unknown {
  switch (value.kind) {
    case 'number':
      return value.value;
    case 'bool':
    case 'string':
      return value.value;
    case 'address':
      return checksumAddress(PURE_KEY_CRYPTO, value.value);
    case 'bytes':
      return hexData(value.value);
    case 'list':
      return value.items.map((item) => viemValue(item));
    case 'struct':
      return Object.fromEntries(value.members.map(({ name, value: member }) => [name, viemValue(member)]));
  }
}

function withoutNumbers(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map((one) => withoutNumbers(one));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutNumbers(one)]));
  return value;
}

test('every value that viem encodes is decoded to itself', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 4 }), (samples) => {
      const encoded = encodeAbiParameters(
        samples.map(({ parameter }) => parameter),
        samples.map(({ value }) => value),
      );
      const parameters = parametersOf(samples.map(({ parameter }) => parameter));
      expect(parameters).toBeDefined();
      const decoded = decodeParameters(parameters ?? [], fromHex(encoded.slice(2)));
      expect(decoded?.map(({ value }) => viemValue(value))).toEqual(samples.map(({ value }) => withoutNumbers(value)));
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('the decoder never throws on random bytes: it returns undefined or one value for each parameter', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 3 }), fc.uint8Array({ maxLength: 400 }), (samples, junk) => {
      const parameters = parametersOf(samples.map(({ parameter }) => parameter)) ?? [];
      const decoded = decodeParameters(parameters, junk);
      expect(decoded === undefined || decoded.length === parameters.length).toBe(true);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('the decoder gives up on nested arrays whose offsets all point at one place', () => {
  // Each level is an array of 30 offsets that all point at the next level.
  const depth = 10;
  const width = 30;
  const type = typeOf(`uint256${'[]'.repeat(8)}`);
  expect(type).toBeDefined();
  const words: bigint[] = [32n];
  for (let level = 0; level < depth; level += 1) {
    words.push(BigInt(width));
    for (let index = 0; index < width; index += 1) words.push(BigInt(width * 32));
  }
  const data = fromHex(words.map((word) => word.toString(16).padStart(64, '0')).join(''));
  expect(type && decodeParameters([{ name: '', type, indexed: false }], data)).toBeUndefined();
});

test('the decoder cuts a long string at its limit when many offsets point at it', () => {
  const count = 500;
  const type = typeOf('string[]');
  const words = [32n, BigInt(count), ...Array.from({ length: count }, () => BigInt(count * 32)), 1_000_000n];
  const head = words.map((word) => word.toString(16).padStart(64, '0')).join('');
  const decoded =
    type && decodeParameters([{ name: '', type, indexed: false }], fromHex(head + '61'.repeat(1_000_000)));
  const list = decoded?.[0]?.value;
  expect(list?.kind === 'list' && list.items.length).toBe(count);
  const lengths =
    list?.kind === 'list' ? list.items.map((item) => (item.kind === 'string' ? item.value.length : 0)) : [];
  expect(new Set(lengths)).toEqual(new Set([FIXED_LIMITS.abiTextBytes]));
});

test('a type is written as its canonical signature text, and unknown type names are refused', () => {
  const [parameter] =
    parametersOf([
      {
        name: 'orders',
        type: 'tuple[2][]',
        components: [
          { name: 'owner', type: 'address' },
          { name: 'amounts', type: 'uint[]' },
        ],
      },
    ]) ?? [];
  expect(parameter && typeText(parameter.type)).toBe('(address,uint256[])[2][]');
  for (const wrong of ['uint7', 'bytes33', 'uint264', 'fixed', 'uint256[', '']) expect(typeOf(wrong)).toBeUndefined();
});
