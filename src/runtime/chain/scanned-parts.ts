import { create, fromBinary } from '@bufbuild/protobuf';
import { compare, equal } from '../../core/bytes/bytes.js';
import { hex } from '../../core/bytes/hex.js';
import { keyAfter } from '../../core/bytes/key-order.js';
import { headerHash } from '../../core/comet/header-hash.js';
import { txHash } from '../../core/comet/body-hash.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { isDecided, isExecuted, isRestored } from '../../core/event-guards.js';
import type { BlockDecided, BlockExecuted, Recorded, SnapshotRestored } from '../../core/log-events.js';
import type { StoreKey } from '../../core/multistore/check-values.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { BlockSchema } from '../../core/proto/tendermint/types/block_pb.js';
import { HeaderSchema } from '../../core/proto/tendermint/types/types_pb.js';
import { pageOf } from '../../store/rows/all-rows.js';
import { decodeHashRow, decodeTxHashRow } from '../../store/log/block-index.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { CorruptionError } from '../../store/errors.js';
import type { EventLog } from '../../store/log/event-log.js';
import { blockHashKey, PREFIX, recordsEnd, txHashKey } from '../../store/keys.js';
import { readRecords, recordHash } from '../../store/log/read-records.js';
import { NO_HASH, type RecordHeader } from '../../store/log/record.js';
import { tableOf } from '../../store/rows/tables.js';
import type { Executor } from '../executor/executor.js';
import { stateDamaged } from '../executor/state-damaged.js';
import { executionKeys, firstLostKey, lostExecutionKey } from './execution-rows.js';

/** Compares all state values with the trees. A difference is damage only if it persists after the next pause. */
export async function* scanState(executor: Pick<Executor, 'check'>, height: () => Height): AsyncGenerator<void> {
  let doubtful = false;
  for (let next: StoreKey | undefined; ;) {
    const checked = await executor.check(height(), next, FIXED_LIMITS.stateCheckRows);
    if (checked === undefined) return;
    if (checked.kind === 'damaged') {
      if (doubtful) throw stateDamaged(checked.at, checked.damage);
      doubtful = true;
      yield;
      continue;
    }
    doubtful = false;
    yield;
    if (checked.next === undefined) return;
    next = checked.next;
  }
}

export interface ScannedLog {
  readonly store: Pick<KeyValueStore, 'get' | 'range'>;
  readonly crypto: Crypto;
  readonly log: Pick<EventLog, 'head' | 'isOnBranch' | 'recordOf' | 'keptFrom'>;
  /** True while a revert is being written. */
  readonly isReverting: () => boolean;
}

/**
 * Verifies the records of the log (digests, hash chain), the primary index rows of its blocks and transactions, and the
 * rows that execution wrote.
 */
export async function* scanLog(options: ScannedLog): AsyncGenerator<void> {
  const { store, crypto, log, isReverting } = options;
  const through = log.head().position;
  let bytes = 0;
  for await (const { header, events, rows } of readRecords(store, crypto, {
    first: 1n,
    through,
    previousHash: NO_HASH,
  })) {
    for (const recorded of events) {
      if (isRestored(recorded)) yield* scanChunks(recorded, options, header);
      const problem = isDecided(recorded) ? checkBlock(recorded, store, crypto, log) : undefined;
      // A revert deletes rows before the head moves; the next scan checks them again.
      if (problem !== undefined && !isReverting()) throw problem;
      if (isExecuted(recorded)) yield* scanExecution(recorded, options);
    }
    for (const { value } of rows) bytes += value.length;
    if (bytes < FIXED_LIMITS.scanBytes) continue;
    bytes = 0;
    yield;
  }
  yield;
}

/** Verifies an anchor's snapshot; yields after each part. */
async function* scanChunks(
  { event }: Recorded<SnapshotRestored>,
  { store, crypto }: ScannedLog,
  { first, hash }: RecordHeader,
): AsyncGenerator<void> {
  try {
    for await (const { length } of event.data.chunks) if (length > 0) yield;
  } catch (error) {
    const now = recordHash(store, crypto, first);
    // A later anchor may have replaced it.
    if (now === undefined || equal(now, hash)) throw error;
  }
}

/** Checks the rows of an executed block; yields between slices of a large one. */
function* scanExecution(recorded: Recorded<BlockExecuted>, { store, log, isReverting }: ScannedLog): Generator<void> {
  const execution = recorded.event.data;
  if (execution.height > log.head().executed) return;
  let slices = 0;
  for (const keys of executionKeys(store, execution)) {
    if (slices > 1) yield;
    slices += 1;
    if (lostExecutionKey(store, keys, execution) === undefined) continue;
    // A revert that ended during a pause may have deleted the row. A sound block has all rows that its keys name now.
    const missing = log.isOnBranch(recorded) && !isReverting() ? firstLostKey(store, execution) : undefined;
    if (missing !== undefined) throw lost(missing);
    return;
  }
}

/** The damage in a block's index rows; undefined when they are intact or the block was reverted. */
function checkBlock(
  { event, position }: Recorded<BlockDecided>,
  store: ScannedLog['store'],
  crypto: Crypto,
  log: ScannedLog['log'],
): CorruptionError | undefined {
  const { height } = event.data;
  const place = log.recordOf(height);
  if (place === undefined) {
    // An anchor deletes height rows before the records, even of records that were just read.
    if (height > log.head().decided || position < log.keptFrom()) return undefined;
    return new CorruptionError(`the row of height ${height} is missing`, { position });
  }
  if (place.decided.position !== position || height < blocksFloor(store).lowest) return undefined;
  const { header, data } = fromBinary(BlockSchema, event.data.block);
  const hash = event.v === 2 ? event.data.hash : headerHash(crypto, header ?? create(HeaderSchema));
  const blockKey = blockHashKey(hash);
  const block = store.get(blockKey);
  if (block === undefined || decodeHashRow(block) !== height) return lost(blockKey);
  for (const tx of data?.txs ?? []) {
    const key = txHashKey(txHash(crypto, tx));
    const row = store.get(key);
    // A later block may contain the same transaction again.
    if (row === undefined || decodeTxHashRow(row).height < height) return lost(key);
  }
  return undefined;
}

function lost(key: Uint8Array): CorruptionError {
  return new CorruptionError(`table ${tableOf(key)}: row is missing or names another block`, { key: hex(key) });
}

/** Checks that the validator and parameter rows named by `keys` exist. */
export async function* scanHistory(
  store: Pick<KeyValueStore, 'get'>,
  keys: () => readonly Uint8Array[],
  isReverting: () => boolean,
): AsyncGenerator<void> {
  for (let at = 0; at < keys().length; at += FIXED_LIMITS.scanRows) {
    const lostNow = (): Uint8Array | undefined =>
      keys()
        .slice(at, at + FIXED_LIMITS.scanRows)
        .find((key) => store.get(key) === undefined);
    const isDoubtful = lostNow() !== undefined;
    yield;
    // An anchor deletes rows in its batch and drops their keys from memory only afterwards.
    const missing = isDoubtful ? lostNow() : undefined;
    if (missing !== undefined && !isReverting()) throw lost(missing);
  }
}

/** Reads every row outside of the log, to verify its checksum. */
export async function* scanRows(store: Pick<KeyValueStore, 'range'>): AsyncGenerator<void> {
  const end = Uint8Array.of(0xff);
  for (let start: Uint8Array = Uint8Array.of(0); compare(start, end) < 0;) {
    const page = pageOf({ start, end }, FIXED_LIMITS.scanRows);
    const last = (await store.range(page)).at(-1);
    if (last === undefined) start = page.end;
    else start = last.key[0] === PREFIX.record ? recordsEnd() : keyAfter(last.key);
    yield;
  }
}
