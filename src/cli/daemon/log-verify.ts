import { upperHex } from '../../core/bytes/hex.js';
import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { toPosition } from '../../core/primitives.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { fillNewDatabase } from '../../store/leveldb/level-store.js';
import { makeTemporaryFolder } from '../../store/files/temporary-folder.js';
import type { LogProblem } from '../../store/log/log-problem.js';
import { deepestRevert, reExecute, type ReExecutionReport } from '../../runtime/re-execution/re-execute-log.js';
import { createHostClock } from '../../runtime/host/time.js';
import { verifyDatabase, type Verified } from '../../runtime/rebuild/verify-database.js';
import { progressLine } from './progress-line.js';
import type { CommandOutput } from './command-output.js';
import { logOf, withStore, type CopiedHome } from './with-log.js';

const ADVICE = 'log rebuild';

/**
 * `log verify`: reads every byte of a home, rebuilds every row from the log in a temporary database, and reports
 * damage with its location. With `--execute` it also re-executes every block, from the genesis or from the anchor of
 * a pruned log, and reports the first event that differs.
 */
export function logVerify(
  options: DaemonOptions,
  args: CommandArguments<'log verify'>,
  output: CommandOutput,
): Promise<number> {
  return withStore(options, output, async (home) => {
    const verified = await verify(home, output);
    const isSound = verified.problems.length === 0;
    const execution = args.execute && isSound ? await execute(home) : undefined;
    if (args.output === 'json') printJson(verified, execution, output);
    else printText(verified, execution, output);
    return isSound && (execution?.disagreements.length ?? 0) === 0 ? 0 : EXIT.logCorrupt;
  });
}

async function verify({ store, crypto, directory, witnessed }: CopiedHome, output: CommandOutput): Promise<Verified> {
  const progress = progressLine(output, 'verifying');
  const now = createHostClock().now();
  const options = { store, crypto, directory, witnessed, now, ...(progress && { progress }) };
  const { path: folder, remove } = makeTemporaryFolder('chronicle-verify-');
  try {
    return await fillNewDatabase(folder, (target) => verifyDatabase({ ...options, target }));
  } finally {
    remove();
  }
}

async function execute(home: CopiedHome): Promise<ReExecutionReport> {
  const log = await logOf(home);
  const everything = () => log.read({ from: toPosition(1n) });
  const { before } = blocksFloor(home.store);
  return reExecute(everything(), home.crypto, await deepestRevert(everything()), before);
}

function printJson(
  { records, rows, problems, head, statesFrom, blocksFrom, logFrom }: Verified,
  execution: ReExecutionReport | undefined,
  output: CommandOutput,
): void {
  const shown = execution && {
    blocks: execution.blocks,
    app_hash: upperHex(execution.state?.appHash ?? new Uint8Array()),
    disagreements: execution.disagreements,
  };
  const canRebuild = problems.length > 0 && head !== undefined;
  const report = {
    records,
    rows,
    problems,
    ...(isPruned(statesFrom) && { states_from: statesFrom }),
    ...(isPruned(blocksFrom) && { blocks_from: blocksFrom }),
    ...(logFrom !== undefined && { log_from: logFrom }),
    ...(canRebuild && { advice: ADVICE }),
    ...(shown && { execution: shown }),
  };
  output.stdout(`${JSON.stringify(report, bigintText)}\n`);
}

function printText(
  { records, rows, problems, head, statesFrom, blocksFrom, logFrom }: Verified,
  execution: ReExecutionReport | undefined,
  output: CommandOutput,
): void {
  for (const problem of problems) output.stdout(`damaged${placeOf(problem)}: ${problem.problem}\n`);
  for (const { position, height, problem } of execution?.disagreements ?? [])
    output.stdout(`disagrees at position ${position}, height ${height}: ${problem}\n`);
  const again = execution === undefined ? '' : `, ${execution.blocks} blocks executed again`;
  const end = head === undefined ? '' : `, head at position ${head.position}, height ${head.height}`;
  const states = isPruned(statesFrom) ? `, states from height ${statesFrom}` : '';
  const blocks = isPruned(blocksFrom) ? `, blocks from height ${blocksFrom}` : '';
  const from = `${states}${blocks}${logFrom === undefined ? '' : `, log from height ${logFrom}`}`;
  output.stdout(`${records} records, ${rows} rows, ${problems.length} problems${again}${end}${from}\n`);
  if (problems.length > 0 && head !== undefined)
    output.stdout(`The log itself is whole. Rebuild the database from it with: chronicled ${ADVICE}\n`);
}

/** True if the home does not keep every state (or block). */
function isPruned(lowest: bigint | undefined): lowest is bigint {
  return lowest !== undefined && lowest > 0n;
}

function placeOf({ position, table, key, file }: LogProblem): string {
  return [
    position === undefined ? '' : ` at position ${position}`,
    table === undefined ? '' : ` in table ${table}`,
    key === undefined ? '' : ` at key ${key}`,
    file === undefined ? '' : ` in ${file}`,
  ].join('');
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
