import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { type DaemonCommand, isDataCommand } from '../../config/option-spec.js';
import type { CommandOutput } from './command-output.js';
import { inReadingProcess } from './reading-process.js';

/** Implementation of a daemon command; resolves with the exit code. */
type Body<Name extends DaemonCommand> = (
  options: DaemonOptions,
  args: CommandArguments<Name>,
  output: CommandOutput,
  reading: Reading,
) => Promise<number>;

/** Runs a function that reads a database; see `inReadingProcess`. */
type Reading = (output: CommandOutput, read: () => Promise<number>) => Promise<number>;

/** Implementations are imported on use. */
const BODIES: { readonly [Name in DaemonCommand]: Body<Name> } = {
  dev: async (options, _, output) => (await import('./run.js')).run(options, output, process.argv.slice(2)),
  start: async (options, _, output) => (await import('./run.js')).run(options, output),
  abci: async (options, _, output) => (await import('./abci.js')).abci(options, output),
  init: async (options, args, output) => (await import('./home-commands.js')).init(options, args, output),
  reset: async (options, args, output) => (await import('./home-commands.js')).reset(options, args, output),
  'log verify': (options, args, output, reading) =>
    reading(output, async () => (await import('./log-verify.js')).logVerify(options, args, output)),
  'log rebuild': (options, args, output, reading) =>
    reading(output, async () => (await import('./log-rebuild.js')).logRebuild(options, args, output)),
  'log export': async (options, args, output) => (await import('./log-export.js')).logExport(options, args, output),
  'log import': async (options, args, output) => (await import('./log-import.js')).logImport(options, args, output),
  'log show': async (options, args, output) => (await import('./log-show.js')).logShow(options, args, output),
  'log diff': async (options, args, output) => (await import('./log-diff.js')).logDiff(options, args, output),
  state: async (options, args, output) => (await import('./state-at.js')).stateAt(options, args, output),
  'upgrade rehearse': async (options, args, output) =>
    (await import('./upgrade-rehearse.js')).upgradeRehearse(options, args, output),
  'pre-upgrade': async (options, _, output) => (await import('./pre-upgrade.js')).preUpgrade(options, output),
  rollback: async (options, args, output) => (await import('./rollback.js')).rollback(options, args, output),
  backup: async (options, args, output) => (await import('./backup.js')).backup(options, args, output),
  prune: async (options, _, output) => (await import('./prune.js')).prune(options, output),
  export: async (options, args, output) => (await import('./export.js')).exportState(options, args, output),
  'snapshots list': async (options, _, output) => (await import('./snapshots.js')).listSnapshots(options, output),
  'snapshots load': async (options, args, output) =>
    (await import('./snapshots.js')).loadArchive(options, args, output),
  'snapshots dump': async (options, args, output) =>
    (await import('./snapshots.js')).dumpArchive(options, args, output),
  'snapshots delete': async (options, args, output) =>
    (await import('./snapshots.js')).deleteSnapshot(options, args, output),
  'snapshots export': async (options, args, output) =>
    (await import('./snapshot-export.js')).exportSnapshot(options, args, output),
  'snapshots restore': async (options, args, output) =>
    (await import('./snapshot-restore.js')).restoreSnapshot(options, args, output),
};

/**
 * Runs a daemon command; resolves with the exit code. Refuses a home that this build cannot read. `reading`: runs
 * functions that may read damaged files.
 */
export async function runCommand<Name extends DaemonCommand>(
  command: Name,
  options: DaemonOptions,
  args: CommandArguments<Name>,
  output: CommandOutput,
  reading: Reading = inReadingProcess,
): Promise<number> {
  const refused = isDataCommand(command)
    ? await (await import('./refuse-home.js')).refuseHome(command, options, output)
    : undefined;
  return refused ?? BODIES[command](options, args, output, reading);
}
