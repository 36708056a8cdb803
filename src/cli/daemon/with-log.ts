import type { DaemonOptions } from '../../config/daemon-options.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { openEventLog, type EventLog } from '../../store/log/event-log.js';
import { openLevelCopy } from '../../store/leveldb/level-store.js';
import { readWitness, type Witnessed } from '../../store/log/witness.js';
import { createHostCrypto } from '../../runtime/host/crypto.js';
import { createHostClock } from '../../runtime/host/time.js';
import { exitingOnSignals } from './end-signals.js';
import { withChain } from './with-chain.js';
import type { CommandOutput } from './command-output.js';

/** A copy of a home's database; its content is not checked. */
export interface CopiedHome {
  readonly store: KeyValueStore;
  /** Folder with the database files. */
  readonly directory: string;
  /** Folder of the copy. */
  readonly location: string;
  /** The last synced head, from the witness file. */
  readonly witnessed: Witnessed | undefined;
  readonly crypto: Crypto;
}

/**
 * Runs a reading command on a temporary, consistent copy of a home's database, and removes the copy afterwards;
 * resolves with the exit code. The home is not changed, and a node may be running on it undisturbed.
 */
export function withStore(
  options: DaemonOptions,
  output: CommandOutput,
  use: (home: CopiedHome) => Promise<number>,
): Promise<number> {
  return withChain(options, output, ({ database, witness }) =>
    exitingOnSignals(async () => {
      // Read it before the copy: a running node updates the database first and the witness last.
      const witnessed = readWitness(witness);
      const { store, directory, location } = await openLevelCopy(database);
      try {
        return await use({ store, witnessed, directory, location, crypto: await createHostCrypto() });
      } finally {
        await store.close();
      }
    }),
  );
}

/** Like `withStore`, and also opens the log and verifies its end. */
export function withLog(
  options: DaemonOptions,
  output: CommandOutput,
  use: (home: CopiedHome & { readonly log: EventLog }) => Promise<number>,
): Promise<number> {
  return withStore(options, output, async (home) => use({ ...home, log: await logOf(home) }));
}

/** Opens the log of a home. Throws CorruptionError. */
export function logOf({ store, crypto, witnessed }: CopiedHome): Promise<EventLog> {
  const witness = { read: () => witnessed, write: () => undefined, close: () => undefined };
  return openEventLog({ store, crypto, clock: createHostClock(), sync: 'os', witness });
}
