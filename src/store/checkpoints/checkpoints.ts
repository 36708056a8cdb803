import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { concat, concatAll, equal } from '../../core/bytes/bytes.js';
import { readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';

/** Bytes per row. Large values make large LevelDB blocks, and one flipped byte damages a whole block. */
const PART_BYTES = 256 * 1024;

const HEAD = Uint8Array.of(PREFIX.checkpoint, 0);

export interface TreeCheckpoint {
  readonly height: Height;
  readonly bytes: Uint8Array;
}

/**
 * Operations, for one batch, that replace the checkpoint of the IAVL trees. A checkpoint only shortens a restart:
 * without it, or when it is damaged, the log is replayed from the beginning.
 */
export function checkpointRows(
  store: Pick<KeyValueStore, 'get'>,
  { height, bytes }: TreeCheckpoint,
): readonly StoreOperation[] {
  const parts = Math.ceil(bytes.length / PART_BYTES);
  const rows: StoreOperation[] = [{ type: 'put', key: HEAD, value: concat(be64(height), be64(BigInt(parts))) }];
  for (let part = 0; part < parts; part += 1) {
    rows.push({ type: 'put', key: partKey(part), value: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES) });
  }
  const before = store.get(HEAD);
  const partsBefore = before === undefined ? 0 : Number(readU64(before, 8));
  for (let part = parts; part < partsBefore; part += 1) rows.push({ type: 'delete', key: partKey(part) });
  return rows;
}

/** Operations that delete the checkpoint if its height is above `height`. */
export function deleteCheckpointAbove(store: Pick<KeyValueStore, 'get'>, height: Height): readonly StoreOperation[] {
  const head = store.get(HEAD);
  return head === undefined || readU64(head, 0) <= height ? [] : deleteRows(head);
}

/** Operations that delete the checkpoint if its height is at or below `height`. */
export function deleteCheckpointUpTo(store: Pick<KeyValueStore, 'get'>, height: Height): readonly StoreOperation[] {
  const head = store.get(HEAD);
  return head === undefined || readU64(head, 0) > height ? [] : deleteRows(head);
}

function deleteRows(head: Uint8Array): readonly StoreOperation[] {
  const parts = Array.from({ length: Number(readU64(head, 8)) }, (_, part): StoreOperation => ({
    type: 'delete',
    key: partKey(part),
  }));
  return [{ type: 'delete', key: HEAD }, ...parts];
}

/** Size of the checkpoint in bytes; 0 when there is none. */
export function checkpointBytes(store: Pick<KeyValueStore, 'get'>): number {
  const head = store.get(HEAD);
  if (head === undefined) return 0;
  const last = Number(readU64(head, 8)) - 1;
  return last * PART_BYTES + (store.get(partKey(last))?.length ?? 0);
}

/** Height of the checkpoint; undefined when there is none. */
export function checkpointHeight(store: Pick<KeyValueStore, 'get'>): Height | undefined {
  const head = store.get(HEAD);
  return head && toHeight(readU64(head, 0));
}

/** Format version of the checkpoint (`src/core/multistore/checkpoint.ts`); undefined when there is none. */
export function checkpointFormat(store: Pick<KeyValueStore, 'get'>): number | undefined {
  return store.get(partKey(0))?.[0];
}

/**
 * Reads the checkpoint. Undefined when there is none, when a part is missing, or when another thread replaced it during
 * the read.
 */
export function readCheckpoint(store: Pick<KeyValueStore, 'get'>): TreeCheckpoint | undefined {
  const head = store.get(HEAD);
  if (head === undefined) return undefined;
  const parts: Uint8Array[] = [];
  for (let part = 0; part < Number(readU64(head, 8)); part += 1) {
    const row = store.get(partKey(part));
    if (row === undefined) return undefined;
    parts.push(row);
  }
  const headAfterRead = store.get(HEAD);
  if (headAfterRead === undefined || !equal(headAfterRead, head)) return undefined;
  return { height: toHeight(readU64(head, 0)), bytes: concatAll(parts) };
}

/**
 * Resolves the argument to tree bytes: returns given bytes unchanged, and reads the checkpoint for a height. Undefined
 * when there is no checkpoint of that height.
 */
export function bytesToRestore(store: Pick<KeyValueStore, 'get'>, from: Uint8Array | Height): Uint8Array | undefined {
  if (typeof from !== 'bigint') return from;
  const checkpoint = readCheckpoint(store);
  return checkpoint?.height === from ? checkpoint.bytes : undefined;
}

function partKey(part: number): Uint8Array {
  return concat(Uint8Array.of(PREFIX.checkpoint, 1), be64(BigInt(part)));
}
