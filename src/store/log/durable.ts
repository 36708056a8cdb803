/**
 * The end of the log that was on the disk when a batch was written: a row of every batch that writes to the log. After
 * a power cut it proves of a write that lies after a lost one that nothing before it had been acknowledged as durable.
 */
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import { toPosition, type Position } from '../../core/primitives.js';
import { ByteReader, ByteWriter } from '../bytes.js';
import { durableKey } from '../keys.js';

/** The row that says that the log up to `position` is on the disk. */
export function durableRow(position: Position): StoreOperation {
  const writer = new ByteWriter();
  writer.uint(position);
  return { type: 'put', key: durableKey(), value: writer.finish() };
}

/** Throws FormatError. */
export function decodeDurable(bytes: Uint8Array): Position {
  const reader = new ByteReader(bytes);
  const position = toPosition(reader.uint());
  reader.end();
  return position;
}
