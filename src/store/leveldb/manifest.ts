/**
 * LevelDB's manifest: a log of version edits that list the live files of the database (doc/impl.md and
 * db/version_edit.cc of google/leveldb). LevelDB's open detects a missing table, but neither a truncated table nor a
 * missing write-ahead log.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ByteReader, FormatError } from '../bytes.js';
import { errorCode } from '../files/lock.js';
import { recordsOf, scanLog, soundRecords, type FileProblem } from './log-format.js';

/** Content of CURRENT: the name of the manifest. */
export const CURRENT_TEXT = /^MANIFEST-\d+\n$/;
/** File name of a write-ahead log. */
export const WRITE_AHEAD_LOG = /^\d+\.log$/;
/** File name of a table. */
export const TABLE_FILE = /\.(ldb|sst)$/;

/** The live files of a database. */
interface Manifest {
  /** Size in bytes of each table, by number. */
  readonly tables: ReadonlyMap<number, number>;
  /** Number of the oldest write-ahead log still needed; 0 in a new database, which has none. */
  readonly log: number;
}

/**
 * Reports damage of CURRENT and its manifest, and live files that are missing or have the wrong size, in a database
 * that no process has open. Table contents are not read. An invalid end of the manifest was never synced and is
 * ignored: either its edit changed nothing yet, or a file is reported missing.
 */
export function* scanManifest(directory: string): Generator<FileProblem> {
  const named = readIfThere(join(directory, 'CURRENT'))?.toString('latin1');
  if (named === undefined) return yield { file: 'CURRENT', offset: 0, problem: 'is missing' };
  if (!CURRENT_TEXT.test(named)) return yield { file: 'CURRENT', offset: 0, problem: 'names no manifest' };
  const file = named.trimEnd();
  const bytes = readIfThere(join(directory, file));
  if (bytes === undefined) return yield { file, offset: 0, problem: 'is missing' };
  let damaged = false;
  for (const problem of scanLog(file, bytes)) {
    if (problem.atEnd === true) break;
    damaged = true;
    yield problem;
  }
  if (damaged) return;
  try {
    yield* differingFiles(directory, validManifest(directory, bytes).manifest);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    yield { file, offset: 0, problem: error.message };
  }
}

/** The live files of a database. */
export interface LiveFiles {
  /** Name and bytes of the manifest. */
  readonly file: string;
  readonly manifest: Uint8Array;
  /** The two possible names of each table, of which one exists. */
  readonly tables: readonly (readonly [string, string])[];
  /** Number of the oldest write-ahead log still needed. */
  readonly log: number;
}

/** Reads the live files from CURRENT and its manifest. Throws FormatError for damage, and the system's error. */
export function readLiveFiles(directory: string): LiveFiles {
  const named = readFileSync(join(directory, 'CURRENT'), 'latin1');
  if (!CURRENT_TEXT.test(named)) throw new FormatError('CURRENT names no manifest');
  const file = named.trimEnd();
  const manifest = readFileSync(join(directory, file));
  const { tables, log } = readManifest(recordsOf(manifest));
  return { manifest, file, log, tables: [...tables.keys()].map(namesOfTable) };
}

/** The current manifest: its file, size, and the offset at which its valid part ends. Throws as `readLiveFiles`. */
export function endOfManifest(directory: string): {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
} {
  const { file, manifest } = readLiveFiles(directory);
  return { file, offset: validManifest(directory, manifest).end, bytes: manifest.length };
}

/**
 * Reads a manifest and the offset at which its valid part ends. LevelDB writes an edit, syncs the directory, then syncs
 * the edit, and only then removes obsolete files. A power cut may therefore leave an edit whose new tables are missing;
 * all files of the previous edit then still exist, and that edit is the valid one. Throws FormatError.
 */
function validManifest(directory: string, bytes: Uint8Array): { readonly manifest: Manifest; readonly end: number } {
  let before: Edited | undefined;
  let after: Edited = { tables: new Map(), log: 0, seen: new Set() };
  let begin = 0;
  let end = 0;
  const records = soundRecords(bytes);
  for (let record = records.next(); ; record = records.next()) {
    if (record.done === true) {
      end = record.value;
      break;
    }
    before = after;
    begin = record.value.start;
    after = applied(after, record.value.bytes);
  }
  const isLost = [...differingFiles(directory, after)].some(({ problem }) => problem === MISSING);
  if (isLost && before !== undefined && isComplete(before) && [...differingFiles(directory, before)].length === 0)
    return { manifest: before, end: begin };
  if (!isComplete(after)) throw new FormatError(INCOMPLETE);
  return { manifest: after, end };
}

/** Names of the write-ahead logs still needed, oldest first. Throws as `readLiveFiles`. */
export function liveLogs(directory: string): readonly string[] {
  const { log } = readLiveFiles(directory);
  const number = (name: string): number => Number.parseInt(name, 10);
  return readdirSync(directory)
    .filter((name) => WRITE_AHEAD_LOG.test(name) && number(name) >= log)
    .sort((left, right) => number(left) - number(right));
}

/**
 * Returns a predicate: does the manifest name this table? A process killed during a compaction leaves an unfinished
 * table that no manifest names; the next open removes it. When the manifest is unreadable, every table counts as named.
 */
export function tableNames(directory: string): (file: string) => boolean {
  try {
    const named = new Set(readLiveFiles(directory).tables.flat());
    return (file) => named.has(file);
  } catch {
    return () => true;
  }
}

function namesOfTable(number: number): readonly [string, string] {
  const name = String(number).padStart(6, '0');
  return [`${name}.ldb`, `${name}.sst`];
}

const MISSING = 'is missing';

function* differingFiles(directory: string, { tables, log }: Manifest): Generator<FileProblem> {
  for (const [number, size] of tables) {
    const names = namesOfTable(number);
    const [file, found] = names
      .map((one) => [one, sizeIfThere(join(directory, one))] as const)
      .find(([, length]) => length !== undefined) ?? [names[0], undefined];
    if (found === undefined) yield { file, offset: 0, problem: MISSING };
    else if (found !== size)
      yield { file, offset: Math.min(found, size), problem: `has ${found} bytes, the manifest says ${size}` };
  }
  const file = `${String(log).padStart(6, '0')}.log`;
  if (log > 0 && sizeIfThere(join(directory, file)) === undefined) yield { file, offset: 0, problem: MISSING };
}

/** Fields of a version edit (enum Tag of db/version_edit.cc). */
const TAGS = {
  comparator: 1,
  logNumber: 2,
  nextFile: 3,
  lastSequence: 4,
  compactPointer: 5,
  deletedFile: 6,
  newFile: 7,
  previousLog: 9,
} as const;

/** Fields without which LevelDB refuses to open. */
const NEEDED = [TAGS.logNumber, TAGS.nextFile, TAGS.lastSequence];

const INCOMPLETE = 'ends before the first complete version edit';

/** The manifest after the version edits so far, and the fields seen in them. */
interface Edited extends Manifest {
  readonly seen: ReadonlySet<number>;
}

function isComplete({ seen }: Edited): boolean {
  return NEEDED.every((tag) => seen.has(tag));
}

/** Applies all version edits. Throws FormatError for an unknown or missing field, or a truncated edit. */
function readManifest(edits: Iterable<Uint8Array>): Manifest {
  let state: Edited = { tables: new Map(), log: 0, seen: new Set() };
  for (const edit of edits) state = applied(state, edit);
  if (!isComplete(state)) throw new FormatError(INCOMPLETE);
  return state;
}

/** Applies one version edit. */
function applied(before: Edited, edit: Uint8Array): Edited {
  const tables = new Map(before.tables);
  const seen = new Set(before.seen);
  let { log } = before;
  const reader = new ByteReader(edit);
  while (reader.remaining > 0) {
    const tag = reader.count();
    seen.add(tag);
    switch (tag) {
      case TAGS.comparator:
        reader.bytes();
        break;
      case TAGS.logNumber:
        log = reader.count();
        break;
      case TAGS.nextFile:
      case TAGS.lastSequence:
      case TAGS.previousLog:
        reader.uint();
        break;
      case TAGS.compactPointer:
        reader.count();
        reader.bytes();
        break;
      case TAGS.deletedFile:
        reader.count();
        tables.delete(reader.count());
        break;
      case TAGS.newFile: {
        reader.count();
        const number = reader.count();
        tables.set(number, reader.count());
        reader.bytes();
        reader.bytes();
        break;
      }
      default:
        throw new FormatError(`unknown field ${tag} in a version edit`);
    }
  }
  return { tables, log, seen };
}

/** Content of a file; undefined when it is absent or a directory. Throws other errors of the system. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'EISDIR') return undefined;
    throw error;
  }
}

function sizeIfThere(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : undefined;
}
