import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { SnapshotRefused } from '../../core/multistore/snapshot-items.js';
import { toHeight, type Height, type Position, type TimeNs } from '../../core/primitives.js';
import { FormatError } from '../../store/bytes.js';
import { compareRows } from '../../store/compare-rows.js';
import { CorruptionError } from '../../store/errors.js';
import { OutOfOrderError } from '../../store/head.js';
import { INDEX_PREFIXES, isIndexEmpty } from '../../store/index-rows/index-rows.js';
import { noteLostRecords } from '../../store/lost-records.js';
import { problemOf, type LogProblem } from '../../store/log-problem.js';
import { lowestHeight } from '../../store/state/latest.js';
import { pruneState } from '../../store/state/prune.js';
import { verifyLog } from '../../store/verify-log.js';
import { deriveDatabase, wholeLogOf, type DeriveOptions, type LogInDatabase } from './derive-database.js';
import { readHostRows } from './host-rows.js';
import { ReplayMismatch } from './rebuild-trees.js';

export interface VerifyDatabaseOptions extends LogInDatabase, Pick<DeriveOptions, 'target' | 'folders' | 'progress'> {
  /** The time of the host. */
  readonly now: TimeNs;
  /** Folder of the database: LevelDB's files are checked too. */
  readonly directory?: string;
}

export interface Verified {
  readonly records: number;
  readonly rows: number;
  readonly problems: readonly LogProblem[];
  /** The head as the records give it; undefined when the log itself is damaged. */
  readonly head: { readonly position: Position; readonly height: Height } | undefined;
  /** Lowest height whose state is kept; undefined when the log is damaged. */
  readonly statesFrom: Height | undefined;
}

/**
 * Reads every byte of a database, makes every row anew from its log, and compares. Damage is reported with its place,
 * never thrown; failures of this host, such as a full disk, reject.
 */
export async function verifyDatabase(options: VerifyDatabaseOptions): Promise<Verified> {
  const { store, crypto, directory, target } = options;
  await noteLostRecords(store, crypto);
  const {
    records,
    rows,
    problems: found,
  } = await verifyLog(store, crypto, directory === undefined ? {} : { directory });
  // A power cut while a chain is founded leaves a database without one, which the next start founds.
  if (rows === 0 && options.witnessed === undefined)
    return { records, rows, problems: found, head: undefined, statesFrom: undefined };
  const problems: LogProblem[] = [];
  try {
    const host = readHostRows(store, options.now);
    const { head, mustBeIndexed } = await deriveDatabase({ ...options, log: await wholeLogOf(options), host });
    // A kill may have left the last page of a pruning, which the next start clears.
    await pruneState(store, { first: toHeight(0n), floor: lowestHeight(store), rows: FIXED_LIMITS.derivedPrunedRows });
    const isUnindexed = !mustBeIndexed && (await isIndexEmpty(store).catch(() => false));
    const skipped = isUnindexed ? INDEX_PREFIXES : undefined;
    await compareRows(store, target, (problem) => void problems.push(problem), skipped);
    // The log is whole: what the first look said about its events was about rows, and the comparison has named those.
    const others = found.filter(({ file, key }) => file !== undefined || key !== undefined);
    return {
      records,
      rows,
      problems: [...others, ...problems],
      head: { position: head.position, height: head.executed },
      statesFrom: lowestHeight(store),
    };
  } catch (error) {
    if (!isOfTheLog(error)) throw error;
    const problem = problemOf(error);
    // The first look at the records has mostly found it already.
    const isKnown = found.some((one) => one.position === problem.position && one.problem === problem.problem);
    return { records, rows, problems: isKnown ? found : [...found, problem], head: undefined, statesFrom: undefined };
  }
}

/** False for failures of this host. */
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
