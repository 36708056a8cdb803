import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
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
  return withChain(options, output, (paths) =>
    underLock(paths, (lock) => {
      finishReplacement(lock.directory);
      return run(lock, paths);
    }),
  );
}

/** Runs a command on a home with or without a database, holding its lock; fails while a node runs on the home. */
export function withLock(
  options: DaemonOptions,
  output: CommandOutput,
  run: (lock: Lock, paths: HomePaths) => Promise<number>,
): Promise<number> {
  return reportingFailure(options, output, () => {
    const paths = homePaths(options.home);
    return underLock(paths, (lock) => run(lock, paths));
  });
}

/** Throws HomeLockedError when another process holds the lock. */
async function underLock({ database }: HomePaths, run: (lock: Lock) => Promise<number>): Promise<number> {
  await refuseLevelLocked(database);
  const missing = missingFolders(dirname(database));
  const lock = takeLock(database);
  try {
    return await run(lock);
  } finally {
    lock.release();
    for (const folder of missing) removeEmpty(folder);
  }
}

/** The folder and its parents that do not exist, the innermost first: taking a lock makes them. */
function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) || dirname(folder) === folder ? [] : [folder, ...missingFolders(dirname(folder))];
}

/** Removes a folder that a refused command made and left empty. */
function removeEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
