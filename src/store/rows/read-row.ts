import { hex } from '../../core/bytes/hex.js';
import { ByteReader, FormatError } from '../bytes.js';
import { CorruptionError } from '../errors.js';

/**
 * Reads a row to its end. Throws CorruptionError that names the row as `what`, and its key where it is given, for bytes
 * of another format.
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
