/**
 * Finds and cuts writes lost in a power cut. Unsynced writes may leave write-ahead logs that end in the middle of a
 * write, contain pages that never reached the disk, or lack the end of a log although a newer log exists. LevelDB would
 * drop the lost writes and keep later ones; here the logs are truncated before the first lost write, so that the
 * database is always a state that once existed. Rule: docs/decisions/0029-power-cuts.md.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from '../../core/primitives.js';
import { FormatError } from '../bytes.js';
import { decodeDurable } from '../log/durable.js';
import { CorruptionError } from '../errors.js';
import { decodeHead } from '../log/head.js';
import { durableKey, headKey } from '../keys.js';
import { loggedBatch, valueIn, type LoggedBatch } from './write-batch.js';
import { soundRecords, soundRecordsAfter } from './log-format.js';
import { endOfManifest, liveLogs } from './manifest.js';
import { openRow } from '../rows/row.js';

/** The lost end of the write-ahead logs. */
export interface LostTail {
  /** Log file with the first lost write, and the offset at which the kept writes end. */
  readonly file: string;
  readonly offset: number;
  /** Bytes after that offset, in this log and in later ones. */
  readonly bytes: number;
  /** Complete writes among them, dropped because they follow a lost one. */
  readonly writes: number;
}

interface Log {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly batches: readonly LoggedBatch[];
  /** Offset at which the valid part of the log ends. */
  readonly end: number;
}

/** The place after which a write is missing: index of the log, and offset in it. */
interface Break {
  readonly log: number;
  readonly offset: number;
}

/** A planned truncation of logs. */
export interface Cut {
  readonly lost: LostTail;
  readonly cuts: readonly { readonly file: string; readonly offset: number }[];
  /**
   * Highest position that the dropped writes record as durable; undefined when they record none. The kept log must
   * reach it.
   */
  readonly claimed: Position | undefined;
  /** Head position of the event log in the kept writes; undefined when they do not contain a head row. */
  readonly kept: Position | undefined;
}

/**
 * Examines the write-ahead logs of a database that no process has open. Undefined when nothing is lost. Throws
 * CorruptionError when writes follow a damaged place and nothing proves that the damaged part was not durable.
 */
export function findUnsyncedTail(directory: string): Cut | undefined {
  const logs = liveLogs(directory).map((file) => readLog(file, readFileSync(join(directory, file))));
  const at = firstBreak(logs);
  const broken = at && logs[at.log];
  if (at === undefined || broken === undefined) return undefined;
  const inFile = soundAfter(broken, at.offset);
  const later = logs.slice(at.log + 1);
  const inLater = later.flatMap(({ batches, bytes, end }) => [...batches, ...batchesAfter(bytes, end)]);
  const hasHead = [...inFile, ...inLater].some((batch) => rowIn(batch, headKey()) !== undefined);
  const claims = [...inFile, ...inLater].flatMap((batch) => {
    const row = rowIn(batch, durableKey());
    return row === undefined ? [] : [decodeDurable(row)];
  });
  const place = { file: broken.file, offset: at.offset };
  if (hasHead && claims.length === 0) {
    // An older build that did not write durable positions: the records after the break show what is lost
    // (src/store/log/lost-records.ts).
    const ends = [...later.filter(({ bytes, end }) => end < bytes.length).toReversed(), { ...broken, end: at.offset }];
    for (const log of ends)
      if (soundAfter(log, log.end).length > 0) throw damagedAt({ file: log.file, offset: log.end });
    const bytes = ends.reduce((sum, log) => sum + log.bytes.length - log.end, 0);
    const cuts = ends.map(({ file, end: offset }) => ({ file, offset }));
    return { lost: { ...place, bytes, writes: 0 }, cuts, claimed: undefined, kept: undefined };
  }
  const bytes = broken.bytes.length - at.offset + later.reduce((sum, log) => sum + log.bytes.length, 0);
  return {
    lost: { ...place, bytes, writes: inFile.length + inLater.length },
    cuts: [...later.map(({ file }) => ({ file, offset: 0 })).toReversed(), place],
    claimed: claims.reduce<Position | undefined>(
      (maximum, one) => (maximum === undefined || one > maximum ? one : maximum),
      undefined,
    ),
    kept: keptHead(logs.slice(0, at.log + 1), at),
  };
}

/**
 * Truncates the logs in the order of `cuts` (later logs first), so that a power cut in between leaves the same break.
 */
export function cutLogs(directory: string, { cuts }: Cut): void {
  for (const { file, offset } of cuts) cutFile(join(directory, file), offset);
}

/** Truncates an unfinished end of the manifest, which LevelDB would refuse to open. */
export function cutManifest(directory: string): void {
  const { file, offset, bytes } = endOfManifest(directory);
  if (offset < bytes) cutFile(join(directory, file), offset);
}

function cutFile(path: string, offset: number): void {
  const descriptor = openSync(path, 'r+');
  try {
    ftruncateSync(descriptor, offset);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The error for an invalid place in a log that later writes prove to have been durable. */
export function damagedAt({ file, offset }: { readonly file: string; readonly offset: number }): CorruptionError {
  return new CorruptionError(`fragment checksum differs at byte ${offset}`, { file });
}

function readLog(file: string, bytes: Uint8Array): Log {
  const batches: LoggedBatch[] = [];
  const records = soundRecords(bytes);
  for (;;) {
    const record = records.next();
    if (record.done === true) return { file, bytes, batches, end: record.value };
    const batch = loggedBatch(record.value);
    if (batch === undefined) return { file, bytes, batches, end: record.value.start };
    batches.push(batch);
  }
}

/** The first place at which a write is missing or invalid; undefined when there is none. */
function firstBreak(logs: readonly Log[]): Break | undefined {
  let expected: bigint | undefined;
  for (const [log, { batches, bytes, end }] of logs.entries()) {
    let offset = 0;
    for (const batch of batches) {
      if (expected !== undefined && batch.sequence !== expected) {
        const isFirst = batch === batches[0];
        // The missing writes were at the end of the previous log.
        return isFirst && log > 0 ? { log: log - 1, offset: logs[log - 1]?.end ?? 0 } : { log, offset };
      }
      expected = batch.next;
      offset = batch.end;
    }
    // LevelDB starts a new log only after writing to the current one.
    const isEmptied = batches.length === 0 && logs.slice(log + 1).some((later) => later.batches.length > 0);
    if (end < bytes.length || isEmptied) return { log, offset: end < bytes.length ? end : 0 };
  }
  return undefined;
}

/** The valid writes of a log after a break in it. */
function soundAfter({ batches, bytes, end }: Log, offset: number): LoggedBatch[] {
  return [...batches.filter(({ start }) => start >= offset), ...batchesAfter(bytes, end)];
}

function* batchesAfter(bytes: Uint8Array, from: number): Generator<LoggedBatch> {
  for (const record of soundRecordsAfter(bytes, from)) {
    const batch = loggedBatch(record);
    if (batch !== undefined) yield batch;
  }
}

/** Position in the last head row before a break. */
function keptHead(logs: readonly Log[], at: Break): Position | undefined {
  const batches = logs.flatMap(({ batches }, log) =>
    log < at.log ? batches : batches.filter(({ end }) => end <= at.offset),
  );
  for (const batch of batches.toReversed()) {
    const row = rowIn(batch, headKey());
    if (row !== undefined) return decodeHead(row).position;
  }
  return undefined;
}

/** The value that a batch puts at `key`, checksum removed; undefined when it puts none or is invalid. */
function rowIn(batch: LoggedBatch, key: Uint8Array): Uint8Array | undefined {
  try {
    const row = valueIn(batch, key);
    return row === undefined ? undefined : openRow(key, row);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
