/**
 * Every row's value is `crc32(key ‖ value) ‖ value`, because LevelDB returns flipped bytes of a table without an error.
 * The checksum covers the key, so that a misplaced row is noticed too.
 */
import { crc32 } from 'node:zlib';
import { writeBe32 } from '../../core/bytes/big-endian.js';
import { hex } from '../../core/bytes/hex.js';
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import { CorruptionError } from '../errors.js';

const CHECKSUM_BYTES = 4;

/** A value as it is stored: whole, or packed (src/store/packing), which an inverted checksum says. */
export interface StoredValue {
  readonly value: Uint8Array;
  readonly isPacked: boolean;
}

/** An operation whose value may be packed. */
export type SealingOperation = StoreOperation & { readonly isPacked?: boolean };

/**
 * The operations of a batch with sealed values, which share the memory of one array: V8 takes each array of more than
 * 64 bytes from the system.
 */
export function sealRows(operations: readonly SealingOperation[]): readonly StoreOperation[] {
  let length = 0;
  for (const one of operations) if (one.type === 'put') length += sealedBytes(one.key, one.value);
  const bytes = new Uint8Array(length);
  let at = 0;
  return operations.map((operation) => {
    if (operation.type === 'delete') return operation;
    const { key, value } = operation;
    const row = sealInto(bytes, at, key, value, operation.isPacked === true);
    at += sealedBytes(key, value);
    return { type: 'put', key, value: row };
  });
}

/** Room that `sealInto` needs. */
function sealedBytes(key: Uint8Array, value: Uint8Array): number {
  return CHECKSUM_BYTES + key.length + value.length;
}

/** Writes key and value at `at`, to sum them in one call, and the checksum over the end of the key. */
function sealInto(bytes: Uint8Array, at: number, key: Uint8Array, value: Uint8Array, isPacked: boolean): Uint8Array {
  const keyAt = at + CHECKSUM_BYTES;
  const valueAt = keyAt + key.length;
  bytes.set(key, keyAt);
  bytes.set(value, valueAt);
  const sum = crc32(bytes.subarray(keyAt, valueAt + value.length));
  // A view of a small array would move its bytes out of the heap, at several times the cost of writing them.
  writeBe32(bytes, valueAt - 4, isPacked ? ~sum >>> 0 : sum);
  return bytes.subarray(valueAt - CHECKSUM_BYTES, valueAt + value.length);
}

/** The value of a whole row (a view on `row`); throws CorruptionError naming the key when the checksum differs. */
export function openRow(key: Uint8Array, row: Uint8Array): Uint8Array {
  const { value, isPacked } = openStored(key, row);
  if (isPacked) throw new CorruptionError('row is packed', { key: hex(key) });
  return value;
}

/** The value of a row as it is stored (a view on `row`); throws CorruptionError as `openRow` does. */
export function openStored(key: Uint8Array, row: Uint8Array): StoredValue {
  if (row.length < CHECKSUM_BYTES) throw new CorruptionError('row too short for its checksum', { key: hex(key) });
  const value = new Uint8Array(row.buffer, row.byteOffset + CHECKSUM_BYTES, row.length - CHECKSUM_BYTES);
  const [first = 0, second = 0, third = 0, fourth = 0] = row;
  const expected = ((first << 24) | (second << 16) | (third << 8) | fourth) >>> 0;
  const sum = checksum(key, value);
  if (sum === expected) return { value, isPacked: false };
  if (~sum >>> 0 === expected) return { value, isPacked: true };
  throw new CorruptionError('row checksum differs', { key: hex(key) });
}

/**
 * CRC-32 over key and value. zlib's crc32 ignores its start value for some empty arrays (those without memory of their
 * own), so it is not called for them.
 */
export function checksum(key: Uint8Array, value: Uint8Array): number {
  return value.length === 0 ? crc32(key) : crc32(value, crc32(key));
}
