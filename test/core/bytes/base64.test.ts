import { expect, it } from 'vitest';
import { fromBase64, toBase64, toBase64OrNull } from '../../../src/core/bytes/base64.js';

const LENGTHS = [0, 1, 2, 3, 4, 63, 511, 512, 513, 514, 515, 516, 70_001];

it.each(LENGTHS)('base64 of %d bytes has the letters of RFC 4648 and is decoded to the same bytes', (length) => {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 167 + (at >> 8)) % 256);
  const text = Buffer.from(bytes).toString('base64');
  expect([toBase64(bytes), toBase64OrNull(bytes)]).toEqual([text, length === 0 ? null : text]);
  expect(Buffer.from(fromBase64(text)).equals(bytes)).toBe(true);
});
