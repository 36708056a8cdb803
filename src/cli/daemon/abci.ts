import { parseAbciAddress } from '../../adapters/abci/index.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { type Failure, FAILURE_EXIT_CODES, failureLines } from '../../config/index.js';
import { run } from './run.js';
import type { CommandOutput } from './command-output.js';

/** `abci`: serves the application to a consensus engine until a signal or a failure; resolves with the exit code. */
export async function abci(options: DaemonOptions, output: CommandOutput): Promise<number> {
  const address = options.engine?.address ?? '';
  if (parseAbciAddress(address) !== undefined) return run(options, output);
  const failure: Failure = {
    id: 'E_CONFIG',
    message: `--address: ${JSON.stringify(address)} is not an address; expected tcp://host:port or unix://path`,
    command: 'abci',
  };
  output.stderr(`${failureLines(failure).join('\n')}\n`);
  return FAILURE_EXIT_CODES[failure.id];
}
