import type { DaemonOptions } from '../../config/daemon-options.js';
import { homePaths } from '../../runtime/home/home.js';
import { refuseLevelLocked } from '../../store/leveldb/level-lock.js';
import { takeLock, type Lock } from '../../store/files/lock.js';
import { databaseExists, finishReplacement } from '../../store/files/replacement.js';
import type { CommandOutput } from './command-output.js';
import { noChain } from './no-chain.js';
import { reportingFailure } from './reporting-failure.js';

/** Where a home keeps its files. */
export type HomePaths = ReturnType<typeof homePaths>;

/** Runs a command on a home that has a database; fails without one. Resolves with the exit code. */
export function withChain(
  options: DaemonOptions,
  output: CommandOutput,
  run: (paths: HomePaths) => Promise<number>,
): Promise<number> {
  return reportingFailure(options, output, async () => {
    const paths = homePaths(options.home);
    return databaseExists(paths.database) ? await run(paths) : noChain(options.home, output);
  });
}

/** Runs a command on a home that has a database, holding its lock; fails while a node runs on the home. */
export function withStoppedChain(
  options: DaemonOptions,
  output: CommandOutput,
  run: (lock: Lock, paths: HomePaths) => Promise<number>,
): Promise<number> {
  return withChain(options, output, async (paths) => {
    await refuseLevelLocked(paths.database);
    const lock = takeLock(paths.database);
    try {
      finishReplacement(lock.directory);
      return await run(lock, paths);
    } finally {
      lock.release();
    }
  });
}
