/** Typed data digests (EIP-712); the encoders of viem and ethers are the judges. */
import fc from 'fast-check';
import { TypedDataEncoder } from 'ethers';
import { hashTypedData, type TypedDataDefinition } from 'viem';
import { describe, expect, it } from 'vitest';
import { typedDataDigest } from '../../../src/core/ethereum/typed-data.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { propertyRuns } from '../../support/property-runs.js';

const crypto = createPureCrypto();
const WALLET = `0x${'cd'.repeat(20)}` as const;
const domain = { name: 'Ether Mail', version: '1', chainId: 1, verifyingContract: WALLET } as const;
const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];
const types = {
  EIP712Domain: domainType,
  Person: [
    { name: 'name', type: 'string' },
    { name: 'wallets', type: 'address[]' },
  ],
  Mail: [
    { name: 'from', type: 'Person' },
    { name: 'to', type: 'Person[2]' },
    { name: 'contents', type: 'bytes' },
    { name: 'tag', type: 'bytes4' },
    { name: 'grid', type: 'int16[][2]' },
    { name: 'amount', type: 'uint256' },
    { name: 'urgent', type: 'bool' },
  ],
};

const digestOf = (document: unknown): string => {
  const typed = typedDataDigest(crypto, document);
  return typed.ok ? `0x${Buffer.from(typed.digest).toString('hex')}` : typed.message;
};

const hexOf = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const person = fc.record({ name: fc.string({ unit: 'grapheme' }), wallets: fc.array(hexOf(20), { maxLength: 3 }) });
const mail = fc.record({
  from: person,
  to: fc.tuple(person, person),
  contents: fc.uint8Array().map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  tag: hexOf(4),
  grid: fc.tuple(fc.array(fc.integer({ min: -32768, max: 32767 })), fc.array(fc.integer({ min: -32768, max: 32767 }))),
  amount: fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }).map(String),
  urgent: fc.boolean(),
});

describe('typed data digest', () => {
  it('equals that of viem for nested structs, arrays and every kind of value', () => {
    fc.assert(
      fc.property(mail, (message) => {
        const document = { types, primaryType: 'Mail', domain, message };
        expect(digestOf(JSON.parse(JSON.stringify(document)))).toBe(
          hashTypedData(document as unknown as TypedDataDefinition),
        );
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it('covers the domain alone when it is the primary type, accepts hex numbers and absent structs', () => {
    const alone = { types: { EIP712Domain: domainType }, primaryType: 'EIP712Domain', domain };
    expect(digestOf(alone)).toBe(hashTypedData({ ...alone, message: {} } as unknown as TypedDataDefinition));
    expect(digestOf({ ...alone, domain: { ...domain, chainId: '0x1' } })).toBe(digestOf(alone));
    const linked = {
      EIP712Domain: [],
      Node: [
        { name: 'next', type: 'Node' },
        { name: 'value', type: 'uint8' },
      ],
    };
    expect(
      digestOf({ types: linked, primaryType: 'Node', domain: {}, message: { value: 1, next: { value: 2 } } }),
    ).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('derives a missing domain type from the members of the domain, as viem and ethers do', () => {
    const note = { Note: [{ name: 'text', type: 'string' }] };
    const message = { text: 'hi' };
    const written = [...domainType, { name: 'salt', type: 'bytes32' }];
    const domains = fc.record(
      {
        salt: hexOf(32),
        verifyingContract: hexOf(20),
        chainId: fc.nat(),
        version: fc.string({ unit: 'grapheme' }),
        name: fc.string({ unit: 'grapheme' }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(domains, (some) => {
        const digest = digestOf({ types: note, primaryType: 'Note', domain: some, message });
        expect(digest).toBe(
          hashTypedData({ types: note, primaryType: 'Note', domain: some, message } as TypedDataDefinition),
        );
        expect(digest).toBe(TypedDataEncoder.hash(some, note, message));
        const types = { ...note, EIP712Domain: written.filter(({ name }) => name in some) };
        expect(digest).toBe(digestOf({ types, primaryType: 'Note', domain: some, message }));
        const absent = { name: null, version: null, chainId: null, verifyingContract: null, salt: null, ...some };
        expect(digestOf({ types: note, primaryType: 'Note', domain: absent, message })).toBe(digest);
      }),
      { numRuns: propertyRuns(50) },
    );
    const alone = { types: {}, primaryType: 'EIP712Domain', domain };
    expect(digestOf(alone)).toBe(hashTypedData({ ...alone, message: {} } as unknown as TypedDataDefinition));
    expect(digestOf({ types: {}, primaryType: 'Note', domain, message })).toBe('primaryType is not one of the types');
    expect(digestOf({ types: note, primaryType: 'Note', message })).toBe('domain is not an object');
  });

  const one = (type: string, value: unknown) => ({
    types: { EIP712Domain: [], One: [{ name: 'value', type }] },
    primaryType: 'One',
    domain: {},
    message: { value },
  });
  it.each<readonly [string, unknown]>([
    ['a document that is not an object', 7],
    ['a document without types', { primaryType: 'A' }],
    ['a document without domain', { types: { A: [] }, primaryType: 'A', message: {} }],
    ['an unknown primary type', { types: { EIP712Domain: [] }, primaryType: 'A', domain: {}, message: {} }],
    ['members that are not a list', { types: { EIP712Domain: 1 }, primaryType: 'EIP712Domain', domain: {} }],
    [
      'too many types',
      {
        types: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`T${index}`, []])),
        primaryType: 'T0',
        domain: {},
      },
    ],
    [
      'too many members',
      {
        types: { EIP712Domain: Array.from({ length: 1_001 }, () => ({ name: 'a', type: 'bool' })) },
        primaryType: 'EIP712Domain',
        domain: {},
      },
    ],
    ['an unknown kind', one('float', 1)],
    ['a number that is too large', one('uint8', 256)],
    ['a number that is too small', one('int8', -129)],
    ['a negative unsigned number', one('uint8', -1)],
    ['a fraction', one('uint8', 1.5)],
    ['an odd width', one('uint9', 1)],
    ['a width of 0', one('uint0', 0)],
    ['too few bytes', one('bytes4', '0x12')],
    ['text that is not hex', one('bytes', 'zz')],
    ['a short address', one('address', '0x12')],
    ['an array of another length', one('bool[2]', [true])],
    ['a number as bool', one('bool', 1)],
    ['an absent string', one('string', null)],
  ])('is refused for %s', (_, document) => {
    expect(typedDataDigest(crypto, document)).toMatchObject({ ok: false });
  });

  it('is refused for more than typedDataTypes types, typedDataMembers members or typedDataName characters', () => {
    const { typedDataTypes, typedDataMembers, typedDataName } = FIXED_LIMITS;
    const hashed = (some: Readonly<Record<string, readonly object[]>>, name = 'T0'): string =>
      digestOf({ types: { EIP712Domain: [], ...some }, primaryType: name, domain: {}, message: {} });
    const empty = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`T${at}`, []]));
    const members = (count: number) => ({
      ...empty(1),
      T1: Array.from({ length: count }, (_, at) => ({ name: `m${at}`, type: 'bool' })),
    });
    const named = (length: number) => hashed({ ['T'.repeat(length)]: [] }, 'T'.repeat(length));
    const tooMany = `more than ${typedDataTypes} types or ${typedDataMembers} members`;
    expect(hashed(empty(typedDataTypes - 1))).toMatch(/^0x/);
    expect(hashed(empty(typedDataTypes))).toBe(tooMany);
    expect(hashed(members(typedDataMembers))).toMatch(/^0x/);
    expect(hashed(members(typedDataMembers + 1))).toBe(tooMany);
    expect(named(typedDataName)).toMatch(/^0x/);
    expect(named(typedDataName + 1)).toBe('a name or type must be a string of 1 to 256 characters');
  });

  it('is refused when structs are nested too deeply', () => {
    const ring = { EIP712Domain: [], Node: [{ name: 'next', type: 'Node' }] };
    const nested = (depth: number): unknown => JSON.parse(`${'{"next":'.repeat(depth)}{}${'}'.repeat(depth)}`);
    expect(
      typedDataDigest(crypto, { types: ring, primaryType: 'Node', domain: {}, message: nested(60) }),
    ).toMatchObject({ ok: true });
    expect(
      typedDataDigest(crypto, { types: ring, primaryType: 'Node', domain: {}, message: nested(5_000) }),
    ).toMatchObject({ ok: false });
  });

  it('terminates for types that refer to each other', () => {
    const ring = { EIP712Domain: [], A: [{ name: 'b', type: 'B[]' }], B: [{ name: 'a', type: 'A[]' }] };
    expect(digestOf({ types: ring, primaryType: 'A', domain: {}, message: { b: [{ a: [] }] } })).toMatch(/^0x/);
  });

  it('is refused for more than 20,000 values, absent structs of a short document included', () => {
    const members = Array.from({ length: 500 }, (_, i) => ({ name: `m${i}`, type: 'Leaf' }));
    const wide = {
      EIP712Domain: [],
      Leaf: [{ name: 'value', type: 'uint8' }],
      Wide: members,
      All: [{ name: 'all', type: 'Wide[]' }],
    };
    const all = (length: number) =>
      digestOf({ types: wide, primaryType: 'All', domain: {}, message: { all: Array.from({ length }, () => ({})) } });
    expect(all(39)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(all(40)).toBe('more than 20000 values');
    expect(
      digestOf(
        one(
          'uint8[]',
          Array.from({ length: 500_000 }, () => 1),
        ),
      ),
    ).toBe('more than 20000 values');
  });

  it('is refused when a chain of types has too many characters to hash', () => {
    const digest = (types: number): unknown => {
      const name = (index: number): string => `T${index}`;
      const chain = Object.fromEntries(
        Array.from({ length: types }, (_, index) => [
          name(index),
          [
            ...(index + 1 < types ? [{ name: 'next', type: name(index + 1) }] : []),
            ...Array.from({ length: 15 }, (_member, at) => ({ name: `${at}`.padEnd(250, 'x'), type: 'uint8' })),
          ],
        ]),
      );
      const values = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`${at}`.padEnd(250, 'x'), 1]));
      const message = Array.from({ length: types }).reduce<object>((next) => ({ ...values, next }), {});
      return digestOf({ types: { EIP712Domain: [], ...chain }, primaryType: name(0), domain: {}, message });
    };
    expect(digest(10)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(digest(30)).toBe('more than 500000 characters of types to be hashed');
  });

  it('is refused when arrays are nested deeper than 64', () => {
    const nested = (depth: number): unknown => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1);
    expect(digestOf(one(`uint8${'[]'.repeat(63)}`, nested(63)))).toMatch(/^0x[0-9a-f]{64}$/);
    expect(digestOf(one(`uint8${'[]'.repeat(64)}`, nested(64)))).toBe(
      'more than 64 structs and arrays inside each other',
    );
  });
});
