import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import type { SnapshotFiles } from '../../config/option-spec.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { toHeight } from '../../core/primitives.js';
import { homePaths } from '../../runtime/home/home.js';
import { writeFileWhole } from '../../runtime/home/write-file.js';
import { ArchiveRefused } from '../../runtime/snapshots/archive.js';
import { dumpSnapshot, loadSnapshot } from '../../runtime/snapshots/portable.js';
import { SnapshotStore } from '../../runtime/snapshots/store.js';
import { refuseLevelLocked } from '../../store/leveldb/level-lock.js';
import { takeLock } from '../../store/files/lock.js';
import type { CommandOutput } from './command-output.js';
import { noSnapshot } from './no-chain.js';
import { reportingFailure } from './reporting-failure.js';

/** The SDK's commands over the snapshots of a home as files (cosmos-sdk v0.53 `client/snapshot/cmd.go`). */
export function snapshots(command: SnapshotFiles, options: DaemonOptions, output: CommandOutput): Promise<number> {
  switch (command) {
    case 'snapshots list':
      return Promise.resolve(list(options, output));
    case 'snapshots dump':
      return reportingFailure(options, output, () => dump(options, output));
    case 'snapshots load':
      return underLock(options, output, (store) => load(store, options, output));
    case 'snapshots delete':
      return underLock(options, output, async (store) => {
        const { height = 0n, format = 0 } = options.command;
        if (store.find(toHeight(height), format) === undefined) return noSnapshot(options, output);
        await store.remove(toHeight(height));
        return 0;
      });
  }
}

/** A node may be running on the home, and taking a snapshot. */
const reading = ({ home }: DaemonOptions): SnapshotStore =>
  new SnapshotStore(homePaths(home).snapshots, { isRead: true });

function list(options: DaemonOptions, output: CommandOutput): number {
  for (const { height, format, chunks } of reading(options).list())
    output.stdout(`height: ${height} format: ${format} chunks: ${chunks}\n`);
  return 0;
}

async function dump(options: DaemonOptions, output: CommandOutput): Promise<number> {
  const { height = 0n, format = 0, outputDocument = `${height}-${format}.tar.gz` } = options.command;
  const store = reading(options);
  const snapshot = store.find(toHeight(height), format);
  if (snapshot === undefined) return noSnapshot(options, output);
  try {
    writeFileWhole(resolve(outputDocument), await dumpSnapshot(store, snapshot));
    return 0;
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    output.stderr(`failed to dump: ${error.message}\n`);
    return EXIT.failed;
  }
}

async function load(store: SnapshotStore, options: DaemonOptions, output: CommandOutput): Promise<number> {
  const { file = '' } = options.command;
  if (!existsSync(file) || !statSync(file).isFile()) {
    output.stderr(`no such file: ${file}\n`);
    return EXIT.notFound;
  }
  try {
    if (statSync(file).size > FIXED_LIMITS.snapshotArchiveBytes)
      throw new ArchiveRefused(
        `it has more than ${FIXED_LIMITS.snapshotArchiveBytes} bytes (limit snapshotArchiveBytes)`,
      );
    const { height, format, chunks } = await loadSnapshot(store, readFileSync(file));
    output.stdout(`height: ${height} format: ${format} chunks: ${chunks}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    output.stderr(`${file} is refused: ${error.message}\n`);
    return EXIT.failed;
  }
}

/** Runs a command that changes the snapshots of a home; refuses while a node runs on it. */
function underLock(
  options: DaemonOptions,
  output: CommandOutput,
  run: (store: SnapshotStore) => Promise<number>,
): Promise<number> {
  return reportingFailure(options, output, async () => {
    const { database, snapshots: folder } = homePaths(options.home);
    await refuseLevelLocked(database);
    const lock = takeLock(database);
    try {
      return await run(new SnapshotStore(folder));
    } finally {
      lock.release();
    }
  });
}
