/**
 * Every row's value is `crc32(key ‖ value) ‖ value`, because LevelDB returns flipped bytes of a table without an error.
 * The checksum covers the key, so that a misplaced row is noticed too.
 */
import { crc32 } from 'node:zlib';
import { writeBe32 } from '../core/bytes/big-endian.js';
import { hex } from '../core/bytes/hex.js';
import type { StoreOperation } from '../core/ports/key-value-store.js';
import { CorruptionError } from './errors.js';

const CHECKSUM_BYTES = 4;

/** The operations of a batch with sealed values. */
export function sealRows(operations: readonly StoreOperation[]): readonly StoreOperation[] {
  return operations.map((operation) => {
    if (operation.type === 'delete') return operation;
    const { key, value } = operation;
    const row = new Uint8Array(CHECKSUM_BYTES + value.length);
    writeBe32(row, 0, checksum(key, value));
    row.set(value, CHECKSUM_BYTES);
    return { type: 'put', key, value: row };
  });
}

/** The value (a view on `row`); throws CorruptionError naming the key when the checksum differs. */
export function openRow(key: Uint8Array, row: Uint8Array): Uint8Array {
  if (row.length < CHECKSUM_BYTES) throw new CorruptionError('row too short for its checksum', { key: hex(key) });
  const value = new Uint8Array(row.buffer, row.byteOffset + CHECKSUM_BYTES, row.length - CHECKSUM_BYTES);
  const [first = 0, second = 0, third = 0, fourth = 0] = row;
  const expected = ((first << 24) | (second << 16) | (third << 8) | fourth) >>> 0;
  if (checksum(key, value) !== expected) throw new CorruptionError('row checksum differs', { key: hex(key) });
  return value;
}

/**
 * zlib's crc32 ignores its start value for some empty arrays (those without memory of their own), so it is not called
 * for them.
 */
function checksum(key: Uint8Array, value: Uint8Array): number {
  return value.length === 0 ? crc32(key) : crc32(value, crc32(key));
}
