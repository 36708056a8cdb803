/** Base64 decoding gives the bytes and error positions of Go 1.24 (`encoding/base64` DecodeString). */
import { describe, expect, it } from 'vitest';
import { readBase64, type Base64Alphabet } from '../../../src/core/bytes/go-base64.js';
import { hex } from '../../../src/core/bytes/hex.js';

/** The decoded bytes in hex, or the position of the error. */
function outcome(text: string, alphabet: Base64Alphabet): string | number {
  const read = readBase64(text, alphabet);
  if (read.ok) return hex(read.value);
  const [, position] = /^illegal base64 data at input byte (\d+)$/.exec(read.problem) ?? [];
  return Number(position);
}

describe('base64 decoding', () => {
  it.each<readonly [text: string, standard: string | number, url: string | number]>([
    ['', '', ''],
    ['YWI=', '6162', '6162'],
    ['YW\nI=\r\n', '6162', '6162'],
    ['YW=\n=', '61', '61'],
    ['YR==', '61', '61'],
    ['-_8=', 0, 'fbff'],
    ['+/8=', 'fbff', 0],
    ['+a-b', 2, 0],
    ['YWI', 0, 0],
    ['YW\nI', 1, 1],
    ['YWJj\nYW', 5, 5],
    ['YWJjYQ=', 7, 7],
    ['Y===', 1, 1],
    ['====', 0, 0],
    ['YW=\nA', 3, 3],
    ['YWI*', 3, 3],
    ['YWI==', 4, 4],
    ['YWI=YWI=', 4, 4],
    ['é===', 0, 0],
  ])('of %j gives the bytes or the error position of Go', (text, standard, url) => {
    expect([outcome(text, 'standard'), outcome(text, 'url')]).toEqual([standard, url]);
  });

  it('restores bytes of every length below 50', () => {
    for (let length = 0; length < 50; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 151 + length * 7) % 256);
      const written = Buffer.from(bytes).toString('base64');
      expect(readBase64(written)).toEqual({ ok: true, value: bytes });
      const url = written.replaceAll('+', '-').replaceAll('/', '_');
      expect(readBase64(url, 'url')).toEqual({ ok: true, value: bytes });
    }
  });
});
