import fc from 'fast-check';
import { expect, it } from 'vitest';
import { utf8 } from '../../../src/core/bytes/bytes.js';
import { prefixEnd } from '../../../src/core/bytes/key-order.js';
import { CODE_POINT } from '../../support/code-point.js';

it('utf8 gives the bytes of TextEncoder for every string, also with lone surrogates', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: CODE_POINT, maxLength: 100 }), fc.string({ maxLength: 100 })), (text) => {
      expect(utf8(text)).toEqual(new TextEncoder().encode(text));
    }),
  );
  expect(utf8('\ud800a')).toEqual(new TextEncoder().encode('\ud800a'));
  expect(utf8('')).toEqual(new Uint8Array(0));
});

it('prefixEnd gives the end of a prefix that is a Buffer, and leaves the Buffer unchanged', () => {
  const prefix = Buffer.from([2, 0xff]);
  expect(prefixEnd(prefix)).toEqual(Uint8Array.of(3));
  expect([...prefix]).toEqual([2, 0xff]);
});
