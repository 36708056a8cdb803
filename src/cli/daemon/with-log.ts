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

/** A copy of the database of a home; nothing of its content was looked at. */
export interface CopiedHome {
  readonly store: KeyValueStore;
  /** Folder whose files are those of the database. */
  readonly directory: string;
  /** Folder of the copy. */
  readonly location: string;
  /** The last head that was synced. */
  readonly witnessed: Witnessed | undefined;
  readonly crypto: Crypto;
}

/**
 * Opens a temporary copy of the database of a home for a command that reads, and removes it afterwards; resolves with
 * the exit code. Nothing in the home changes, and a node may be running on it: the command reads what the node had
 * written at one moment, and costs the node nothing.
 */
export function withStore(
  options: DaemonOptions,
  output: CommandOutput,
  use: (home: CopiedHome) => Promise<number>,
): Promise<number> {
  return withChain(options, output, ({ database, witness }) =>
    exitingOnSignals(async () => {
      // Read before the copy is made: a node that runs moves both, the witness last.
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

/** Opens the log of the home, too, whose end was verified. */
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
