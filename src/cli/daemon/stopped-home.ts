import type { DaemonOptions } from '../../config/daemon-options.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { openEventLog, type EventLog } from '../../store/log/event-log.js';
import { openUnderLock } from '../../store/leveldb/level-store.js';
import { openFileWitness, readWitness } from '../../store/log/witness.js';
import { createHostCrypto } from '../../runtime/host/crypto.js';
import { environmentFailPoints } from '../../runtime/host/fail-points.js';
import { createHostClock } from '../../runtime/host/time.js';
import { withStoppedChain } from './with-chain.js';
import type { CommandOutput } from './command-output.js';

/** The database of a stopped home, opened exclusively. */
export interface StoppedHome {
  readonly store: KeyValueStore;
  readonly log: EventLog;
  readonly crypto: Crypto;
}

/** Runs a command that changes the database of a stopped home; fails while a node runs on it. */
export function withStoppedHome(
  options: DaemonOptions,
  output: CommandOutput,
  use: (home: StoppedHome) => Promise<number>,
): Promise<number> {
  return withStoppedChain(options, output, async (lock, paths) => {
    const crypto = await createHostCrypto();
    const store = await openUnderLock(lock, { acknowledged: readWitness(paths.witness)?.position });
    const witness = openFileWitness(paths.witness);
    try {
      const clock = createHostClock();
      const failPoints = environmentFailPoints();
      const log = await openEventLog({ store, crypto, clock, sync: 'always', witness, failPoints });
      return await use({ store, log, crypto });
    } finally {
      witness.close();
      await store.close();
    }
  });
}
