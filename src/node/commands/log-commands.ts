import { upperHex } from '../../core/bytes/hex.js';
import type { DaemonOptions } from '../../core/config/daemon-options.js';
import { toPosition } from '../../core/primitives.js';
import { showLog } from '../../store/show-log.js';
import { reExecute, deepestRevert } from '../chain/re-execute-log.js';
import type { CommandOutput } from './run.js';
import { withLog } from './with-log.js';

const EXIT_CORRUPT = 6;

/**
 * `log verify`: reads every byte of a stopped home and reports damage with its place. With `--execute` it also executes
 * every block again from genesis and reports the first event that differs.
 */
export function logVerify(options: DaemonOptions, output: CommandOutput): Promise<number> {
  return withLog(options, output, async ({ log, directory, crypto }) => {
    const report = await log.verifyAll({ directory });
    const everything = () => log.read({ from: toPosition(1n) });
    const execution =
      options.command.execute && report.problems.length === 0
        ? await reExecute(everything(), crypto, await deepestRevert(everything()))
        : undefined;
    const { position, executed } = log.head();
    if (options.command.output === 'json') {
      const shown = execution && {
        blocks: execution.blocks,
        app_hash: upperHex(execution.state?.appHash ?? new Uint8Array()),
        disagreements: execution.disagreements,
      };
      output.stdout(`${JSON.stringify({ ...report, ...(shown && { execution: shown }) }, bigintText)}\n`);
    } else {
      for (const problem of report.problems) {
        output.stdout(
          `damaged${problem.position === undefined ? '' : ` at position ${problem.position}`}${problem.file === undefined ? '' : ` in ${problem.file}`}: ${problem.problem}\n`,
        );
      }
      for (const { position: at, height, problem } of execution?.disagreements ?? [])
        output.stdout(`disagrees at position ${at}, height ${height}: ${problem}\n`);
      const again = execution === undefined ? '' : `, ${execution.blocks} blocks executed again`;
      output.stdout(
        `${report.records} records, ${report.rows} rows, ${report.problems.length} problems${again}, head at position ${position}, height ${executed}\n`,
      );
    }
    return report.problems.length === 0 && (execution?.disagreements.length ?? 0) === 0 ? 0 : EXIT_CORRUPT;
  });
}

/** `log show`: prints events, one per line. */
export function logShow(options: DaemonOptions, output: CommandOutput): Promise<number> {
  return withLog(options, output, async ({ log }) => {
    for await (const line of showLog(log, { from: toPosition(options.command.from), limit: options.command.limit })) {
      output.stdout(`${JSON.stringify(line)}\n`);
    }
    return 0;
  });
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
