import type { DaemonOptions } from '../../core/config/daemon-options.js';
import { toPosition } from '../../core/primitives.js';
import { showLog } from '../../store/show-log.js';
import type { CommandOutput } from './run.js';
import { withLog } from './with-log.js';

/** `log show`: prints events, one per line. */
export function logShow(options: DaemonOptions, output: CommandOutput): Promise<number> {
  return withLog(options, output, async ({ log }) => {
    for await (const line of showLog(log, { from: toPosition(options.command.from), limit: options.command.limit })) {
      output.stdout(`${JSON.stringify(line)}\n`);
    }
    return 0;
  });
}
