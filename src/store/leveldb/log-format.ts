/**
 * LevelDB's log format, which write-ahead logs and manifests share: blocks of 32 KiB that hold fragments of records,
 * each with a checksum (doc/log_format.md of google/leveldb).
 */
import { concatAll } from '../../core/bytes/bytes.js';
import { readLe32 } from '../bytes.js';
import { crc32c, masked } from './crc32c.js';

export interface FileProblem {
  readonly file: string;
  readonly offset: number;
  readonly problem: string;
  /**
   * No valid fragment follows in this log. Such an end may be left by a power loss during unsynced writes; the head
   * witness decides whether it is damage.
   */
  readonly atEnd?: true;
}

const LOG_BLOCK_BYTES = 32_768;
const FRAGMENT_HEADER_BYTES = 7;
const [FULL_FRAGMENT, FIRST_FRAGMENT, LAST_FRAGMENT] = [1, 2, 4] as const;

/**
 * Reports one problem per damaged place. A truncated fragment at the end of the file is not a problem when no valid one
 * follows, because a crash leaves one.
 */
export function* scanLog(file: string, bytes: Uint8Array): Generator<FileProblem> {
  let offset = 0;
  while (offset < bytes.length) {
    const left = LOG_BLOCK_BYTES - (offset % LOG_BLOCK_BYTES);
    if (left < FRAGMENT_HEADER_BYTES) {
      if (bytes.subarray(offset, offset + left).some((byte) => byte !== 0))
        yield { file, offset, problem: 'block padding is not zero' };
      offset += left;
      continue;
    }
    const size = soundFragment(bytes, offset);
    if (size !== undefined) {
      offset += size;
      continue;
    }
    const next = nextSoundFragment(bytes, offset + 1);
    if (next === undefined) {
      if (!isTornEnd(bytes, offset))
        yield { file, offset, problem: 'fragment checksum differs at the end', atEnd: true };
      return;
    }
    yield { file, offset, problem: 'fragment checksum differs' };
    offset = next;
  }
}

/** Length of the valid fragment at `offset`; undefined when it is not valid. */
function soundFragment(bytes: Uint8Array, offset: number): number | undefined {
  const left = LOG_BLOCK_BYTES - (offset % LOG_BLOCK_BYTES);
  if (offset + FRAGMENT_HEADER_BYTES > bytes.length || left < FRAGMENT_HEADER_BYTES) return undefined;
  const length = (bytes[offset + 4] ?? 0) | ((bytes[offset + 5] ?? 0) << 8);
  const type = bytes[offset + 6] ?? 0;
  const size = FRAGMENT_HEADER_BYTES + length;
  if (type < 1 || type > 4 || size > left || offset + size > bytes.length) return undefined;
  return masked(crc32c(bytes, offset + 6, offset + size)) === readLe32(bytes, offset) ? size : undefined;
}

function nextSoundFragment(bytes: Uint8Array, from: number): number | undefined {
  for (let offset = from; offset + FRAGMENT_HEADER_BYTES <= bytes.length; offset += 1) {
    if (soundFragment(bytes, offset) !== undefined) return offset;
  }
  return undefined;
}

/**
 * True when the fragment is truncated by the end of the file, or is all zeros: some file systems extend a file with
 * zeros before its data arrives.
 */
function isTornEnd(bytes: Uint8Array, offset: number): boolean {
  const rest = bytes.subarray(offset);
  if (rest.length < FRAGMENT_HEADER_BYTES || rest.every((byte) => byte === 0)) return true;
  return FRAGMENT_HEADER_BYTES + ((rest[4] ?? 0) | ((rest[5] ?? 0) << 8)) > rest.length;
}

/** A log record whose fragments are valid and consecutive. */
export interface SoundRecord {
  /** File offsets of the start of its first and the end of its last fragment. */
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/**
 * Yields the records of a log from the fragment at `from` on, up to the first invalid or unfinished one. Returns the
 * offset at which the valid part ends; zero padding of a block belongs to the record before it.
 */
export function* soundRecords(bytes: Uint8Array, from = 0): Generator<SoundRecord, number> {
  let end = from;
  let start = from;
  let parts: Uint8Array[] = [];
  let offset = from;
  for (;;) {
    const padding = paddingAt(bytes, offset);
    if (padding === undefined) return end;
    if (parts.length === 0) start = offset + padding;
    if (parts.length === 0 && start >= bytes.length) return bytes.length;
    offset += padding;
    const size = soundFragment(bytes, offset);
    const type = bytes[offset + 6];
    if (size === undefined || parts.length > 0 === (type === FULL_FRAGMENT || type === FIRST_FRAGMENT)) return end;
    parts.push(bytes.subarray(offset + FRAGMENT_HEADER_BYTES, offset + size));
    offset += size;
    if (type !== FULL_FRAGMENT && type !== LAST_FRAGMENT) continue;
    const [whole = new Uint8Array(0)] = parts.length === 1 ? parts : [concatAll(parts)];
    yield { start, end: offset, bytes: whole };
    parts = [];
    end = offset;
  }
}

/**
 * Yields the valid records after a damaged place at `from`: inside its block at any offset; in later blocks, those that
 * follow a block start without damage in between.
 */
export function* soundRecordsAfter(bytes: Uint8Array, from: number): Generator<SoundRecord> {
  let at = from;
  for (const border = nextBorder(from); at < border; at += 1) {
    const end = yield* soundRecords(bytes, at);
    if (end > at) at = end - 1;
  }
  for (at = nextBorder(at - 1); at < bytes.length;) {
    const begin = afterContinuations(bytes, at);
    at = nextBorder(Math.max((yield* soundRecords(bytes, begin)) - 1, at));
  }
}

const nextBorder = (offset: number): number => (Math.floor(offset / LOG_BLOCK_BYTES) + 1) * LOG_BLOCK_BYTES;

/** Offset after the fragments that continue a record begun before `offset`. */
function afterContinuations(bytes: Uint8Array, offset: number): number {
  let at = offset;
  for (;;) {
    const size = soundFragment(bytes, at);
    const type = bytes[at + 6];
    if (size === undefined || type === FULL_FRAGMENT || type === FIRST_FRAGMENT) return at;
    at += size;
    if (type === LAST_FRAGMENT) return at;
  }
}

/**
 * Number of padding bytes at `offset`: 0, or the rest of a block too short for a fragment; undefined when the padding
 * is not zero.
 */
function paddingAt(bytes: Uint8Array, offset: number): number | undefined {
  const left = LOG_BLOCK_BYTES - (offset % LOG_BLOCK_BYTES);
  if (left >= FRAGMENT_HEADER_BYTES) return 0;
  return bytes.subarray(offset, offset + left).some((byte) => byte !== 0) ? undefined : left;
}

/** The records of an undamaged log. An unfinished record at the end is left out. */
export function* recordsOf(bytes: Uint8Array): Generator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const size = soundFragment(bytes, offset);
    if (size === undefined) {
      offset += LOG_BLOCK_BYTES - (offset % LOG_BLOCK_BYTES);
      continue;
    }
    const type = bytes[offset + 6];
    if (type === FULL_FRAGMENT || type === FIRST_FRAGMENT) parts = [];
    parts.push(bytes.subarray(offset + FRAGMENT_HEADER_BYTES, offset + size));
    if (type === FULL_FRAGMENT || type === LAST_FRAGMENT) {
      yield concatAll(parts);
      parts = [];
    }
    offset += size;
  }
}
