/**
 * Every stored value is `crc32(key ‖ value) ‖ value`, because LevelDB returns flipped bytes of a table without an
 * error. The checksum covers the key, so that a misplaced row is detected, too.
 */
import { crc32 } from 'node:zlib';
import { writeBe32 } from '../../core/bytes/big-endian.js';
import { hex } from '../../core/bytes/hex.js';
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import { CorruptionError } from '../errors.js';

const CHECKSUM_BYTES = 4;

/** A stored value: whole, or packed (src/store/packing). A packed value has an inverted checksum. */
export interface StoredValue {
  readonly value: Uint8Array;
  readonly isPacked: boolean;
}

/** An operation whose value may be packed. */
export type SealingOperation = StoreOperation & { readonly isPacked?: boolean };

/**
 * Adds checksums to the values of a batch. All values share one buffer, because V8 allocates each array above 64 bytes
 * separately.
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

/** Bytes that `sealInto` needs. */
function sealedBytes(key: Uint8Array, value: Uint8Array): number {
  return CHECKSUM_BYTES + key.length + value.length;
}

/** Writes key and value at `at` to checksum them in one call, then overwrites the end of the key with the checksum. */
function sealInto(bytes: Uint8Array, at: number, key: Uint8Array, value: Uint8Array, isPacked: boolean): Uint8Array {
  const keyAt = at + CHECKSUM_BYTES;
  const valueAt = keyAt + key.length;
  bytes.set(key, keyAt);
  bytes.set(value, valueAt);
  const sum = crc32(bytes.subarray(keyAt, valueAt + value.length));
  // Not through a DataView: it would move the bytes of a small array out of the heap, at several times the cost of the
  // write.
  writeBe32(bytes, valueAt - 4, isPacked ? ~sum >>> 0 : sum);
  return bytes.subarray(valueAt - CHECKSUM_BYTES, valueAt + value.length);
}

/**
 * Verifies the checksum and returns the value of an unpacked row (a view into `row`). Throws CorruptionError naming the
 * key.
 */
export function openRow(key: Uint8Array, row: Uint8Array): Uint8Array {
  const { value, isPacked } = openStored(key, row);
  if (isPacked) throw new CorruptionError('row is packed', { key: hex(key) });
  return value;
}

/**
 * Verifies the checksum and returns the stored value, packed or not (a view into `row`). Throws CorruptionError naming
 * the key.
 */
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
 * CRC-32 over key and value. zlib's crc32 ignores its start value for some empty arrays, so it is not called for an
 * empty value.
 */
export function checksum(key: Uint8Array, value: Uint8Array): number {
  return value.length === 0 ? crc32(key) : crc32(value, crc32(key));
}
