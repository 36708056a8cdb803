import fc from 'fast-check';
import { expect, it } from 'vitest';
import { utf8 } from '../../../src/core/bytes/bytes.js';

it('utf8 is what the encoder makes of every text, short or long, lone surrogates too', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 100 }), fc.string({ maxLength: 100 })), (text) => {
      expect(utf8(text)).toEqual(new TextEncoder().encode(text));
    }),
  );
  expect(utf8('\ud800a')).toEqual(new TextEncoder().encode('\ud800a'));
  expect(utf8('')).toEqual(new Uint8Array(0));
});
