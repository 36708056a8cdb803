/** Parts of storage variables by keys that a person types, over the layout of `test/contracts/layout/Vault.sol`. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keysOf, partsBy, placesWith } from '../../../src/adapters/pages/browser/data/named-storage.js';
import { wordsOfTexts } from '../../../src/adapters/pages/browser/data/key-words.js';
import { storageLayoutOf } from '../../../src/core/abi/storage-layout.js';
import { fromHex, hexData } from '../../../src/core/bytes/hex.js';

const text = readFileSync(new URL('../../contracts/layout/vault.json', import.meta.url), 'utf8');
const { storageLayout, storage } = JSON.parse(text) as {
  readonly storageLayout: unknown;
  readonly storage: Readonly<Record<string, string>>;
};
const found = storageLayoutOf(storageLayout);
if (found === undefined) throw new Error('the layout of solc is read');
const layout = found;
const DEV1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const places = placesWith(layout, new Map());
const named = (name: string): string => (name === 'dev1' ? DEV1 : name);

function parts(name: string, keys: readonly string[], length = 2n): readonly string[] {
  const place = places.find((one) => one.name === name);
  if (place === undefined) throw new Error(`no ${name}`);
  const value = { kind: 'number', value: length } as const;
  return partsBy(layout, { place, value }, keys, named).map((part) => {
    const slot = `0x${part.slot.toString(16).padStart(64, '0')}`;
    return `${part.name} ${storage[slot] === undefined ? 'empty' : 'there'}`;
  });
}

describe('a typed storage key', () => {
  it('finds the value in the storage', () => {
    expect(parts('balanceOf', ['dev1'])).toEqual(['balanceOf[dev1] there']);
    expect(parts('balanceOf', [` ${DEV1} `])[0]).toContain('there');
    expect(parts('accounts', ['dev1', '3'])).toEqual(['accounts[dev1][3] there']);
    expect(parts('accounts', ['dev1', '4'])).toEqual(['accounts[dev1][4] empty']);
    expect(parts('byName', ['rent'])).toEqual(['byName[rent] there']);
    expect(parts('history', [''])).toEqual(['history[0] there', 'history[1] there']);
    expect(parts('history', ['1'])).toEqual(['history[1] there']);
    const accounts = places.find((one) => one.name === 'accounts');
    expect(accounts && keysOf(layout, accounts).map(({ label }) => label)).toEqual(['address', 'uint256']);
  });

  it.each([
    ['balanceOf', 'dev9', 'an address has 0x and 40 hexadecimal digits'],
    ['history', '2', 'there are 2 elements'],
    ['history', '-1', 'an index is a whole number'],
  ])('of %s, %j, is refused with a reason', (name, key, reason) => {
    expect(() => parts(name, [key])).toThrow(reason);
  });

  it('shows the requested key after its variable', () => {
    const place = places.find((one) => one.name === 'history');
    if (place === undefined) throw new Error('no list');
    const asked = partsBy(layout, { place, value: { kind: 'number', value: 2n } }, ['0'], named);
    const names = placesWith(layout, new Map([['history', asked]])).map(({ name }) => name);
    expect(names.slice(names.indexOf('history'))[1]).toBe('history[0]');
  });
});

it('storage keys of a transaction have 32 bytes, each once', () => {
  const words = wordsOfTexts([DEV1, DEV1.toLowerCase(), '', `${'0'.repeat(63)}5`]).map(hexData);
  expect(words).toEqual([`0x${'0'.repeat(24)}${DEV1.slice(2).toLowerCase()}`, `0x${'0'.repeat(63)}5`]);
  expect(fromHex(words[1]?.slice(2) ?? '')).toHaveLength(32);
});
