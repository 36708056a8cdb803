import { parseAbciAddress } from '../../adapters/abci/index.js';
import type { DaemonOptions } from '../../core/config/daemon-options.js';
import { type ServedApplication, serveKvStore } from '../abci/serve-kvstore.js';
import { type Failure, FAILURE_EXIT_CODES, failureLines, readyLine } from '../config/index.js';
import { writeFileWhole } from '../home/write-file.js';
import { createLogger } from '../logger.js';
import { VERSION } from '../version.js';
import { onEndSignals } from './end-signals.js';
import { failureOf } from './failure-of.js';
import { run, type CommandOutput } from './run.js';

/**
 * `abci`: serves an application to a consensus engine until a signal or a failure of the application; resolves with the
 * exit code.
 */
export async function abci(options: DaemonOptions, output: CommandOutput): Promise<number> {
  const fail = (failure: Failure): number => {
    output.stderr(`${failureLines(failure).join('\n')}\n`);
    return FAILURE_EXIT_CODES[failure.id];
  };
  const { app, address: given } = options.command;
  const address = parseAbciAddress(given);
  if (address === undefined)
    return fail({
      id: 'E_CONFIG',
      message: `--address: ${JSON.stringify(given)} is not an address; expected tcp://host:port or unix://path`,
      command: 'abci',
    });
  if (app === 'chronicle') return run(options, output);
  process.umask(0o077);
  let ignore = (): void => undefined;
  const signalled = new Promise<'signal'>((resolve) => {
    ignore = onEndSignals(() => resolve('signal'));
  });
  let served: ServedApplication | undefined;
  try {
    served = await serveKvStore(options, address, await createLogger(options.logLevel, options.logFormat));
    announce(options, served, output);
    const ended = await Promise.race([signalled, served.failed.then((error) => ({ error }))]);
    await served.stop();
    if (ended !== 'signal') throw ended.error;
    return 0;
  } catch (error) {
    const failure = failureOf(error, options);
    if (failure === undefined) throw error;
    return fail(failure);
  } finally {
    ignore();
  }
}

function announce(
  { readyFile, quiet, home, ephemeral }: DaemonOptions,
  served: ServedApplication,
  output: CommandOutput,
): void {
  const { height, endpoints } = served;
  if (readyFile !== undefined)
    writeFileWhole(
      readyFile,
      `${JSON.stringify({ pid: process.pid, version: VERSION, app: 'kvstore', height: height.toString(), endpoints })}\n`,
    );
  if (!quiet)
    output.stdout(
      [
        `chronicled ${VERSION}   application kvstore   block ${height}`,
        '',
        `  ABCI      ${endpoints.abci}   (cometbft start --proxy_app ${endpoints.abci})`,
        ...(endpoints.metrics === undefined ? [] : [`  Metrics   ${endpoints.metrics}/metrics`]),
        `  Data      ${ephemeral ? 'in memory (--ephemeral): nothing is kept' : home}`,
        '',
      ].join('\n'),
    );
  output.stdout(`${readyLine(performance.now())}\n`);
}
