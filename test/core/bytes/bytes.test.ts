import fc from 'fast-check';
import { expect, it } from 'vitest';
import { utf8 } from '../../../src/core/bytes/bytes.js';
import { prefixEnd } from '../../../src/core/bytes/key-order.js';
import { CODE_POINT } from '../../support/code-point.js';

it('utf8 is what the encoder makes of every text, short or long, lone surrogates too', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: CODE_POINT, maxLength: 100 }), fc.string({ maxLength: 100 })), (text) => {
      expect(utf8(text)).toEqual(new TextEncoder().encode(text));
    }),
  );
  expect(utf8('\ud800a')).toEqual(new TextEncoder().encode('\ud800a'));
  expect(utf8('')).toEqual(new Uint8Array(0));
});

it('the end of a prefix leaves the prefix as it is, a Buffer too', () => {
  const prefix = Buffer.from([2, 0xff]);
  expect(prefixEnd(prefix)).toEqual(Uint8Array.of(3));
  expect([...prefix]).toEqual([2, 0xff]);
});
