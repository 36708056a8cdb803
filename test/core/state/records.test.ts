import { describe, expect, it } from 'vitest';
import { text, utf8 } from '../../../src/core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { CacheStore, EMPTY_STATE } from '../../../src/core/state/overlay.js';
import { Records } from '../../../src/core/state/records.js';

interface Named {
  readonly name: string;
}

/** Records over an empty store, with the list of texts that they decoded. */
function counted() {
  const decoded: string[] = [];
  const records = new Records<Named>('bank', {
    encode: ({ name }) => utf8(name),
    decode(bytes) {
      decoded.push(text(bytes));
      return { name: text(bytes) };
    },
  });
  return { records, decoded, store: new CacheStore(EMPTY_STATE) };
}

const keyOf = (number: number): Uint8Array => utf8(`key ${number}`);

describe('decoded records of a store', () => {
  it('are cached by byte array: decoded once, not at all after set, and again for another array', () => {
    const { records, decoded, store } = counted();
    const own = { name: 'own' };
    expect(records.get({ store }, keyOf(1))).toBeUndefined();
    records.set({ store }, keyOf(1), own);
    expect(store.get('bank', keyOf(1))).toEqual(utf8('own'));
    expect(records.get({ store }, keyOf(1))).toBe(own);
    expect(decoded).toEqual([]);
    store.set('bank', keyOf(1), utf8('own'));
    expect(records.get({ store }, keyOf(1))).toEqual(own);
    expect(records.get({ store }, keyOf(1))).toBe(records.get({ store }, keyOf(1)));
    expect(decoded).toEqual(['own']);
  });

  it('are returned by byte array, whatever was written since', () => {
    const { records, decoded, store } = counted();
    const state = utf8('state');
    records.set({ store }, keyOf(2), { name: 'other' });
    expect(records.decode({ store }, keyOf(1), state).name).toBe('state');
    for (const name of ['first', 'second']) {
      records.set({ store }, keyOf(1), { name });
      expect(records.get({ store }, keyOf(1))?.name).toBe(name);
      // As after an eth_call, which changes nothing.
      expect(records.decode({ store }, keyOf(1), state).name).toBe('state');
    }
    expect(records.get({ store }, keyOf(2))).toEqual({ name: 'other' });
    expect(decoded).toEqual(['state']);
  });

  it('are cached up to the limit', () => {
    const { records, decoded, store } = counted();
    for (let number = 0; number <= FIXED_LIMITS.decodedRecords; number += 1)
      records.set({ store }, keyOf(number), { name: `${number}` });
    const read = (number: number) => records.get({ store }, keyOf(number))?.name;
    expect(read(FIXED_LIMITS.decodedRecords)).toBe(`${FIXED_LIMITS.decodedRecords}`);
    expect(decoded).toEqual([]);
    expect(read(0)).toBe('0');
    expect(decoded).toEqual(['0']);
  });
});
