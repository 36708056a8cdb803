import type { DaemonOptions } from '../../config/daemon-options.js';
import { FAILURE_EXIT_CODES, failureLines } from '../../config/index.js';
import { failureOf } from '../../node/failure-of.js';
import type { CommandOutput } from './command-output.js';

/**
 * Runs a command; resolves with its exit code. A failure that the user can fix is written to standard error and gives
 * its exit code; other errors reject.
 */
export async function reportingFailure(
  options: DaemonOptions,
  output: CommandOutput,
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const failure = failureOf(error, options);
    if (failure === undefined) throw error;
    output.stderr(`${failureLines(failure).join('\n')}\n`);
    return FAILURE_EXIT_CODES[failure.id];
  }
}
