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

/** A transaction that waits for a block, with the position of its TxAdmitted. */
export interface WaitingRow {
  readonly position: Position;
  readonly tx: Uint8Array;
}

/** The transactions that waited for a block when the log was at `position`, in order of admission. */
export interface PoolCheckpoint {
  readonly position: Position;
  readonly waiting: readonly WaitingRow[];
}

/**
 * Operations that move the checkpoint to `position`: `added` began to wait since the last one, the admissions at
 * `removed` wait no longer. A checkpoint only shortens a start: without one the log is folded from its beginning.
 */
export function moveCheckpoint(
  position: Position,
  added: readonly WaitingRow[],
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

/** undefined when there is none. Throws CorruptionError. */
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

/** Rows of a home that was written before the pool had a checkpoint: what waits at its head, by hash. */
export interface OldPendingRows {
  readonly waiting: readonly WaitingRow[];
  /** Deletes them. */
  readonly forget: readonly StoreOperation[];
}

/** Reads the waiting transactions of a home without a checkpoint of the pool. */
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
