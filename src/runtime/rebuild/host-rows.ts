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
import { poolCheckpointAt, readPoolCheckpoint, type PendingRow } from '../../store/pool/pool-checkpoint.js';
import { lowestHeight } from '../../store/state/latest.js';

/**
 * Rows of a home that cannot be derived from its log: how far checkpoints and index have come, and filter cursors.
 * Undefined where a row is absent or damaged.
 */
export interface HostRows {
  /** Last indexed height. */
  readonly indexedThrough: Height | undefined;
  /** Position of the pool checkpoint. */
  readonly waitingAt: Position | undefined;
  /** Height of the tree checkpoint. */
  readonly checkpoint: Height | undefined;
  /** Format of the tree checkpoint. */
  readonly checkpointFormat: number | undefined;
  /** Lowest readable state. */
  readonly stateFloor: Height | undefined;
  /** How far blocks are pruned. */
  readonly blocksFloor: BlocksFloor | undefined;
  /** The filter with this id, with its cursor and deadline. */
  filter(id: string): Filter | undefined;
  /** All filters, for those created before an anchor. */
  filters(): Promise<readonly Filter[]>;
  /** Pending transactions of the pool checkpoint, for those admitted before an anchor. */
  waiting(): Promise<readonly PendingRow[]>;
  /** Dev-mode rows up to an anchor. */
  dev(anchor: { readonly position: Position; readonly height: Height }): ReturnType<typeof devRowsBefore>;
  /** Current time, for the deadlines of reset filters. */
  readonly now: TimeNs;
}

const NOTHING_OF_DEV = { rows: [], ids: [] };

/** Host rows of a new home. */
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

/** Reads the host rows of a database that may be damaged. */
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

/** Returns the result of `read`; undefined when a row it reads is damaged. */
export function unlessDamaged<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    return ofDamage(error, undefined);
  }
}

/** Resolves with the result of `read`; with `otherwise` when a row it reads is damaged. */
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
