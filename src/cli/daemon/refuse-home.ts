import type { DaemonOptions } from '../../config/daemon-options.js';
import { FAILURE_EXIT_CODES, failureLines } from '../../config/failures.js';
import type { DataCommand } from '../../config/option-spec.js';
import { failureOf } from '../../node/failure-of.js';
import { homePaths } from '../../runtime/home/home.js';
import { refuseOtherBuild } from '../../runtime/home/refuse-other-build.js';
import type { CommandOutput } from './command-output.js';

/** Exit code that makes cosmovisor stop retrying (cosmos-sdk v0.53 docs, "Application Upgrade"). */
export const PRE_UPGRADE_FAILED = 30;

/**
 * Checks that this build can read the home's data before a command opens it. If not, explains it on standard error
 * and returns the exit code; else undefined. Does not change the home.
 */
export async function refuseHome(
  command: DataCommand,
  options: DaemonOptions,
  output: Pick<CommandOutput, 'stderr'>,
): Promise<number | undefined> {
  if (options.ephemeral && options.branch === undefined) return undefined;
  const { database } = homePaths(options.home);
  try {
    await refuseOtherBuild(database);
    return undefined;
  } catch (error) {
    const failure = failureOf(error, options);
    // The command itself reports all other failures.
    if (failure?.id !== 'E_HOME_OLD' && failure?.id !== 'E_HOME_NEWER') return undefined;
    output.stderr(`${failureLines(failure).join('\n')}\n`);
    return command === 'pre-upgrade' ? PRE_UPGRADE_FAILED : FAILURE_EXIT_CODES[failure.id];
  }
}
