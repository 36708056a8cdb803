import type { DaemonOptions } from '../../config/daemon-options.js';
import { FAILURE_EXIT_CODES, failureLines } from '../../config/failures.js';
import type { DataCommand } from '../../config/option-spec.js';
import { homePaths } from '../../runtime/home/home.js';
import { CorruptionError, OtherFormatError } from '../../store/errors.js';
import { refuseOtherFormat } from '../../store/format.js';
import type { CommandOutput } from './command-output.js';

/** Exit code by which cosmovisor does not try again (cosmos-sdk v0.53 docs, "Application Upgrade"). */
export const PRE_UPGRADE_FAILED = 30;

/**
 * Refuses data of another format before a command opens it, and explains it on standard error; the exit code, or
 * undefined where the command may run. Nothing in the home changes.
 */
export function refuseHome(
  command: DataCommand,
  { home, ephemeral }: Pick<DaemonOptions, 'home' | 'ephemeral'>,
  output: Pick<CommandOutput, 'stderr'>,
): number | undefined {
  if (ephemeral) return undefined;
  try {
    refuseOtherFormat(homePaths(home).database);
    return undefined;
  } catch (error) {
    // The command itself names the damage.
    if (error instanceof CorruptionError) return undefined;
    if (!(error instanceof OtherFormatError)) throw error;
    const id = error.isNewer ? 'E_HOME_NEWER' : 'E_HOME_OLD';
    output.stderr(`${failureLines({ id, home, reason: `${error.message}.` }).join('\n')}\n`);
    return command === 'pre-upgrade' ? PRE_UPGRADE_FAILED : FAILURE_EXIT_CODES[id];
  }
}
