/**
 * LevelDB's log format, which write-ahead logs and manifests share: blocks of 32 KiB that hold fragments of records,
 * each with a checksum (doc/log_format.md of google/leveldb).
 */
import { concat } from '../../core/bytes/bytes.js';
import { crc32c, masked } from './crc32c.js';

export interface FileProblem {
  readonly file: string;
  readonly offset: number;
  readonly problem: string;
  /**
   * No sound fragment follows in this log. A power loss may leave such an end of writes that were not synced; the head
   * witness decides.
   */
  readonly atEnd?: true;
}

const LOG_BLOCK_BYTES = 32_768;
const FRAGMENT_HEADER_BYTES = 7;
const [FULL_FRAGMENT, FIRST_FRAGMENT, LAST_FRAGMENT] = [1, 2, 4] as const;

/**
 * Reports one problem for each damaged place. A fragment that the end of the file cuts off is not a problem when no
 * sound one follows: a crash leaves such an end.
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

/** Length of the sound fragment at `offset`; undefined when the fragment is not sound. */
function soundFragment(bytes: Uint8Array, offset: number): number | undefined {
  const left = LOG_BLOCK_BYTES - (offset % LOG_BLOCK_BYTES);
  if (offset + FRAGMENT_HEADER_BYTES > bytes.length || left < FRAGMENT_HEADER_BYTES) return undefined;
  const length = (bytes[offset + 4] ?? 0) | ((bytes[offset + 5] ?? 0) << 8);
  const type = bytes[offset + 6] ?? 0;
  const size = FRAGMENT_HEADER_BYTES + length;
  if (type < 1 || type > 4 || size > left || offset + size > bytes.length) return undefined;
  return masked(crc32c(bytes, offset + 6, offset + size)) === readU32(bytes, offset) ? size : undefined;
}

function nextSoundFragment(bytes: Uint8Array, from: number): number | undefined {
  for (let offset = from; offset + FRAGMENT_HEADER_BYTES <= bytes.length; offset += 1) {
    if (soundFragment(bytes, offset) !== undefined) return offset;
  }
  return undefined;
}

/**
 * True when the fragment is cut off by the end of the file, or was never written: some file systems grow a file with
 * zeros before its data.
 */
function isTornEnd(bytes: Uint8Array, offset: number): boolean {
  const rest = bytes.subarray(offset);
  if (rest.length < FRAGMENT_HEADER_BYTES || rest.every((byte) => byte === 0)) return true;
  return FRAGMENT_HEADER_BYTES + ((rest[4] ?? 0) | ((rest[5] ?? 0) << 8)) > rest.length;
}

/** A record of a log whose fragments are sound and follow one another. */
export interface SoundRecord {
  /** Offsets in the file at which its first fragment begins and its last one ends. */
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/**
 * The records of a log from the fragment at `from` on, up to the first that is not sound or not finished; returns the
 * offset at which the sound part of the file ends. Zeros that fill a block up are part of what stands before them.
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
    const [whole = new Uint8Array(0)] = parts.length === 1 ? parts : [concat(...parts)];
    yield { start, end: offset, bytes: whole };
    parts = [];
    end = offset;
  }
}

/**
 * The sound records after a damaged place of a log, which begins at `from`: those that begin anywhere in its block,
 * and in later blocks those that follow a border of blocks without a damaged place between.
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

/** Finds the end of the fragments that continue a record from before `offset`. */
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

/** Bytes from `offset` to the next fragment when the rest of the block is too short for one; undefined if not zeros. */
function paddingAt(bytes: Uint8Array, offset: number): number | undefined {
  const left = LOG_BLOCK_BYTES - (offset % LOG_BLOCK_BYTES);
  if (left >= FRAGMENT_HEADER_BYTES) return 0;
  return bytes.subarray(offset, offset + left).some((byte) => byte !== 0) ? undefined : left;
}

/** The records of a log without damage: its fragments put together. An unfinished record at the end is left out. */
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
      yield concat(...parts);
      parts = [];
    }
    offset += size;
  }
}

function readU32(bytes: Uint8Array, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(offset, true);
}
