import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { backUpDatabase } from '../../store/leveldb/database-copy.js';
import { refuseLevelLocked } from '../../store/leveldb/level-lock.js';
import { makeFolder } from '../../store/files/make-folder.js';
import { completeFolder } from '../../store/files/replacement.js';
import { syncPath } from '../../store/files/sync-path.js';
import { homePaths } from '../../runtime/home/home.js';
import { withChain } from './with-chain.js';
import { withLog } from './with-log.js';
import type { CommandOutput } from './command-output.js';

/**
 * `backup`: copies a home, on which a node may be running, into a new folder: configuration, keys and a consistent
 * copy of the database, with everything acknowledged before the command began. The folder appears only when it is
 * complete and its log was verified. State-sync snapshots are not copied.
 */
export function backup(
  options: DaemonOptions,
  { folder }: CommandArguments<'backup'>,
  output: CommandOutput,
): Promise<number> {
  const target = resolve(folder);
  return withChain(options, output, async ({ database }) => {
    const problem = problemOf(resolve(options.home), target);
    if (problem !== undefined) {
      output.stderr(`failed to back up: ${problem}\n`);
      return EXIT.failed;
    }
    await refuseLevelLocked(database);
    const unfinished = `${target}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    try {
      copyHome(options.home, unfinished);
      const opened = await withLog({ ...options, home: unfinished }, output, ({ log }) => {
        const { position, executed } = log.head();
        output.stdout(`backed up to ${target}, head at position ${position}, height ${executed}\n`);
        return Promise.resolve(0);
      });
      if (opened !== 0) return opened;
      renameSync(unfinished, target);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
    syncPath(dirname(target));
    return 0;
  });
}

function problemOf(home: string, target: string): string | undefined {
  if (existsSync(target)) return `${target} exists`;
  if (`${target}${sep}`.startsWith(`${home}${sep}`)) return `${target} is inside of the home`;
  return undefined;
}

function copyHome(home: string, folder: string): void {
  const [from, to] = [homePaths(home), homePaths(folder)];
  const data = dirname(from.database);
  makeFolder(dirname(to.database));
  cpSync(home, folder, { recursive: true, filter: (path) => relative(data, path) !== '' });
  // Read the witness first: the copy of the database may lack what the node acknowledges from here on.
  const witness = existsSync(from.witness) ? readFileSync(from.witness) : undefined;
  backUpDatabase(completeFolder(from.database), to.database);
  if (witness !== undefined) writeFileSync(to.witness, witness, { mode: 0o600, flush: true });
  if (existsSync(from.upgradeInfo)) cpSync(from.upgradeInfo, to.upgradeInfo);
  for (const path of [dirname(to.database), folder]) syncPath(path);
}
