import type { DaemonOptions } from '../../config/daemon-options.js';
import { printableJson } from '../../core/text/printable.js';
import { toPosition } from '../../core/primitives.js';
import { showLog } from '../../store/show-log.js';
import { decodedMembers } from '../../node/inspection/decoded-event.js';
import type { CommandOutput } from './command-output.js';
import { withLog } from './with-log.js';

/** `log show`: prints events, one per line, with blocks, results and transactions of both kinds as JSON. */
export function logShow(options: DaemonOptions, output: CommandOutput): Promise<number> {
  return withLog(options, output, async ({ log, crypto }) => {
    const { from, limit } = options.command;
    const decode: Parameters<typeof showLog>[1]['decode'] = (event) => decodedMembers(event, crypto);
    for await (const line of showLog(log, { from: toPosition(from), limit, decode }))
      output.stdout(`${printableJson(line)}\n`);
    return 0;
  });
}
