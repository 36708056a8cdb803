/**
 * LevelDB's manifest: a log of version edits, which say the live files of the database (doc/impl.md and
 * db/version_edit.cc of google/leveldb). An open of LevelDB reports a missing table, but neither a cut one nor a
 * missing write-ahead log.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ByteReader, FormatError } from '../bytes.js';
import { recordsOf, scanLog, soundRecords, type FileProblem } from './logs.js';

/** The text of CURRENT: the name of the manifest. */
export const CURRENT_TEXT = /^MANIFEST-\d+\n$/;
/** Name of a write-ahead log; it begins with its number. */
export const WRITE_AHEAD_LOG = /^\d+\.log$/;

/** The live files of a database. */
interface Manifest {
  /** Length in bytes of each table, by its number. */
  readonly tables: ReadonlyMap<number, number>;
  /** Number of the oldest write-ahead log that is needed; 0 in a new database, which has none. */
  readonly log: number;
}

/**
 * Damage of CURRENT, of the manifest that it names, and of the presence and length of the files that the manifest
 * names, of a database that no process has open. The contents of tables are not read. An end of the manifest that is
 * not sound was not synced: what it would have changed is still as it was, or a file is missing.
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
    yield* differingFiles(directory, inForce(directory, bytes).manifest);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    yield { file, offset: 0, problem: error.message };
  }
}

/** The files that hold the data of a database. */
export interface LiveFiles {
  /** Name and bytes of the manifest. */
  readonly file: string;
  readonly manifest: Uint8Array;
  /** Names of the tables; one of the two names of a table exists. */
  readonly tables: readonly (readonly [string, string])[];
  /** Number of the oldest write-ahead log that is needed. */
  readonly log: number;
}

/** Reads what CURRENT and its manifest say. Throws FormatError for damage, and the error of the system. */
export function readLiveFiles(directory: string): LiveFiles {
  const named = readFileSync(join(directory, 'CURRENT'), 'latin1');
  if (!CURRENT_TEXT.test(named)) throw new FormatError('CURRENT names no manifest');
  const file = named.trimEnd();
  const manifest = readFileSync(join(directory, file));
  const { tables, log } = readManifest(recordsOf(manifest));
  return { manifest, file, log, tables: [...tables.keys()].map(namesOfTable) };
}

/** The manifest that CURRENT names, and where the part of it ends that is in force. Throws as `readLiveFiles`. */
export function endOfManifest(directory: string): {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
} {
  const { file, manifest } = readLiveFiles(directory);
  return { file, offset: inForce(directory, manifest).end, bytes: manifest.length };
}

/**
 * Reads a manifest, and where its valid part ends. LevelDB writes an edit, syncs the names of the folder and then the
 * edit, and removes what the edit made superfluous after that: a power cut may leave an edit whose new tables have no
 * names. Everything from before it is there then, and the edit was not in force. Throws FormatError.
 */
function inForce(directory: string, bytes: Uint8Array): { readonly manifest: Manifest; readonly end: number } {
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

/** Names of the write-ahead logs that the database needs, in their order. Throws as `readLiveFiles`. */
export function liveLogs(directory: string): readonly string[] {
  const { log } = readLiveFiles(directory);
  const number = (name: string): number => Number.parseInt(name, 10);
  return readdirSync(directory)
    .filter((name) => WRITE_AHEAD_LOG.test(name) && number(name) >= log)
    .sort((left, right) => number(left) - number(right));
}

/**
 * Tells whether the manifest names a table. A process that is killed in a compaction leaves a table that is not
 * finished and that no manifest names; the next open removes it. Every table counts as named when the manifest cannot
 * be read.
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

/** Fields that LevelDB refuses to open a database without. */
const NEEDED = [TAGS.logNumber, TAGS.nextFile, TAGS.lastSequence];

const INCOMPLETE = 'ends before the first complete version edit';

/** The sum of the version edits so far. */
interface Edited extends Manifest {
  readonly seen: ReadonlySet<number>;
}

function isComplete({ seen }: Edited): boolean {
  return NEEDED.every((tag) => seen.has(tag));
}

/** Applies all version edits; throws FormatError for an unknown or missing field, and for an edit that ends early. */
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

function readIfThere(path: string): Buffer | undefined {
  return sizeIfThere(path) === undefined ? undefined : readFileSync(path);
}

function sizeIfThere(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : undefined;
}
