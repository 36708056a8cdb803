/** Arithmetic of decimals, against exact fractions and values of the SDK's documentation of `LegacyDec`. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DEC_ONE,
  mulDec,
  mulDecTruncate,
  parseDec,
  quoDec,
  quoDecTruncate,
  quoDecUp,
  roundDec,
} from '../../../../src/core/sdk/coins/dec.js';

const dec = (text: string): bigint => {
  const value = parseDec(text);
  if (value === undefined) throw new Error(text);
  return value;
};
const any = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 40n });
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

describe('decimals', () => {
  test.each([
    ['0.5', DEC_ONE / 2n],
    ['+0.5', DEC_ONE / 2n],
    ['3', 3n * DEC_ONE],
    ['.5', undefined],
    ['1.', undefined],
    ['++1', undefined],
    ['1.+5', undefined],
    ['1e3', undefined],
    ['', undefined],
  ])('%j is read as in Go', (text, value) => {
    expect(parseDec(text)).toBe(value);
  });

  test('a product is rounded half to even', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        const distance = absolute(2n * (mulDec(a, b) * DEC_ONE - a * b));
        expect(distance <= DEC_ONE).toBe(true);
        if (distance === DEC_ONE) expect(mulDec(a, b) % 2n).toBe(0n);
      }),
    );
    expect([1n, 3n, 5n, -1n, -3n].map((half) => mulDec(half, dec('0.5')))).toEqual([0n, 2n, 2n, 0n, -2n]);
    expect([1n, 3n, 5n].map((half) => roundDec(half * (DEC_ONE / 2n)))).toEqual([0n, 2n, 2n]);
  });

  test('truncated and raised results enclose the exact one', () => {
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const exact = a * b;
        const cut = exact - mulDecTruncate(a, b) * DEC_ONE;
        expect(cut >= 0n && cut < DEC_ONE).toBe(true);
        expect(quoDecTruncate(a, b) * b <= a * DEC_ONE && a * DEC_ONE <= quoDecUp(a, b) * b).toBe(true);
        expect(quoDecUp(a, b) - quoDecTruncate(a, b)).toBe((a * DEC_ONE) % b === 0n ? 0n : 1n);
      }),
    );
  });

  test('a quotient is truncated to 36 decimals before it is rounded', () => {
    expect(quoDec(dec('2'), dec('3'))).toBe(666666666666666667n);
    expect(quoDec(dec('1'), dec('3'))).toBe(333333333333333333n);
    // 0.5000…0001 units: the part above the half is after the 36th decimal and is truncated.
    const divisor = 2n * DEC_ONE - 1n;
    expect(quoDec(1n, divisor)).toBe(roundDec((DEC_ONE * DEC_ONE) / divisor));
  });
});
