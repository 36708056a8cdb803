import type { DaemonOptions } from '../../config/daemon-options.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { openEventLog, type EventLog } from '../../store/event-log.js';
import { refuseLevelLocked } from '../../store/level-lock.js';
import { openUnderLock } from '../../store/level-store.js';
import { takeLock } from '../../store/lock.js';
import { isDatabaseThere, settleReplacement } from '../../store/replacement.js';
import { openFileWitness, readWitness } from '../../store/witness.js';
import { homePaths } from '../../runtime/home/home.js';
import { createHostCrypto } from '../../runtime/host/crypto.js';
import { environmentFailPoints } from '../../runtime/host/fail-points.js';
import { createHostClock } from '../../runtime/host/time.js';
import { reportingFailure } from './reporting-failure.js';
import { noChain } from './no-chain.js';
import type { CommandOutput } from './command-output.js';

/** The database of a stopped home, for this process alone. */
export interface StoppedHome {
  readonly store: KeyValueStore;
  readonly log: EventLog;
  readonly crypto: Crypto;
}

/** Runs a command that changes the database of a stopped home; refuses while a node runs on it. */
export function withStoppedHome(
  options: DaemonOptions,
  output: CommandOutput,
  use: (home: StoppedHome) => Promise<number>,
): Promise<number> {
  return reportingFailure(options, output, async () => {
    const { database, witness: witnessPath } = homePaths(options.home);
    if (!isDatabaseThere(database)) {
      return noChain(options.home, output);
    }
    await refuseLevelLocked(database);
    const lock = takeLock(database);
    try {
      settleReplacement(lock.directory);
      const crypto = await createHostCrypto();
      const store = await openUnderLock(lock, { acknowledged: readWitness(witnessPath)?.position });
      const witness = openFileWitness(witnessPath);
      try {
        const clock = createHostClock();
        const failPoints = environmentFailPoints();
        const log = await openEventLog({ store, crypto, clock, sync: 'always', witness, failPoints });
        return await use({ store, log, crypto });
      } finally {
        witness.close();
        await store.close();
      }
    } finally {
      lock.release();
    }
  });
}
