import type { DaemonOptions } from '../../config/daemon-options.js';
import { eventLine, eventText } from '../../core/inspection/event-line.js';
import { matchesLogFilter } from '../../core/inspection/log-filter.js';
import type { Recorded } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, toPosition } from '../../core/primitives.js';
import { formatTime } from '../../core/comet/time.js';
import { printableJson } from '../../core/text/printable.js';
import { decodedMembers } from '../../node/inspection/decoded-event.js';
import { showEvent } from '../../store/show-log.js';
import type { CommandOutput } from './command-output.js';
import { logFollow } from './log-follow.js';
import { withLog } from './with-log.js';

/**
 * `log show`: prints events, one per line, as JSON with blocks, results and transactions of both kinds, or as text.
 * `--follow` asks the node that runs.
 */
export function logShow(options: DaemonOptions, output: CommandOutput): Promise<number> {
  const { from, to, limit, height, reading } = options.command;
  if (reading?.follow === true) return logFollow(options, output);
  return withLog(options, output, async ({ log, crypto }) => {
    const filter = {
      types: reading?.types,
      tx: reading?.tx,
      height: height === undefined ? undefined : toHeight(height),
      streams: undefined,
      cause: undefined,
    };
    let left = limit;
    for await (const events of log.read({ from: toPosition(from ?? 1n) })) {
      for (const recorded of events) {
        if (left <= 0 || (to !== undefined && recorded.position > to)) return 0;
        if (!matchesLogFilter(recorded, filter, crypto)) continue;
        output.stdout(`${lineOf(recorded, crypto, options.command.output)}\n`);
        left -= 1;
      }
      if (left <= 0) return 0;
    }
    return 0;
  });
}

function lineOf(recorded: Recorded, crypto: Crypto, output: 'text' | 'json'): string {
  if (output === 'json') return printableJson(showEvent(recorded, decodedMembers(recorded.event, crypto)));
  const { position, time, stream, event } = recorded;
  return eventText(position, formatTime(time), stream, eventLine(event, crypto));
}
