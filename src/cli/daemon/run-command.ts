import type { DaemonOptions } from '../../config/daemon-options.js';
import { type DaemonCommand, isDataCommand, type SnapshotFiles } from '../../config/option-spec.js';
import type { CommandOutput } from './command-output.js';
import { inReadingProcess } from './reading-process.js';

/** The body of a command; resolves with the exit code of the process. */
type Body = (options: DaemonOptions, output: CommandOutput, reading: Reading) => Promise<number>;

/** Runs what reads a database; see `inReadingProcess`. */
type Reading = (output: CommandOutput, read: () => Promise<number>) => Promise<number>;

const snapshots =
  (command: SnapshotFiles): Body =>
  async (options, output) =>
    (await import('./snapshots.js')).snapshots(command, options, output);

/** Bodies are imported when they run. */
const BODIES: Readonly<Record<DaemonCommand, Body>> = {
  dev: async (options, output) => (await import('./run.js')).run(options, output, process.argv.slice(2)),
  start: async (options, output) => (await import('./run.js')).run(options, output),
  abci: async (options, output) => (await import('./abci.js')).abci(options, output),
  init: async (options, output) => (await import('./home-commands.js')).init(options, output),
  reset: async (options, output) => (await import('./home-commands.js')).reset(options, output),
  'log verify': (options, output, reading) =>
    reading(output, async () => (await import('./log-verify.js')).logVerify(options, output)),
  'log rebuild': (options, output, reading) =>
    reading(output, async () => (await import('./log-rebuild.js')).logRebuild(options, output)),
  'log export': async (options, output) => (await import('./log-export.js')).logExport(options, output),
  'log import': async (options, output) => (await import('./log-import.js')).logImport(options, output),
  'log show': async (options, output) => (await import('./log-show.js')).logShow(options, output),
  'log diff': async (options, output) => (await import('./log-diff.js')).logDiff(options, output),
  state: async (options, output) => (await import('./state-at.js')).stateAt(options, output),
  'upgrade rehearse': async (options, output) =>
    (await import('./upgrade-rehearse.js')).upgradeRehearse(options, output),
  'pre-upgrade': async (options, output) => (await import('./pre-upgrade.js')).preUpgrade(options, output),
  rollback: async (options, output) => (await import('./rollback.js')).rollback(options, output),
  backup: async (options, output) => (await import('./backup.js')).backup(options, output),
  prune: async (options, output) => (await import('./prune.js')).prune(options, output),
  export: async (options, output) => (await import('./export.js')).exportState(options, output),
  'snapshots list': snapshots('snapshots list'),
  'snapshots load': snapshots('snapshots load'),
  'snapshots dump': snapshots('snapshots dump'),
  'snapshots delete': snapshots('snapshots delete'),
  'snapshots export': async (options, output) => (await import('./snapshot-export.js')).exportSnapshot(options, output),
  'snapshots restore': async (options, output) =>
    (await import('./snapshot-restore.js')).restoreSnapshot(options, output),
};

/**
 * Runs a daemon command; resolves with the exit code of the process. Data that this build does not read is refused.
 * `reading` runs what reads damaged files.
 */
export async function runCommand(
  command: DaemonCommand,
  options: DaemonOptions,
  output: CommandOutput,
  reading: Reading = inReadingProcess,
): Promise<number> {
  const refused = isDataCommand(command)
    ? await (await import('./refuse-home.js')).refuseHome(command, options, output)
    : undefined;
  return refused ?? BODIES[command](options, output, reading);
}
