import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bigintOfBytes, wordOf } from '../../../src/core/bytes/big-endian.js';
import { bytesOfDigits, fromHex, hex, hexData, upperHex } from '../../../src/core/bytes/hex.js';

const bytes = fc.uint8Array({ maxLength: 300 });

it('hex, upperHex and hexData agree with Buffer for bytes of every length', () => {
  fc.assert(
    fc.property(bytes, bytes, (first, second) => {
      const texts = [hex(first), upperHex(first), hexData(first), hex(second), upperHex(second), hexData(second)];
      const digits = [first, second].map((one) => Buffer.from(one).toString('hex'));
      expect(texts).toEqual(digits.flatMap((text) => [text, text.toUpperCase(), `0x${text}`]));
    }),
  );
  for (const length of [0, 63, 64, 65])
    expect(hexData(new Uint8Array(length).fill(0x0f))).toBe(`0x${'0f'.repeat(length)}`);
});

it('hex digits of either case decode to the bytes, and other strings are refused', () => {
  fc.assert(
    fc.property(bytes, (one) => {
      expect(bytesOfDigits(hex(one))).toEqual(Uint8Array.from(one));
      expect(fromHex(upperHex(one))).toEqual(Uint8Array.from(one));
    }),
  );
  const long = Uint8Array.from({ length: 5_000 }, (_, at) => at % 256);
  expect([hex(long), upperHex(long), hexData(long)]).toEqual([
    Buffer.from(long).toString('hex'),
    Buffer.from(long).toString('hex').toUpperCase(),
    `0x${Buffer.from(long).toString('hex')}`,
  ]);
  expect([bytesOfDigits(hex(long)), bytesOfDigits(upperHex(long))]).toEqual([long, long]);
  // the last characters have the low byte of a digit, or are its length in UTF-8
  for (const text of ['g', '\n', 'é', 'š', '\ud800', '😀'])
    expect([bytesOfDigits(`${hex(long)}${text}0`), bytesOfDigits(`${hex(long)}${text}`)]).toEqual([
      undefined,
      undefined,
    ]);
  for (const text of ['0', '0g', '0x', ' 00', '00\n', 'é0']) expect(bytesOfDigits(text)).toBe(undefined);
});

it('a 32-byte word encodes a number and decodes to it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), (number) => {
      expect(bigintOfBytes(wordOf(number))).toBe(number);
      expect(hex(wordOf(number))).toBe(number.toString(16).padStart(64, '0'));
    }),
  );
});
