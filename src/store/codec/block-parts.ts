/**
 * Splits an encoded tendermint.types.Block around the contents of its field 2 (Data: the transactions). The
 * transactions get a section of their own, and joining the parts restores the exact bytes.
 */
import { concat, EMPTY } from '../../core/bytes/bytes.js';
import { ByteReader, ByteWriter, uintBytes } from '../bytes.js';

const DATA_TAG = 0x12;
const TAG_BYTES = 1;
const LENGTH_DELIMITED = 2;

export interface BlockParts {
  readonly before: Uint8Array;
  /** Encoded tendermint.types.Data; undefined when the block has no field 2 or encodes it in an unusual way. */
  readonly data: Uint8Array | undefined;
  readonly after: Uint8Array;
}

/** Splits an encoded block at its `Data` message. A block in an unexpected encoding is returned whole in `before`. */
export function splitBlock(block: Uint8Array): BlockParts {
  const whole: BlockParts = { before: block, data: undefined, after: EMPTY };
  const reader = new ByteReader(block);
  try {
    while (reader.remaining > 0) {
      const start = block.length - reader.remaining;
      const tag = reader.byte();
      if ((tag & 7) !== LENGTH_DELIMITED || tag >= 0x80) return whole;
      const data = reader.bytes();
      if (tag !== DATA_TAG) continue;
      const end = block.length - reader.remaining;
      // `joinBlock` writes the shortest length varint; a longer one could not be restored.
      if (end - start !== TAG_BYTES + uintBytes(data.length) + data.length) return whole;
      return { before: block.subarray(0, start), data, after: block.subarray(end) };
    }
  } catch {
    return whole;
  }
  return whole;
}

/** Inverse of `splitBlock`. */
export function joinBlock({ before, data, after }: BlockParts): Uint8Array {
  if (data === undefined) return concat(before, after);
  const head = new ByteWriter();
  head.byte(DATA_TAG);
  head.uint(data.length);
  return concat(before, head.finish(), data, after);
}
