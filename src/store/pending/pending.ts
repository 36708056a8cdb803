import type { KeyValue, KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import type { Position } from '../../core/primitives.js';
import { concat } from '../../core/bytes/bytes.js';
import { readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';

const ROWS_PER_READ = 1_000;

/**
 * The transactions that wait for a block, as rows: written with their TxAdmitted event, deleted with the block that
 * holds them or finds them invalid. They make a restart independent of the length of the log.
 */
export function pendingRow(hash: Uint8Array, tx: Uint8Array, admitted: Position): StoreOperation {
  return { type: 'put', key: pendingKey(hash), value: concat(be64(admitted), tx) };
}

export function forgetPending(hash: Uint8Array): StoreOperation {
  return { type: 'delete', key: pendingKey(hash) };
}

/** Operations that make every transaction that waits forgotten. */
export async function forgetAllPending(store: Pick<KeyValueStore, 'range'>): Promise<readonly StoreOperation[]> {
  return (await pendingRows(store)).map(({ key }) => ({ type: 'delete', key }));
}

/** All pending transactions in order of admission. */
export async function readPending(store: Pick<KeyValueStore, 'range'>): Promise<readonly Uint8Array[]> {
  const found = (await pendingRows(store)).map(({ value }) => ({ admitted: readU64(value, 0), tx: value.slice(8) }));
  return found.toSorted((a, b) => (a.admitted < b.admitted ? -1 : 1)).map(({ tx }) => tx);
}

async function pendingRows(store: Pick<KeyValueStore, 'range'>): Promise<readonly KeyValue[]> {
  const found: KeyValue[] = [];
  let start: Uint8Array = Uint8Array.of(PREFIX.pending);
  for (;;) {
    const rows = await store.range({ start, end: Uint8Array.of(PREFIX.pending + 1), limit: ROWS_PER_READ });
    for (const row of rows) found.push(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_READ) return found;
    start = concat(last.key, Uint8Array.of(0));
  }
}

function pendingKey(hash: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(PREFIX.pending), hash);
}
