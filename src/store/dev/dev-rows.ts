import type { DevEvent } from '../../core/log-events.js';
import { allRows } from '../rows/all-rows.js';
import { CorruptionError } from '../errors.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, toPosition, type Height, type Position } from '../../core/primitives.js';
import { concat } from '../../core/bytes/bytes.js';
import { ByteReader, ByteWriter, readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';

const SHIFT_KEY = Uint8Array.of(PREFIX.dev, 0);
const LAST_ID_KEY = Uint8Array.of(PREFIX.dev, 1);
const SNAPSHOTS = Uint8Array.of(PREFIX.dev, 2);
const SNAPSHOTS_END = Uint8Array.of(PREFIX.dev, 3);
const INSTANCE_KEY = SNAPSHOTS_END;

/** The shift of the block clock after the last TimeShifted event. */
export interface ClockShift {
  /** Nanoseconds. */
  readonly shift: bigint;
  /** Position of that event. */
  readonly position: Position;
}

/** Dev-mode snapshots (`evm_snapshot`) as stored. */
export interface StoredSnapshots {
  /** Highest snapshot id given out; 0 when there was none. */
  readonly lastId: bigint;
  /** Heights of the snapshots that are still valid, by id. */
  readonly heights: ReadonlyMap<bigint, Height>;
}

/**
 * Rows for a dev-mode event, for the batch that holds the event. `usedUp`: snapshot ids that a Reverted event
 * invalidates (its own and all later ones).
 */
export function devRows(event: DevEvent, position: Position, usedUp: Iterable<bigint> = []): readonly StoreOperation[] {
  if (event.type === 'TimeShifted') {
    const value = new ByteWriter();
    value.int(event.data.shift);
    value.uint(position);
    return [{ type: 'put', key: SHIFT_KEY, value: value.finish() }];
  }
  if (event.type === 'SnapshotTaken') {
    return [
      { type: 'put', key: LAST_ID_KEY, value: be64(event.data.id) },
      { type: 'put', key: snapshotKey(event.data.id), value: be64(event.data.height) },
    ];
  }
  return [...usedUp].map((id) => ({ type: 'delete', key: snapshotKey(id) }));
}

/** Reads the clock shift; undefined when the clock was never shifted. */
export function readClockShift(store: Pick<KeyValueStore, 'get'>): ClockShift | undefined {
  const row = store.get(SHIFT_KEY);
  if (row === undefined) return undefined;
  const reader = new ByteReader(row);
  return { shift: reader.int(), position: toPosition(reader.uint()) };
}

/** Row that keeps the id of the chain instance when an anchor replaces the block that it is derived from. */
export function instanceRow(id: Uint8Array): StoreOperation {
  return { type: 'put', key: INSTANCE_KEY, value: id };
}

/** Reads the row of the instance id; undefined while the first block is in the log. */
export function readInstanceId(store: Pick<KeyValueStore, 'get'>): Uint8Array | undefined {
  return store.get(INSTANCE_KEY);
}

/** Reads all valid snapshots in order of id. Throws CorruptionError. */
export async function readSnapshots(store: Pick<KeyValueStore, 'get' | 'range'>): Promise<StoredSnapshots> {
  const rows = await allRows(store, SNAPSHOTS, SNAPSHOTS_END);
  const heights = new Map(rows.map(({ key, value }) => [readU64(key, SNAPSHOTS.length), toHeight(readU64(value, 0))]));
  const row = store.get(LAST_ID_KEY);
  const lastId = row === undefined ? 0n : readU64(row, 0);
  if ([...heights.keys()].some((id) => id > lastId)) throw new CorruptionError('the last id of a snapshot is missing');
  return { lastId, heights };
}

/**
 * Rows of the dev-mode state as of an anchor: the instance id, the clock shift if it was set at or before `position`,
 * the last snapshot id, and the valid snapshots at or below `height`. `ids` are the ids of these snapshots.
 */
export async function devRowsBefore(
  store: Pick<KeyValueStore, 'get' | 'range'>,
  { position, height }: { readonly position: Position; readonly height: Height },
): Promise<{ readonly rows: readonly StoreOperation[]; readonly ids: readonly bigint[] }> {
  const shift = readClockShift(store);
  const { lastId, heights } = await readSnapshots(store);
  const kept = [...heights].filter(([, at]) => at <= height);
  const instanceId = readInstanceId(store);
  return {
    rows: [
      ...(instanceId === undefined ? [] : [instanceRow(instanceId)]),
      ...(shift === undefined || shift.position > position ? [] : devRows(shifted(shift), shift.position)),
      ...kept.map(([id, at]): StoreOperation => ({ type: 'put', key: snapshotKey(id), value: be64(at) })),
      ...(lastId === 0n ? [] : [{ type: 'put' as const, key: LAST_ID_KEY, value: be64(lastId) }]),
    ],
    ids: kept.map(([id]) => id),
  };
}

function shifted({ shift }: ClockShift): DevEvent {
  return { type: 'TimeShifted', v: 1, data: { shift } };
}

function snapshotKey(id: bigint): Uint8Array {
  return concat(SNAPSHOTS, be64(id));
}
