import type { Filter } from '../../core/filters/index.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height, Position, TimeNs } from '../../core/primitives.js';
import { checkpointHeight } from '../../store/checkpoints/checkpoints.js';
import { blocksFloor, type BlocksFloor } from '../../store/blocks-floor.js';
import { CorruptionError } from '../../store/errors.js';
import { readFilter } from '../../store/filters/filters.js';
import { indexedThrough } from '../../store/index-rows/index-rows.js';
import { FormatError } from '../../store/bytes.js';
import { poolCheckpointAt } from '../../store/pool/pool-checkpoint.js';
import { lowestHeight } from '../../store/state/latest.js';

/**
 * Bookkeeping of a home that does not follow from its log: how far its shortcuts came, and what its filters have
 * answered. Undefined where the row is absent or damaged.
 */
export interface HostRows {
  /** Last height of the attribute index. */
  readonly indexedThrough: Height | undefined;
  /** Position of the checkpoint of what waits for a block. */
  readonly waitingAt: Position | undefined;
  /** Height of the checkpoint of the trees. */
  readonly checkpoint: Height | undefined;
  /** Lowest height whose state is kept. */
  readonly stateFloor: Height | undefined;
  /** Lowest block that is kept whole. */
  readonly blocksFloor: BlocksFloor | undefined;
  /** The filter with this id, with its cursor and deadline. */
  filter(id: string): Filter | undefined;
  /** The time of filters that begin anew. */
  readonly now: TimeNs;
}

/** The bookkeeping of a home that has none yet. */
export const NO_HOST_ROWS: Omit<HostRows, 'now'> = {
  indexedThrough: undefined,
  waitingAt: undefined,
  checkpoint: undefined,
  stateFloor: undefined,
  blocksFloor: undefined,
  filter: () => undefined,
};

/** Reads the bookkeeping of a database whose rows may be damaged. */
export function readHostRows(store: Pick<KeyValueStore, 'get'>, now: TimeNs): HostRows {
  return {
    indexedThrough: unlessDamaged(() => indexedThrough(store)),
    waitingAt: unlessDamaged(() => poolCheckpointAt(store)),
    checkpoint: unlessDamaged(() => checkpointHeight(store)),
    stateFloor: unlessDamaged(() => lowestHeight(store)),
    blocksFloor: unlessDamaged(() => blocksFloor(store)),
    filter: (id) => unlessDamaged(() => readFilter(store, id)),
    now,
  };
}

/** Answers as `read` does; undefined when the row that it reads is damaged. */
export function unlessDamaged<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CorruptionError || error instanceof FormatError || error instanceof RangeError)
      return undefined;
    throw error;
  }
}
