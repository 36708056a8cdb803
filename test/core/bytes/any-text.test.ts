/** Strings for bytes that may be invalid UTF-8: each invalid byte becomes a lone surrogate, and back. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { reflect } from '@bufbuild/protobuf/reflect';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import '../../../src/core/text/message-text.js';
import { text, utf8, utf8Into } from '../../../src/core/bytes/bytes.js';
import { DescriptionSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/staking_pb.js';
import { ByteReader, ByteWriter } from '../../../src/store/bytes.js';
import { CODE_POINT } from '../../support/code-point.js';

/** Pieces of valid UTF-8, random bytes and invalid sequences. */
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 6 }),
  fc.string({ unit: CODE_POINT, maxLength: 6 }).map((each) => Uint8Array.from(Buffer.from(each))),
  fc.constantFrom([0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xef, 0xbf, 0xbd], [0xef, 0xbb, 0xbf]),
);
const bytes = fc.array(piece, { maxLength: 40 }).map((pieces) => Uint8Array.from(pieces.flatMap((each) => [...each])));

it('any bytes survive the way to a string and back', () => {
  fc.assert(
    fc.property(bytes, (given) => {
      expect(utf8(text(given))).toEqual(given);
      const room = new Uint8Array(text(given).length * 3);
      expect(room.subarray(0, utf8Into(text(given), room).written)).toEqual(given);
    }),
  );
});

it('valid UTF-8 decodes as in TextDecoder, but keeps its byte order mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT }), (given) => {
      expect(text(Buffer.from(given))).toBe(given.toWellFormed());
      expect(utf8(given)).toEqual(new TextEncoder().encode(given));
    }),
  );
  expect(text(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
});

it.each([
  ['a byte that starts no sequence', [0x61, 0xff, 0x62], 'a\udcffb'],
  ['a sequence that ends early', [0xe2, 0x82], '\udce2\udc82'],
  ['a surrogate', [0xed, 0xa0, 0x80], '\udced\udca0\udc80'],
  ['an overlong form', [0xc0, 0x80], '\udcc0\udc80'],
  ['a code point beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80], '\udcf4\udc90\udc80\udc80'],
  ['a replacement character beside another byte', [0xef, 0xbf, 0xbd, 0x80], '\ufffd\udc80'],
])('%s decodes to a lone surrogate for each invalid byte', (_, given, expected) => {
  expect(text(Uint8Array.from(given))).toBe(expected);
});

it('lone surrogates that stand for no byte are encoded as U+FFFD', () => {
  expect(utf8('\ud800a\udc7f\udd00')).toEqual(new TextEncoder().encode('\ufffda\ufffd\ufffd'));
});

it('invalid UTF-8 in text fields survives codecs, reflection and the event log', () => {
  fc.assert(
    fc.property(bytes, (given) => {
      const encoded = toBinary(DescriptionSchema, create(DescriptionSchema, { moniker: text(given) }));
      const decoded = fromBinary(DescriptionSchema, encoded);
      expect(decoded.moniker).toBe(text(given));
      expect(toBinary(DescriptionSchema, decoded)).toEqual(encoded);
      const reflected = reflect(DescriptionSchema);
      reflected.set(DescriptionSchema.field.moniker, text(given));
      expect(reflected.get(DescriptionSchema.field.moniker)).toBe(text(given));
      if (given.length > 0) expect(new BinaryReader(encoded.subarray(1)).bytes()).toEqual(given);
      const writer = new ByteWriter();
      writer.text(text(given));
      expect(new ByteReader(writer.finish()).text()).toBe(text(given));
    }),
  );
});
