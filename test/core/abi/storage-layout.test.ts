/**
 * Values of storage by their names. `test/contracts/layout/vault.json` has what solc 0.8.30 wrote for `Vault.sol`, and
 * the storage that a node had after its creation by dev0 with dev1 as the argument.
 */
import { readFileSync } from 'node:fs';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AbiValue, decodeParameters } from '../../../src/core/abi/decode.js';
import { storageLayoutOf } from '../../../src/core/abi/storage-layout.js';
import { locationsAt } from '../../../src/core/abi/storage-names.js';
import {
  contentIn,
  contentValue,
  elementOf,
  entryOf,
  locationsOf,
  type StorageLocation,
  valueIn,
} from '../../../src/core/abi/storage-locations.js';
import { valueText } from '../../../src/core/abi/text.js';
import { bigintOfBytes, wordOf } from '../../../src/core/bytes/big-endian.js';
import { fromHex, hexData } from '../../../src/core/bytes/hex.js';

const crypto = { keccak256: (bytes: Uint8Array): Uint8Array => keccak_256(bytes) };
const vault = JSON.parse(readFileSync(new URL('../../contracts/layout/vault.json', import.meta.url), 'utf8')) as {
  readonly storageLayout: object;
  readonly storage: Readonly<Record<string, string>>;
};
const found = storageLayoutOf(vault.storageLayout);
if (found === undefined) throw new Error('the layout of solc was not read');
const layout = found;

const DEV0 = 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const DEV1 = '70997970c51812dc3a010c7d01b50e0d17dc79c8';
const word = (slot: bigint): Uint8Array =>
  fromHex((vault.storage[hexData(wordOf(slot))] ?? `0x${'0'.repeat(64)}`).slice(2));
const shown = (value: AbiValue | undefined): string | undefined => value && valueText(value, (bytes) => hexData(bytes));

/** The text of a place's value, read from the storage. */
function read(place: StorageLocation): string | undefined {
  if (place.type.kind !== 'bytes') return shown(valueIn(place, word(place.slot)));
  const content = contentIn(crypto, place, word(place.slot));
  if (content.kind === 'inside') return shown(contentValue(place, content.bytes));
  const slots = Array.from({ length: Math.ceil(Number(content.length) / 32) }, (_, at) =>
    word(content.first + BigInt(at)),
  );
  return shown(
    contentValue(place, Uint8Array.from(slots.flatMap((bytes) => [...bytes]).slice(0, Number(content.length)))),
  );
}

const all = layout.variables.flatMap((variable) => locationsOf(layout, variable));
const place = (name: string): StorageLocation => {
  const one = all.find((other) => other.name === name);
  if (one === undefined) throw new Error(`no ${name}`);
  return one;
};
const partsOf = (
  variable: Parameters<typeof locationsOf>[1] | undefined,
): readonly (readonly [string, string | undefined])[] =>
  variable === undefined ? [] : locationsOf(layout, variable).map((one) => [one.name, read(one)]);

describe('storage layout of solc', () => {
  test('gives the value of every variable', () => {
    expect(all.filter(({ type }) => type.kind !== 'mapping').map((one) => [one.name, read(one)])).toEqual([
      ['owner', `0x${DEV0}`],
      ['isOpen', 'true'],
      ['state', '2'],
      ['tick', '-5'],
      ['total', '1000000'],
      ['title', '"short"'],
      ['terms', '"a text of more than thirty-one bytes, which lies in slots of its own"'],
      ['mark', '0xdeadbeef'],
      ['limits.most', '7'],
      ['limits.owner', `0x${DEV1}`],
      ...[0, 11, 22, 33, 44].map((value, index) => [`steps[${index}]`, String(value)]),
      ['history', '2'],
      ['small', '40'],
    ]);
  });

  test('finds entries of mappings and elements of lists', () => {
    const key = { text: 'dev1', bytes: fromHex(DEV1.padStart(64, '0')) };
    expect(partsOf(entryOf(crypto, place('balanceOf'), key))).toEqual([['balanceOf[dev1]', '42']]);
    const inner = entryOf(crypto, place('accounts'), key);
    const [mapping] = inner === undefined ? [] : locationsOf(layout, inner);
    expect(partsOf(mapping && entryOf(crypto, mapping, { text: '3', bytes: wordOf(3n) }))).toEqual([
      ['accounts[dev1][3].amount', '9'],
      ['accounts[dev1][3].since', '1700000000'],
      ['accounts[dev1][3].isActive', 'true'],
      ['accounts[dev1][3].note', '"rent"'],
    ]);
    const rent = { text: 'rent', bytes: new TextEncoder().encode('rent') };
    expect(partsOf(entryOf(crypto, place('byName'), rent))).toEqual([['byName[rent]', '-12']]);
    expect(partsOf(elementOf(crypto, layout, place('history'), 1n))).toEqual([['history[1]', '200']]);
    expect(partsOf(elementOf(crypto, layout, place('small'), 39n))).toEqual([['small[39]', '39']]);
    expect(elementOf(crypto, layout, place('owner'), 0n)).toBeUndefined();
    expect(entryOf(crypto, place('owner'), rent)).toBeUndefined();
  });

  test('names the slots of mappings whose keys are among the given words', () => {
    const slots = new Set(Object.keys(vault.storage).map((slot) => bigintOfBytes(fromHex(slot.slice(2)))));
    const words = [fromHex(DEV1.padStart(64, '0')), wordOf(3n)];
    const keyText = (value: AbiValue): string => (value.kind === 'address' ? 'dev1' : (shown(value) ?? ''));
    const names = locationsAt(crypto, { layout, slots, words, keyText });
    // The slot of the mapping with a string key stays without a name.
    expect(slots.size - names.size).toBe(1);
    const texts = [...names.values()].flat().map(({ name }) => name);
    expect(texts).toEqual(
      expect.arrayContaining([
        'balanceOf[dev1]',
        'accounts[dev1][3].amount',
        'history[0]',
        'small[33]',
        'terms, bytes 32 on',
      ]),
    );
  });

  test('is refused when it is malformed', () => {
    const [first, ...others] = (vault.storageLayout as { storage: object[] }).storage;
    const { types } = vault.storageLayout as { types: Record<string, object> };
    for (const json of [
      undefined,
      [],
      { storage: [], types: null },
      { storage: [{ ...first, slot: '-1' }, ...others], types },
      { storage: [{ ...first, offset: 32 }, ...others], types },
      { storage: [{ ...first, type: 't_other' }, ...others], types },
      { storage: [first], types: { t_address: { ...types['t_address'], numberOfBytes: '33' } } },
      { storage: [first], types: { t_address: { ...types['t_address'], encoding: 'other' } } },
    ])
      expect(storageLayoutOf(json)).toBeUndefined();
  });

  test('terminates on a struct that contains itself', () => {
    const self = { encoding: 'inplace', label: 'struct S', numberOfBytes: '32' };
    const member = (name: string) => ({ label: name, offset: 0, slot: '0', type: 't_struct' });
    const endless = storageLayoutOf({
      storage: [member('a')],
      types: { t_struct: { ...self, members: Array.from({ length: 1_000 }, (_, at) => member(`m${at}`)) } },
    });
    expect(endless && locationsOf(endless, endless.variables[0] ?? (member('a') as never))).toEqual([]);
  });

  test('never throws on arbitrary JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (storage, types) => {
        storageLayoutOf({ storage, types });
        storageLayoutOf(storage);
      }),
    );
  });
});

test('a value packed into a slot decodes as the ABI decodes it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.integer({ min: 0, max: 30 }), (bytes, offset) => {
      const type = { kind: 'value', label: 'uint16', size: 2, type: { kind: 'uint', bits: 16 } } as const;
      const whole = wordOf((bigintOfBytes(bytes) >> BigInt(8 * offset)) & 0xffffn);
      expect(valueIn({ name: '', slot: 0n, offset, type }, bytes)).toEqual(
        decodeParameters([{ name: '', type: type.type, indexed: false }], whole)?.[0]?.value,
      );
    }),
  );
});
