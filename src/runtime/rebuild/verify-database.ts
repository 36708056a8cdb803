import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { SnapshotRefused } from '../../core/multistore/snapshot-items.js';
import { toHeight, type Height, type Position, type TimeNs } from '../../core/primitives.js';
import { FormatError } from '../../store/bytes.js';
import { anchorHeight } from '../../store/log/anchor.js';
import { removeRows } from '../../store/rows/all-rows.js';
import { NO_BLOCK_CACHE } from '../../store/log/block-cache.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { compareRows } from '../../store/log/compare-rows.js';
import { CorruptionError } from '../../store/errors.js';
import { type LogHead, OutOfOrderError } from '../../store/log/head.js';
import { LoggedBlocks } from '../../store/log/logged-blocks.js';
import { INDEX_PREFIXES, isIndexEmpty, POSTING_PREFIXES } from '../../store/index-rows/index-rows.js';
import { PREFIX } from '../../store/keys.js';
import { problemOf, type LogProblem } from '../../store/log/log-problem.js';
import { RowSumsInsufficient, RowSums } from '../../store/rows/row-sums.js';
import { lowestHeight } from '../../store/state/latest.js';
import { pruneState } from '../../store/state/prune.js';
import { UNDO_PREFIX } from '../../store/state/tables.js';
import { fileProblems } from '../../store/leveldb/scan-files.js';
import { readAnchor, type StoredRecord } from '../../store/log/read-records.js';
import { readHead } from '../../store/log/verify-tail.js';
import { verifyLog } from '../../store/log/verify-log.js';
import { deriveDatabase, wholeLogOf, type DeriveOptions, type LogInDatabase } from './derive-database.js';
import { readHostRows, unlessDamaged } from './host-rows.js';
import { pruneBlocks } from '../pruning/prune-blocks.js';
import { clearLeftovers } from '../pruning/prune-records.js';
import { ReplayMismatch } from './rebuild-trees.js';

export interface VerifyDatabaseOptions extends LogInDatabase, Pick<DeriveOptions, 'target' | 'progress'> {
  /** Current time. */
  readonly now: TimeNs;
  /** Folder of the database; if given, LevelDB's files are checked, too. */
  readonly directory?: string;
}

export interface Verified {
  readonly records: number;
  readonly rows: number;
  readonly problems: readonly LogProblem[];
  /** Head according to the records; undefined when the log is damaged. */
  readonly head: { readonly position: Position; readonly height: Height } | undefined;
  /** Lowest readable state; undefined when the log is damaged. */
  readonly statesFrom: Height | undefined;
  /** Lowest complete block. */
  readonly blocksFrom: Height | undefined;
  /** Lowest block whose record is kept; undefined for an unpruned log. */
  readonly logFrom: Height | undefined;
}

/**
 * Verifies a database completely: reads every byte, derives every row from the log again, and compares. Most rows are
 * compared by sums; if these differ, or rows were deleted by a revert, rows are compared one by one. The records of a
 * damaged log are read again to report all damage. Damage is reported, never thrown; host failures such as a full disk
 * reject.
 */
export async function verifyDatabase(options: VerifyDatabaseOptions): Promise<Verified> {
  try {
    return await verifyOnce(options, sumsOf(options));
  } catch (error) {
    if (!(error instanceof RowSumsInsufficient)) throw error;
    await removeRows(options.target, Uint8Array.of(0), Uint8Array.of(0xff, 0xff));
    return verifyOnce(options, undefined);
  }
}

/**
 * Tables whose rows are written once, so sums suffice. Undo pages of a pruned home are excluded: they may differ from
 * derived ones in whether they name a deletion.
 */
function sumsOf({ store }: VerifyDatabaseOptions): RowSums {
  const isPruned = unlessDamaged(() => lowestHeight(store)) !== 0n;
  return new RowSums([PREFIX.blockHash, PREFIX.headerHash, ...POSTING_PREFIXES, ...(isPruned ? [] : [UNDO_PREFIX])]);
}

async function verifyOnce(options: VerifyDatabaseOptions, sums: RowSums | undefined): Promise<Verified> {
  const { store, directory, target } = options;
  const problems: LogProblem[] = directory === undefined ? [] : fileProblems(directory);
  const report = (problem: LogProblem): void => void problems.push(problem);
  try {
    await clearPruned(options);
    const host = readHostRows(store, options.now);
    let recordRows = 0;
    const { through, records: read } = await wholeLogOf(options);
    const log = { through, records: counted(read, (rows) => (recordRows += rows)) };
    const { head, mustBeIndexed, records } = await deriveDatabase({ ...options, log, host, records: store, sums });
    // A kill may have left an undo page half pruned; the next start would clear it.
    await pruneState(store, { first: toHeight(0n), floor: lowestHeight(store), rows: FIXED_LIMITS.derivedPrunedRows });
    const isUnindexed = !mustBeIndexed && (await isIndexEmpty(store).catch(() => false));
    const skipped = isUnindexed ? INDEX_PREFIXES : undefined;
    const otherRows = await compareRows(store, target, report, { skipped, sums });
    return {
      records,
      rows: recordRows + otherRows,
      problems,
      head: { position: head.position, height: head.executed },
      statesFrom: lowestHeight(store),
      blocksFrom: lowestBlock(options, head),
      logFrom: lowestRecord(options),
    };
  } catch (error) {
    if (!isOfTheLog(error)) throw error;
    return verifyDamaged(options, problems, problemOf(error));
  }
}

/** Lowest complete block in the log; 0 when nothing is missing since the genesis. */
function lowestBlock({ store, crypto }: LogInDatabase, head: LogHead): Height {
  const { lowest } = blocksFloor(store);
  const restored = new LoggedBlocks({ store, crypto, head: () => head, cache: NO_BLOCK_CACHE }).restored()?.event.data;
  return restored === undefined || restored.height < lowest ? lowest : toHeight(restored.height + 1n);
}

function lowestRecord({ store, crypto }: LogInDatabase): Height | undefined {
  const header = readAnchor(store, crypto);
  return header && toHeight(anchorHeight(header.anchor) + 1n);
}

/** Deletes rows of pruned blocks and records left by a kill, as the next start would. */
async function clearPruned({ store, crypto }: LogInDatabase): Promise<void> {
  await clearLeftovers(store, crypto, FIXED_LIMITS.derivedPrunedRows);
  const { lowest } = blocksFloor(store);
  if (lowest === 0n) return;
  const head = readHead(store);
  await pruneBlocks({ store, crypto, head: () => head, first: toHeight(0n) }, lowest, FIXED_LIMITS.derivedPrunedRows);
}

/** Reports all damage of a log that cannot be processed to its end; `problem` is where processing failed. */
async function verifyDamaged(
  { store, crypto, witnessed }: VerifyDatabaseOptions,
  ofFiles: readonly LogProblem[],
  problem: LogProblem,
): Promise<Verified> {
  const { records, rows, problems } = await verifyLog(store, crypto);
  // A power cut during the very first start leaves a database without a chain; the next start creates it.
  const isUnfounded = rows === 0 && witnessed === undefined;
  const isKnown = problems.some((one) => one.position === problem.position && one.problem === problem.problem);
  const found = [...ofFiles, ...problems, ...(isKnown || isUnfounded ? [] : [problem])];
  return {
    records,
    rows,
    problems: found,
    head: undefined,
    statesFrom: undefined,
    blocksFrom: undefined,
    logFrom: undefined,
  };
}

async function* counted(
  records: AsyncIterable<StoredRecord>,
  count: (rows: number) => void,
): AsyncGenerator<StoredRecord> {
  for await (const record of records) {
    count(record.rows.length);
    yield record;
  }
}

/** True for errors caused by the log, false for host failures. */
function isOfTheLog(error: unknown): boolean {
  return (
    error instanceof CorruptionError ||
    error instanceof OutOfOrderError ||
    error instanceof FormatError ||
    error instanceof ReplayMismatch ||
    error instanceof SnapshotRefused ||
    (error instanceof Error && error.message.startsWith('invariant: '))
  );
}
