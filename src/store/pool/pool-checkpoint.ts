import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toPosition, type Position } from '../../core/primitives.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { concat } from '../../core/bytes/bytes.js';
import { keyAfter } from '../../core/bytes/key-order.js';
import { allRows } from '../rows/all-rows.js';
import { readU64 } from '../bytes.js';
import { CorruptionError } from '../errors.js';
import { PREFIX } from '../keys.js';

const HEAD = Uint8Array.of(PREFIX.pool);

/** A pending transaction, and the position of its TxAdmitted event. */
export interface PendingRow {
  readonly position: Position;
  readonly tx: Uint8Array;
}

/** Pending transactions as of log position `position`, in order of admission. */
export interface PoolCheckpoint {
  readonly position: Position;
  readonly waiting: readonly PendingRow[];
}

/**
 * Operations that move the checkpoint to `position`. `added`: newly pending since the last checkpoint; `removed`:
 * admission positions of transactions no longer pending. A checkpoint only shortens a start: without one the log is
 * folded from its beginning.
 */
export function moveCheckpoint(
  position: Position,
  added: readonly PendingRow[],
  removed: readonly Position[],
): readonly StoreOperation[] {
  return [
    ...removed.map((admitted): StoreOperation => ({ type: 'delete', key: waitingKey(admitted) })),
    ...added.map(({ position: admitted, tx }): StoreOperation => ({
      type: 'put',
      key: waitingKey(admitted),
      value: tx,
    })),
    { type: 'put', key: HEAD, value: be64(position) },
  ];
}

/** Position of the checkpoint; undefined when there is none. Throws CorruptionError. */
export function poolCheckpointAt(store: Pick<KeyValueStore, 'get'>): Position | undefined {
  const head = store.get(HEAD);
  if (head === undefined) return undefined;
  if (head.length !== 8) throw new CorruptionError('the pool checkpoint has a wrong length');
  return toPosition(readU64(head, 0));
}

/** Reads the checkpoint; undefined when there is none. Throws CorruptionError. */
export async function readPoolCheckpoint(
  store: Pick<KeyValueStore, 'get' | 'range'>,
): Promise<PoolCheckpoint | undefined> {
  const position = poolCheckpointAt(store);
  if (position === undefined) return undefined;
  const rows = await allRows(store, keyAfter(HEAD), Uint8Array.of(PREFIX.pool + 1));
  return {
    position,
    waiting: rows.map(({ key, value }) => ({ position: toPosition(readU64(key, 1)), tx: Uint8Array.from(value) })),
  };
}

/** Pending rows of a home written by a build without pool checkpoints. */
export interface OldPendingRows {
  readonly waiting: readonly PendingRow[];
  /** Operations that delete these rows. */
  readonly forget: readonly StoreOperation[];
}

/** Reads the pending rows of a home without pool checkpoint. */
export async function readOldPendingRows(store: Pick<KeyValueStore, 'range'>): Promise<OldPendingRows> {
  const rows = await allRows(store, Uint8Array.of(PREFIX.pending), Uint8Array.of(PREFIX.pending + 1));
  return {
    waiting: rows
      .map(({ value }) => ({ position: toPosition(readU64(value, 0)), tx: Uint8Array.from(value.subarray(8)) }))
      .toSorted((a, b) => (a.position < b.position ? -1 : 1)),
    forget: rows.map(({ key }): StoreOperation => ({ type: 'delete', key })),
  };
}

function waitingKey(admitted: Position): Uint8Array {
  return concat(HEAD, be64(admitted));
}
