/**
 * The position up to which the log was fsynced when a batch was written; every batch that writes to the log contains
 * this row. After a power cut, if a surviving write follows a lost one, this row proves that the lost part had not been
 * acknowledged as durable.
 */
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import { toPosition, type Position } from '../../core/primitives.js';
import { ByteReader, ByteWriter } from '../bytes.js';
import { durableKey } from '../keys.js';

/** Operation that records the log as durable up to `position`. */
export function durableRow(position: Position): StoreOperation {
  const writer = new ByteWriter();
  writer.uint(position);
  return { type: 'put', key: durableKey(), value: writer.finish() };
}

/** Decodes a durable row; throws FormatError. */
export function decodeDurable(bytes: Uint8Array): Position {
  const reader = new ByteReader(bytes);
  const position = toPosition(reader.uint());
  reader.end();
  return position;
}
