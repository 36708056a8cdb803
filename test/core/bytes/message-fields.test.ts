/** `MessageFields` reads fields in place; the generated codec is the judge. */
import { create, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { knownText } from '../../../src/core/bytes/known-text.js';
import { MessageFields } from '../../../src/core/bytes/message-fields.js';
import { ExecTxResultSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';

it('MessageFields reads numbers and texts as the generated codec writes them, also from its cache', () => {
  const texts = fc.oneof(
    fc.constantFrom('amount', 'amounts', 'x'.repeat(128), 'x'.repeat(129), '\u0000', '\u007f', '\u0080', 'ä'),
    fc.string({ maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
  );
  const result = fc.record({
    code: fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 0xffff_ffff })),
    log: texts,
    gasUsed: fc.oneof(fc.bigInt({ min: 0n, max: 1n << 50n }), fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n })),
  });
  fc.assert(
    fc.property(fc.array(result, { minLength: 1, maxLength: 8 }), (results) => {
      for (const init of [...results, ...results]) {
        const read = { code: 0, log: '', gasUsed: 0n };
        const fields = new MessageFields(toBinary(ExecTxResultSchema, create(ExecTxResultSchema, init)));
        while (fields.next()) {
          if (fields.field === 1) read.code = fields.uint32();
          if (fields.field === 3) read.log = fields.text();
          if (fields.field === 6) read.gasUsed = fields.int64();
        }
        expect(read).toEqual(init);
      }
    }),
  );
});

it('the cache of known texts returns the right text when two texts have the same hash', () => {
  // 31 times the first byte and the second one added: `Aa` and `BB` are the same number.
  const bytes = new TextEncoder().encode('AaBBAa');
  const read = [0, 2, 4, 2].map((at) => knownText(bytes, at, at + 2));
  expect(read).toEqual(['Aa', 'BB', 'Aa', 'BB']);
});
