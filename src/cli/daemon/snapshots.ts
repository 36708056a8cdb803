import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { toHeight } from '../../core/primitives.js';
import { homePaths } from '../../runtime/home/home.js';
import { writeFileAtomic } from '../../runtime/home/write-file-atomic.js';
import { ArchiveRefused } from '../../runtime/snapshots/tar.js';
import { dumpSnapshot, loadSnapshot } from '../../runtime/snapshots/snapshot-archive.js';
import { SnapshotStore } from '../../runtime/snapshots/store.js';
import type { CommandOutput } from './command-output.js';
import { noSnapshot } from './no-chain.js';
import { reportingFailure } from './reporting-failure.js';
import { withLock } from './with-chain.js';

/** Opens the snapshots for reading; a node may be running and taking a snapshot. */
const reading = ({ home }: DaemonOptions): SnapshotStore =>
  new SnapshotStore(homePaths(home).snapshots, { isRead: true });

/** `snapshots list`: prints the snapshots of a home (cosmos-sdk v0.53 `client/snapshot/list.go`). */
export function listSnapshots(options: DaemonOptions, output: CommandOutput): number {
  for (const { height, format, chunks } of reading(options).list())
    output.stdout(`height: ${height} format: ${format} chunks: ${chunks}\n`);
  return 0;
}

/** `snapshots delete`: removes a snapshot of a home (`client/snapshot/delete.go`). */
export function deleteSnapshot(
  options: DaemonOptions,
  args: CommandArguments<'snapshots delete'>,
  output: CommandOutput,
): Promise<number> {
  return withSnapshots(options, output, async (store) => {
    const height = toHeight(args.height);
    if (store.find(height, args.format) === undefined) return noSnapshot(options, args, output);
    await store.remove(height);
    return 0;
  });
}

/** `snapshots dump`: writes a snapshot of a home as an archive (`client/snapshot/dump.go`). */
export function dumpArchive(
  options: DaemonOptions,
  args: CommandArguments<'snapshots dump'>,
  output: CommandOutput,
): Promise<number> {
  return reportingFailure(options, output, async () => {
    const { height, format, outputDocument = `${height}-${format}.tar.gz` } = args;
    const store = reading(options);
    const snapshot = store.find(toHeight(height), format);
    if (snapshot === undefined) return noSnapshot(options, args, output);
    try {
      writeFileAtomic(resolve(outputDocument), await dumpSnapshot(store, snapshot));
      return 0;
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      output.stderr(`failed to dump: ${error.message}\n`);
      return EXIT.failed;
    }
  });
}

/** `snapshots load`: imports a snapshot archive into a home (`client/snapshot/load.go`). */
export function loadArchive(
  options: DaemonOptions,
  { file }: CommandArguments<'snapshots load'>,
  output: CommandOutput,
): Promise<number> {
  return withSnapshots(options, output, (store) => load(store, file, output));
}

async function load(store: SnapshotStore, file: string, output: CommandOutput): Promise<number> {
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

/** Runs a command that changes the snapshots of a home; fails while a node runs on it. */
function withSnapshots(
  options: DaemonOptions,
  output: CommandOutput,
  run: (store: SnapshotStore) => Promise<number>,
): Promise<number> {
  return withLock(options, output, (_lock, { snapshots }) => run(new SnapshotStore(snapshots)));
}
