import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, toPosition, type Height, type Position } from '../../core/primitives.js';
import { ByteWriter } from '../bytes.js';
import { blocksFloorKey } from '../keys.js';
import { readRow } from '../rows/read-row.js';

/** The lowest block that is kept whole (docs/decisions/0033-pruning-blocks.md). */
export interface BlocksFloor {
  /** Blocks below it are not answered any more; 0 when none was pruned. */
  readonly lowest: Height;
  /** Records that begin before it may lack their results and traces. */
  readonly before: Position;
  /** Rows of the blocks below it are deleted; those up to `lowest` are on their way. */
  readonly cleared: Height;
}

/** The floor of a home that keeps all blocks. */
export const NO_FLOOR: BlocksFloor = { lowest: toHeight(0n), before: toPosition(0n), cleared: toHeight(0n) };

/** Throws CorruptionError. */
export function blocksFloor(store: Pick<KeyValueStore, 'get'>): BlocksFloor {
  const row = store.get(blocksFloorKey());
  return row === undefined ? NO_FLOOR : decodeFloor(row);
}

/** The floor for those who read ranges alone. */
export async function rangedBlocksFloor(store: Pick<KeyValueStore, 'range'>): Promise<BlocksFloor> {
  const start = blocksFloorKey();
  const [row] = await store.range({ start, end: Uint8Array.of(...start, 0), limit: 1 });
  return row === undefined ? NO_FLOOR : decodeFloor(row.value);
}

/** The row that stands for a floor. */
export function blocksFloorRow({ lowest, before, cleared }: BlocksFloor): StoreOperation {
  const writer = new ByteWriter();
  for (const value of [lowest, before, cleared]) writer.uint(value);
  return { type: 'put', key: blocksFloorKey(), value: writer.finish() };
}

function decodeFloor(bytes: Uint8Array): BlocksFloor {
  return readRow('row of the lowest block', bytes, (reader) => ({
    lowest: toHeight(reader.uint()),
    before: toPosition(reader.uint()),
    cleared: toHeight(reader.uint()),
  }));
}
