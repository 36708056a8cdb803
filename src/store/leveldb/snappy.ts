/** Decoder of raw snappy blocks (format_description.txt of google/snappy), the compression of LevelDB's tables. */
import { ByteReader, FormatError } from '../bytes.js';

/** Decompresses one block; throws FormatError. `maximum`: limit of the result in bytes. */
export function unpackSnappy(packed: Uint8Array, maximum: number): Uint8Array {
  const reader = new ByteReader(packed);
  const size = reader.count();
  if (size > maximum) throw new FormatError('snappy block too large');
  const out = new Uint8Array(size);
  let length = 0;
  while (reader.remaining > 0) {
    const tag = reader.byte();
    const kind = tag & 3;
    if (kind === 0) {
      const literal = reader.raw(literalLength(tag >>> 2, reader));
      if (length + literal.length > size) throw new FormatError('snappy literal too long');
      out.set(literal, length);
      length += literal.length;
      continue;
    }
    const count = kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const offset = kind === 1 ? ((tag >>> 5) << 8) | reader.byte() : littleEndian(reader, kind === 2 ? 2 : 4);
    if (offset === 0 || offset > length || length + count > size) throw new FormatError('snappy copy out of range');
    for (let index = 0; index < count; index += 1) out[length + index] = out[length + index - offset] ?? 0;
    length += count;
  }
  if (length !== size) throw new FormatError('snappy block ends early');
  return out;
}

function literalLength(code: number, reader: ByteReader): number {
  return (code < 60 ? code : littleEndian(reader, code - 59)) + 1;
}

function littleEndian(reader: ByteReader, bytes: number): number {
  let value = 0;
  for (let index = 0; index < bytes; index += 1) value += reader.byte() * 256 ** index;
  return value;
}
