import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Lock } from '../../store/files/lock.js';
import type { FailPoints } from '../../store/fail-points.js';
import { makeDatabase, openUnderLock } from '../../store/leveldb/level-store.js';
import { putInPlace, replacementFolder } from '../../store/files/replacement.js';
import { openFileWitness, readWitness } from '../../store/log/witness.js';
import { deriveDatabase, wholeLogOf, type Derived } from '../../runtime/rebuild/derive-database.js';
import { readHostRows } from '../../runtime/rebuild/host-rows.js';
import { createHostCrypto } from '../../runtime/host/crypto.js';
import { environmentFailPoints } from '../../runtime/host/fail-points.js';
import { createHostClock } from '../../runtime/host/time.js';
import { progressLine } from './progress-line.js';
import { withStoppedChain } from './with-chain.js';
import type { CommandOutput } from './command-output.js';

/**
 * `log rebuild`: rebuilds the database of a stopped home from its log, next to the old one, and then replaces it. If
 * killed, it leaves either the old or the new database, and can be run again. Fails if the log itself is damaged, and
 * while a node runs on the home.
 */
export function logRebuild(
  options: DaemonOptions,
  args: CommandArguments<'log rebuild'>,
  output: CommandOutput,
): Promise<number> {
  return withStoppedChain(options, output, async (lock, { witness }) => {
    const failPoints = environmentFailPoints();
    const derived = await rebuild(lock, witness, output, failPoints);
    putInPlace(lock.directory, failPoints);
    tell(derived, args.output, output);
    return 0;
  });
}

async function rebuild(
  lock: Lock,
  witnessPath: string,
  output: CommandOutput,
  failPoints: FailPoints,
): Promise<Derived> {
  const crypto = await createHostCrypto();
  const now = createHostClock().now();
  const store = await openUnderLock(lock, { acknowledged: readWitness(witnessPath)?.position });
  const witness = openFileWitness(witnessPath);
  const progress = progressLine(output, 'rebuilding');
  try {
    const log = await wholeLogOf({ store, crypto, witnessed: witness.read() });
    const options = { log, host: readHostRows(store, now), crypto, ...(progress && { progress }) };
    const fill = (target: KeyValueStore, folder: string): Promise<Derived> =>
      deriveDatabase({ ...options, target, folders: { source: lock.directory, target: folder } });
    return await makeDatabase(replacementFolder(lock.directory), fill, failPoints);
  } finally {
    witness.close();
    await store.close();
  }
}

function tell({ records, head, resetFilters }: Derived, format: 'text' | 'json', output: CommandOutput): void {
  const { position, executed: height } = head;
  if (format === 'json') {
    const filters = resetFilters.map(({ id }) => `0x${id}`);
    output.stdout(
      `${JSON.stringify({ records, position: String(position), height: String(height), filters_at_head: filters })}\n`,
    );
    return;
  }
  for (const { id } of resetFilters)
    output.stdout(`filter 0x${id}: its cursor was lost, it continues from height ${height}\n`);
  output.stdout(`rebuilt from ${records} records, head at position ${position}, height ${height}\n`);
}
