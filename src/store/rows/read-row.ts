import { hex } from '../../core/bytes/hex.js';
import { ByteReader, FormatError } from '../bytes.js';
import { CorruptionError } from '../errors.js';

/**
 * Decodes a row with `read`, which must consume all bytes. Converts FormatError to a CorruptionError that names the row
 * as `what`, and its key if given.
 */
export function readRow<Value>(
  what: string,
  bytes: Uint8Array,
  read: (reader: ByteReader) => Value,
  key?: Uint8Array,
): Value {
  try {
    const reader = new ByteReader(bytes);
    const value = read(reader);
    reader.end();
    return value;
  } catch (error) {
    if (error instanceof FormatError)
      throw new CorruptionError(`${what}: ${error.message}`, key === undefined ? {} : { key: hex(key) });
    throw error;
  }
}
