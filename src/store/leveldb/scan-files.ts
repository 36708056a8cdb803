/**
 * Checks LevelDB's files more thoroughly than LevelDB does: the checksum of every block of every table, and of every
 * manifest fragment (formats: doc/table_format.md and doc/log_format.md of google/leveldb).
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ByteReader, FormatError, readLe32 } from '../bytes.js';
import { crc32c, masked } from './crc32c.js';
import { scanLog, type FileProblem } from './log-format.js';
import { CURRENT_TEXT, readIfThere, TABLE_FILE, tableNames } from './manifest.js';
import type { LogProblem } from '../log/log-problem.js';
import { unpackSnappy } from './snappy.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

const TABLE_MAGIC = 0xdb4775248b80fb57n;
const FOOTER_BYTES = 48;
const TRAILER_BYTES = 5;

/**
 * Reports damage in the tables named by the manifest, and in the manifests. Files that a compaction removes meanwhile
 * are skipped. Write-ahead logs, and an unsynced end of the manifest, are checked when the database is opened
 * (src/store/leveldb/unsynced-tail.ts).
 */
export function* scanLevelFiles(directory: string): Generator<FileProblem> {
  const isNamed = tableNames(directory);
  for (const file of readdirSync(directory).sort()) {
    const bytes = readIfThere(join(directory, file));
    if (bytes === undefined) continue;
    if (TABLE_FILE.test(file)) {
      if (isNamed(file)) yield* scanTable(file, bytes);
    } else if (file.startsWith('MANIFEST-')) {
      for (const problem of scanLog(file, bytes)) if (problem.atEnd !== true) yield problem;
    }
    if (file === 'CURRENT' && !CURRENT_TEXT.test(bytes.toString('latin1')))
      yield { file, offset: 0, problem: 'names no manifest' };
  }
}

/** The first `FIXED_LIMITS.verifyProblems` problems that `scanLevelFiles` finds. */
export function fileProblems(directory: string): LogProblem[] {
  const problems: LogProblem[] = [];
  for (const { file, offset, problem } of scanLevelFiles(directory)) {
    if (problems.length >= FIXED_LIMITS.verifyProblems) break;
    problems.push({ file, problem: `${problem} at byte ${offset}` });
  }
  return problems;
}

/** Reports damage in the newest tables, up to `maximumBytes` in total, of a database that no process has open. */
export function* scanNewestTables(directory: string, maximumBytes: number): Generator<FileProblem> {
  let left = maximumBytes;
  const isNamed = tableNames(directory);
  const tables = readdirSync(directory).filter((file) => TABLE_FILE.test(file) && isNamed(file));
  for (const file of tables.sort().reverse()) {
    const bytes = readIfThere(join(directory, file));
    left -= bytes?.length ?? 0;
    if (left < 0) return;
    if (bytes !== undefined) yield* scanTable(file, bytes);
  }
}

interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

/**
 * Checks that the blocks named by a table's footer and indexes have correct checksums and fill the file without gaps.
 */
function* scanTable(file: string, bytes: Uint8Array): Generator<FileProblem> {
  const end = bytes.length - FOOTER_BYTES;
  try {
    if (end < 0) throw new FormatError('table shorter than its footer');
    const footer = bytes.subarray(end);
    if (new DataView(footer.buffer, footer.byteOffset).getBigUint64(40, true) !== TABLE_MAGIC)
      throw new FormatError('table magic differs');
    const reader = new ByteReader(footer.subarray(0, 40));
    const metaIndex = readHandle(reader);
    const index = readHandle(reader);
    const handles = [metaIndex, index];
    for (const block of [metaIndex, index]) {
      const problem = blockProblem(bytes, block, end);
      if (problem !== undefined) throw new FormatError(problem);
      for (const handle of handlesIn(openBlock(bytes, block))) handles.push(handle);
    }
    handles.sort((left, right) => left.offset - right.offset);
    let covered = 0;
    for (const handle of handles) {
      const problem = handle.offset === covered ? blockProblem(bytes, handle, end) : 'blocks do not touch';
      if (problem !== undefined) yield { file, offset: handle.offset, problem };
      covered = handle.offset + handle.size + TRAILER_BYTES;
    }
    if (covered !== end) yield { file, offset: covered, problem: 'blocks do not fill the table' };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    yield { file, offset: Math.max(end, 0), problem: error.message };
  }
}

function blockProblem(bytes: Uint8Array, { offset, size }: BlockHandle, end: number): string | undefined {
  if (offset + size + TRAILER_BYTES > end) return 'block lies outside the table';
  return masked(crc32c(bytes, offset, offset + size + 1)) === readLe32(bytes, offset + size + 1)
    ? undefined
    : 'block checksum differs';
}

function openBlock(bytes: Uint8Array, { offset, size }: BlockHandle): Uint8Array {
  const contents = bytes.subarray(offset, offset + size);
  return bytes[offset + size] === 0 ? contents : unpackSnappy(contents, FIXED_LIMITS.unpackedBytes);
}

/** The block handles in the values of an index block. */
function handlesIn(block: Uint8Array): BlockHandle[] {
  const restarts = readLe32(block, block.length - 4);
  const reader = new ByteReader(block.subarray(0, Math.max(0, block.length - 4 - restarts * 4)));
  const handles: BlockHandle[] = [];
  while (reader.remaining > 0) {
    reader.count();
    const keyRest = reader.count();
    const valueSize = reader.count();
    reader.raw(keyRest);
    handles.push(readHandle(new ByteReader(reader.raw(valueSize))));
  }
  return handles;
}

function readHandle(reader: ByteReader): BlockHandle {
  return { offset: reader.count(), size: reader.count() };
}
