import { concat } from '../../core/bytes/bytes.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, toPosition, type Height, type Position } from '../../core/primitives.js';
import { ByteWriter } from '../bytes.js';
import { blocksFloorKey } from '../keys.js';
import { readRow } from '../rows/read-row.js';

/** How far blocks are pruned (docs/decisions/0033-pruning-blocks.md). */
export interface BlocksFloor {
  /** Lowest height that queries answer; 0 when nothing was pruned. */
  readonly lowest: Height;
  /** Records that begin before this position may lack results and traces. */
  readonly before: Position;
  /** Blocks below this height are deleted completely; deletion of those up to `lowest` is in progress. */
  readonly cleared: Height;
}

/** The floor when no block was pruned. */
export const NO_FLOOR: BlocksFloor = { lowest: toHeight(0n), before: toPosition(0n), cleared: toHeight(0n) };

/** Reads the floor. Throws CorruptionError. */
export function blocksFloor(store: Pick<KeyValueStore, 'get'>): BlocksFloor {
  const row = store.get(blocksFloorKey());
  return row === undefined ? NO_FLOOR : decodeFloor(row);
}

/** `blocksFloor` for a store that offers ranges only. */
export async function rangedBlocksFloor(store: Pick<KeyValueStore, 'range'>): Promise<BlocksFloor> {
  const start = blocksFloorKey();
  const [row] = await store.range({ start, end: concat(start, Uint8Array.of(0)), limit: 1 });
  return row === undefined ? NO_FLOOR : decodeFloor(row.value);
}

/** Operation that stores a floor. */
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
