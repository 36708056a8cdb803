import { existsSync } from 'node:fs';
import type { DaemonOptions } from '../../core/config/daemon-options.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { openEventLog, type EventLog } from '../../store/event-log.js';
import { openLevelStore } from '../../store/level-store.js';
import { openFileWitness } from '../../store/witness.js';
import { createHostCrypto } from '../host/crypto.js';
import { createHostClock } from '../host/time.js';
import { homePaths } from '../home/home.js';
import { reportingFailure } from './reporting-failure.js';
import type { CommandOutput } from './run.js';

export const EXIT_NOT_FOUND = 10;

export interface StoppedHome {
  readonly log: EventLog;
  readonly store: KeyValueStore;
  /** Folder of the database. */
  readonly directory: string;
  readonly crypto: Crypto;
}

/** Opens the log of a stopped home for a command and closes it afterwards; resolves with the exit code. */
export function withLog(
  options: DaemonOptions,
  output: CommandOutput,
  use: (home: StoppedHome) => Promise<number>,
): Promise<number> {
  return reportingFailure(options, output, async () => {
    const { database, witness: witnessPath } = homePaths(options.home);
    if (!existsSync(database)) {
      output.stderr(`no chain in ${options.home}\n`);
      return EXIT_NOT_FOUND;
    }
    const store = await openLevelStore(database, { create: false });
    const witness = openFileWitness(witnessPath);
    try {
      const crypto = await createHostCrypto();
      const log = await openEventLog({ store, crypto, clock: createHostClock(), sync: 'block', witness });
      return await use({ log, store, directory: database, crypto });
    } finally {
      witness.close();
      await store.close();
    }
  });
}
