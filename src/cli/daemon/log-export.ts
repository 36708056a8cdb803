import { closeSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { CorruptionError } from '../../store/errors.js';
import { makeFolder } from '../../store/files/make-folder.js';
import { findRecord, readRecords } from '../../store/log/read-records.js';
import { recordLine } from '../../store/log/record-lines.js';
import type { CommandOutput } from './command-output.js';
import { withLog } from './with-log.js';

interface Sink {
  write(text: string): void;
  close(): void;
}

/**
 * `log export`: writes the log records with the events from `--from` to `--to`, as JSON lines, to standard output or
 * a file.
 */
export function logExport(
  options: DaemonOptions,
  { from, to, outputDocument }: CommandArguments<'log export'>,
  output: CommandOutput,
): Promise<number> {
  return withLog(options, output, async ({ log, store, crypto }) => {
    const end = log.head().position;
    const through = to === undefined || to > end ? end : to;
    const { lowest, before: whole } = blocksFloor(store);
    if (from <= through && from < whole) {
      output.stderr(
        `results of the blocks below height ${lowest} are pruned: the log is whole from position ${whole} on\n`,
      );
      return EXIT.failed;
    }
    const sink = outputDocument === undefined ? standardOutput(output) : newFile(outputDocument);
    try {
      if (from > through) return 0;
      const first = await findRecord(store, from < 1n ? 1n : from);
      if (first === undefined) throw new CorruptionError('record is missing', { position: from });
      for await (const record of readRecords(store, crypto, { first, through })) sink.write(`${recordLine(record)}\n`);
      return 0;
    } finally {
      sink.close();
    }
  });
}

function standardOutput(output: CommandOutput): Sink {
  return { write: output.stdout, close: () => undefined };
}

/** Creates a file that only its owner can read, because the log contains everything that clients sent. */
function newFile(path: string): Sink {
  makeFolder(dirname(path));
  const descriptor = openSync(path, 'w', 0o600);
  // writeFileSync repeats partial writes: one system call may write only a part, for example on a full disk.
  return { write: (text) => writeFileSync(descriptor, text), close: () => closeSync(descriptor) };
}
