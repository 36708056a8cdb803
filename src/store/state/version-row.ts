import { toHeight, type Height } from '../../core/primitives.js';
import { readU64 } from '../bytes.js';
import { writeBe64 } from '../../core/bytes/big-endian.js';

/**
 * One version of one key: a row of `latest`, and unchanged as pre-image in the undo page of the block that replaced it.
 * Bytes: height (8), height of the version before plus one or zero when there was none (8), kind (1), value.
 */
export interface Version {
  /** Block that wrote the version. */
  readonly height: Height;
  /** Block that wrote the previous version, whose bytes are in the undo page of `height`. */
  readonly previous: Height | undefined;
  /** Undefined when the block deleted the key. */
  readonly value: Uint8Array | undefined;
}

const VALUE_OFFSET = 17;

/** Bytes of a version. */
export function encodeVersion({ height, previous, value }: Version): Uint8Array {
  const row = new Uint8Array(VALUE_OFFSET + (value?.length ?? 0));
  writeBe64(row, 0, height);
  if (previous !== undefined) writeBe64(row, 8, previous + 1n);
  if (value !== undefined) {
    row[VALUE_OFFSET - 1] = 1;
    row.set(value, VALUE_OFFSET);
  }
  return row;
}

/** Inverse of `encodeVersion`; the value shares the memory of `bytes`. */
export function decodeVersion(bytes: Uint8Array): Version {
  const previousPlusOne = readU64(bytes, 8);
  return {
    height: toHeight(readU64(bytes, 0)),
    previous: previousPlusOne === 0n ? undefined : toHeight(previousPlusOne - 1n),
    value: bytes[VALUE_OFFSET - 1] === 0 ? undefined : bytes.subarray(VALUE_OFFSET),
  };
}
