import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeAmount } from '../../../../src/core/modules/bank/balances.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

it('decodeAmount reads amounts of every length', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 80n }), fc.nat(80), (amount, digits) => {
      const short = amount % 10n ** BigInt(digits);
      expect(decodeAmount(utf8(short.toString()))).toBe(short);
    }),
  );
});

it.each(['-1', '1.5', '12 ', '0x10'])('decodeAmount refuses %j', (text) => {
  expect(() => decodeAmount(utf8(text))).toThrow('not a number');
});
