import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { eventLine, eventText } from '../../core/inspection/event-line.js';
import { matchesLogFilter } from '../../core/inspection/log-filter.js';
import type { Recorded } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, toPosition } from '../../core/primitives.js';
import { formatTime } from '../../core/comet/time.js';
import { printableJson } from '../../core/text/printable.js';
import { plainNames } from '../../node/inspection/answer-names.js';
import { decodedMembers } from '../../node/inspection/decoded-event.js';
import { showEvent } from '../../store/log/show-log.js';
import { createHostCrypto } from '../../runtime/host/crypto.js';
import { exportedRecords, ImportRefused } from '../../runtime/rebuild/imported-log.js';
import { prunedHeight, prunedPosition } from '../../store/log/pruned-position.js';
import type { DecodedRecord } from '../../store/log/read-records.js';
import type { CommandOutput } from './command-output.js';
import { exitingOnSignals } from './end-signals.js';
import { logFollow } from './log-follow.js';
import { isFile, linesOf } from './log-lines.js';
import { withLog } from './with-log.js';

/**
 * `log show`: prints log events, one per line, as text or as JSON with decoded blocks, results and transactions.
 * `--follow` reads from the running node. A `log export` file may be read instead of the home.
 */
export function logShow(
  options: DaemonOptions,
  args: CommandArguments<'log show'>,
  output: CommandOutput,
): Promise<number> {
  const { from, file, follow } = args;
  if (file !== undefined) return showFile(file, args, output);
  if (follow) return logFollow(options, args, output);
  return withLog(options, output, async ({ log, crypto }) => {
    const refused = prunedPosition(log, from) ?? prunedPosition(log, args.to) ?? prunedHeight(log, args.height);
    if (refused !== undefined) {
      output.stderr(`${refused}\n`);
      return EXIT.failed;
    }
    await printEvents(log.read({ from: toPosition(from ?? 1n), isBrief: true }), crypto, args, output);
    return 0;
  });
}

async function showFile(file: string, args: CommandArguments<'log show'>, output: CommandOutput): Promise<number> {
  if (args.follow) {
    output.stderr('log show: --follow asks the running node, and reads no file\n');
    return EXIT.usage;
  }
  if (!isFile(file)) {
    output.stderr(`no such file: ${file}\n`);
    return EXIT.notFound;
  }
  return exitingOnSignals(async () => {
    const crypto = await createHostCrypto();
    try {
      await printEvents(eventsOf(exportedRecords(linesOf(file), crypto)), crypto, args, output);
      return 0;
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      output.stderr(`${error.message}\n`);
      return EXIT.failed;
    }
  });
}

async function* eventsOf(records: AsyncIterable<DecodedRecord>): AsyncGenerator<readonly Recorded[]> {
  for await (const { events } of records) yield events;
}

async function printEvents(
  pieces: AsyncIterable<readonly Recorded[]>,
  crypto: Crypto,
  { from = 1n, to, limit, types, tx, height, output: form }: CommandArguments<'log show'>,
  output: CommandOutput,
): Promise<void> {
  const filter = {
    types,
    tx,
    height: height === undefined ? undefined : toHeight(height),
    streams: undefined,
    cause: undefined,
  };
  let left = limit;
  for await (const events of pieces) {
    for (const recorded of events) {
      if (left <= 0 || (to !== undefined && recorded.position > to)) return;
      if (recorded.position < from || !matchesLogFilter(recorded, filter, crypto)) continue;
      output.stdout(`${lineOf(recorded, crypto, form)}\n`);
      left -= 1;
    }
    if (left <= 0) return;
  }
}

function lineOf(recorded: Recorded, crypto: Crypto, output: 'text' | 'json'): string {
  if (output === 'json')
    return printableJson(showEvent(recorded, decodedMembers(recorded.event, crypto, plainNames(crypto))));
  const { position, time, stream, event } = recorded;
  return eventText(position, formatTime(time), stream, eventLine(event, crypto));
}
