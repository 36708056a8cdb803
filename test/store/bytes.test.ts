import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader, ByteWriter, FormatError } from '../../src/store/bytes.js';

test('a text is written as its length and its UTF-8 bytes, whatever its size and characters', () => {
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
      const bytes = written.finish();
      expect(Buffer.compare(bytes, expected.finish())).toBe(0);
      const reader = new ByteReader(bytes);
      for (const each of texts) expect(reader.text()).toBe(Buffer.from(each).toString());
      reader.end();
    }),
  );
});

test('ByteWriter writes byte arrays whole or from an offset, whatever their number', () => {
  const part = fc
    .uint8Array({ maxLength: 120, size: 'max' })
    .chain((bytes) => fc.record({ bytes: fc.constant(bytes), start: fc.nat({ max: bytes.length }) }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const written = new ByteWriter();
      for (const { bytes, start } of parts) {
        written.bytes(bytes, start);
        written.raw(bytes, start);
        written.raw(bytes);
      }
      const reader = new ByteReader(written.finish());
      for (const { bytes, start } of parts) {
        expect(Buffer.compare(reader.bytes(), bytes.subarray(start))).toBe(0);
        expect(Buffer.compare(reader.raw(bytes.length - start), bytes.subarray(start))).toBe(0);
        expect(Buffer.compare(reader.raw(bytes.length), bytes)).toBe(0);
      }
      reader.end();
    }),
  );
});

test('finished bytes of a writer stay unchanged, whatever later writers write', () => {
  const size = fc.constantFrom(0, 1, 100, 2_047, 2_048, 2_049, 5_000, 70_000);
  fc.assert(
    fc.property(fc.array(fc.array(size, { maxLength: 4 }), { maxLength: 6 }), (writers) => {
      const open = writers.map((sizes, index) => ({ sizes, index, writer: new ByteWriter() }));
      for (const { sizes, index, writer } of open)
        for (const each of sizes) writer.raw(new Uint8Array(each).fill(index));
      const finished = open.map(({ sizes, index, writer }) => {
        const bytes = writer.finish();
        expect(writer.length).toBe(0);
        const total = sizes.reduce<number>((sum, each) => sum + each, 0);
        // A writer reuses the array that another one left.
        writer.raw(new Uint8Array(3_000).fill(0xff));
        return { bytes, expected: new Uint8Array(total).fill(index) };
      });
      for (const { bytes, expected } of finished) expect(Buffer.compare(bytes, expected)).toBe(0);
    }),
  );
});

test('a number of any size is read as it was written, and one of more than ten bytes is rejected', () => {
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
