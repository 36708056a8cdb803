import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toOrderedString } from '../../../src/core/bytes/key-order.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { keyName } from '../../../src/core/state/key-name.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

it('keyName gives the ordered string of a key, also from its cache', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: FIXED_LIMITS.knownKeyBytes + 4 }), { maxLength: 20 }), (keys) => {
      for (const key of [...keys, ...keys.toReversed()]) expect(keyName(key.slice())).toBe(toOrderedString(key));
    }),
  );
});

it.each([4_095, 4_096, 4_097, 8_192, 100_001])('a text of %i bytes has all of them in order', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => index * 7);
  expect(toOrderedString(bytes) === Buffer.from(bytes).toString('latin1')).toBe(true);
});

it('keyName keeps keys with equal cache hashes apart', () => {
  // 31 times the first byte and the second one added: `Aa` and `BB` are the same number.
  const keys = ['AaBB', 'BBAa', 'AaAa', 'BBBB'];
  for (const text of [...keys, ...keys]) expect(keyName(utf8(text))).toBe(text);
});

it('keyName keeps a key and its prefix apart', () => {
  for (const length of [0, 1, 2, 1, 0]) expect(keyName(new Uint8Array(length))).toBe('\0'.repeat(length));
});
