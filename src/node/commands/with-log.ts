import type { DaemonOptions } from '../../core/config/daemon-options.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { openEventLog, type EventLog } from '../../store/event-log.js';
import { openLevelCopy } from '../../store/level-store.js';
import { completeFolder, isDatabaseThere } from '../../store/replacement.js';
import { readWitness, type Witnessed } from '../../store/witness.js';
import { createHostCrypto } from '../host/crypto.js';
import { createHostClock } from '../host/time.js';
import { homePaths } from '../home/home.js';
import { reportingFailure } from './reporting-failure.js';
import type { CommandOutput } from './run.js';

export const EXIT_NOT_FOUND = 10;

/** The database of a stopped home; nothing of its content was looked at. */
export interface StoppedHome {
  readonly store: KeyValueStore;
  /** Folder of the database. */
  readonly directory: string;
  /** The last head that was synced. */
  readonly witnessed: Witnessed | undefined;
  readonly crypto: Crypto;
}

/**
 * Opens a temporary copy of the database of a stopped home for a command that reads, and removes it afterwards;
 * resolves with the exit code. Nothing in the home changes.
 */
export function withStore(
  options: DaemonOptions,
  output: CommandOutput,
  use: (home: StoppedHome) => Promise<number>,
): Promise<number> {
  return reportingFailure(options, output, async () => {
    const { database, witness: witnessPath } = homePaths(options.home);
    if (!isDatabaseThere(database)) {
      output.stderr(`no chain in ${options.home}\n`);
      return EXIT_NOT_FOUND;
    }
    const store = await openLevelCopy(database);
    try {
      const witnessed = readWitness(witnessPath);
      return await use({ store, witnessed, directory: completeFolder(database), crypto: await createHostCrypto() });
    } finally {
      await store.close();
    }
  });
}

/** The same with the log of the home, whose end was verified. */
export function withLog(
  options: DaemonOptions,
  output: CommandOutput,
  use: (home: StoppedHome & { readonly log: EventLog }) => Promise<number>,
): Promise<number> {
  return withStore(options, output, async (home) => use({ ...home, log: await logOf(home) }));
}

/** Opens the log of a stopped home. Throws CorruptionError. */
export function logOf({ store, crypto, witnessed }: StoppedHome): Promise<EventLog> {
  const witness = { read: () => witnessed, write: () => undefined, close: () => undefined };
  return openEventLog({ store, crypto, clock: createHostClock(), sync: 'os', witness });
}
