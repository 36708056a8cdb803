import type { Filter } from '../../core/filters/index.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height, Position, TimeNs } from '../../core/primitives.js';
import { checkpointFormat, checkpointHeight } from '../../store/checkpoints/checkpoints.js';
import { blocksFloor, type BlocksFloor } from '../../store/log/blocks-floor.js';
import { CorruptionError } from '../../store/errors.js';
import { readFilter, readFilters } from '../../store/filters/filters.js';
import { indexedThrough } from '../../store/index-rows/index-rows.js';
import { FormatError } from '../../store/bytes.js';
import { devRowsBefore } from '../../store/dev/dev-rows.js';
import { poolCheckpointAt, readPoolCheckpoint, type WaitingRow } from '../../store/pool/pool-checkpoint.js';
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
  /** Number of its format. */
  readonly checkpointFormat: number | undefined;
  /** Lowest height whose state is kept. */
  readonly stateFloor: Height | undefined;
  /** Lowest block that is kept whole. */
  readonly blocksFloor: BlocksFloor | undefined;
  /** The filter with this id, with its cursor and deadline. */
  filter(id: string): Filter | undefined;
  /** All filters: an anchor does not name those that were created before it. */
  filters(): Promise<readonly Filter[]>;
  /** Transactions that wait at that checkpoint: an anchor does not hold those that were admitted before it. */
  waiting(): Promise<readonly WaitingRow[]>;
  /** Rows of dev mode up to an anchor. */
  dev(anchor: { readonly position: Position; readonly height: Height }): ReturnType<typeof devRowsBefore>;
  /** The time of filters that begin anew. */
  readonly now: TimeNs;
}

const NOTHING_OF_DEV = { rows: [], ids: [] };

/** The bookkeeping of a home that has none yet. */
export const NO_HOST_ROWS: Omit<HostRows, 'now'> = {
  indexedThrough: undefined,
  waitingAt: undefined,
  checkpoint: undefined,
  checkpointFormat: undefined,
  stateFloor: undefined,
  blocksFloor: undefined,
  filter: () => undefined,
  filters: () => Promise.resolve([]),
  waiting: () => Promise.resolve([]),
  dev: () => Promise.resolve(NOTHING_OF_DEV),
};

/** Reads the bookkeeping of a database whose rows may be damaged. */
export function readHostRows(store: Pick<KeyValueStore, 'get' | 'range'>, now: TimeNs): HostRows {
  return {
    indexedThrough: unlessDamaged(() => indexedThrough(store)),
    waitingAt: unlessDamaged(() => poolCheckpointAt(store)),
    checkpoint: unlessDamaged(() => checkpointHeight(store)),
    checkpointFormat: unlessDamaged(() => checkpointFormat(store)),
    stateFloor: unlessDamaged(() => lowestHeight(store)),
    blocksFloor: unlessDamaged(() => blocksFloor(store)),
    filter: (id) => unlessDamaged(() => readFilter(store, id)),
    filters: () => orDamaged(readFilters(store), []),
    waiting: async () => (await orDamaged(readPoolCheckpoint(store), undefined))?.waiting ?? [],
    dev: (anchor) => orDamaged(devRowsBefore(store, anchor), NOTHING_OF_DEV),
    now,
  };
}

/** Answers as `read` does; undefined when the row that it reads is damaged. */
export function unlessDamaged<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    return ofDamage(error, undefined);
  }
}

/** Answers as `read` does; `otherwise` when a row that it reads is damaged. */
async function orDamaged<Value>(read: Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    return ofDamage(error, otherwise);
  }
}

function ofDamage<Value>(error: unknown, otherwise: Value): Value {
  if (error instanceof CorruptionError || error instanceof FormatError || error instanceof RangeError) return otherwise;
  throw error;
}
