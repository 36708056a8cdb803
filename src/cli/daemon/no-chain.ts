import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import type { CommandOutput } from './command-output.js';

/** Reports that a home has no chain; returns the exit code. */
export function noChain(home: string, output: Pick<CommandOutput, 'stderr'>): number {
  output.stderr(`no chain in ${home}\nName another home with --home, or start a chain with: chronicled dev\n`);
  return EXIT.notFound;
}

/** Reports that the home has no such snapshot; returns the exit code. */
export function noSnapshot(
  { home }: DaemonOptions,
  { height, format }: CommandArguments<'snapshots restore'>,
  output: Pick<CommandOutput, 'stderr'>,
): number {
  output.stderr(`no snapshot of height ${height} and format ${format} in ${home}\n`);
  return EXIT.notFound;
}
