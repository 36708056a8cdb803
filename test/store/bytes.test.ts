import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader, ByteWriter, FormatError } from '../../src/store/bytes.js';

test('a text is its UTF-8 bytes behind their length, whatever its size and characters', () => {
  const unit = fc.constantFrom('a', 'é', '€', '😀', '\ud800');
  const text = fc.oneof(
    fc.array(unit, { maxLength: 200 }).map((units) => units.join('')),
    fc
      .record({ unit, length: fc.constantFrom(42, 43, 127, 128, 5_461, 5_462, 16_384) })
      .map(({ unit: one, length }) => one.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
      const written = new ByteWriter();
      const expected = new ByteWriter();
      for (const each of texts) {
        written.text(each);
        expected.bytes(new TextEncoder().encode(each));
      }
      expect(Buffer.compare(written.finish(), expected.finish())).toBe(0);
      const reader = new ByteReader(written.finish());
      for (const each of texts) expect(reader.text()).toBe(Buffer.from(each).toString());
      reader.end();
    }),
  );
});

test('a number of any size is read as it was written, and one of more than ten bytes is refused', () => {
  const number = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 70n - 1n }),
    fc.nat({ max: 69 }).map((bits) => 2n ** BigInt(bits)),
    fc.nat({ max: 70 }).map((bits) => 2n ** BigInt(bits) - 1n),
  );
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 5 }), (numbers) => {
      const written = new ByteWriter();
      for (const each of numbers) written.uint(each);
      const reader = new ByteReader(written.finish());
      for (const each of numbers) expect(reader.uint()).toBe(each);
      reader.end();
    }),
  );
  expect(() => new ByteReader(new Uint8Array(11).fill(0x80)).uint()).toThrow(FormatError);
});
