import { existsSync } from 'node:fs';
import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { FailPoints } from '../../store/fail-points.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { makeDatabase, openUnderLock } from '../../store/leveldb/level-store.js';
import type { Lock } from '../../store/files/lock.js';
import { putInPlace, replacementFolder, finishReplacement } from '../../store/files/replacement.js';
import { openFileWitness, readWitness, type Witnessed } from '../../store/log/witness.js';
import { deriveDatabase, wholeLogOf, type Derived } from '../../runtime/rebuild/derive-database.js';
import { NO_HOST_ROWS, readHostRows } from '../../runtime/rebuild/host-rows.js';
import { importedRecords, ImportRefused, type ExistingLog } from '../../runtime/rebuild/imported-log.js';
import { createHostCrypto } from '../../runtime/host/crypto.js';
import { environmentFailPoints } from '../../runtime/host/fail-points.js';
import { createHostClock } from '../../runtime/host/time.js';
import { isFile, linesOf } from './log-lines.js';
import { progressLine } from './progress-line.js';
import { withLock } from './with-chain.js';
import type { CommandOutput } from './command-output.js';

/**
 * `log import`: reads lines of `log export` from a file or standard input into a stopped home: creates its database,
 * or appends to its records. All other rows are rebuilt (`log rebuild`). If the lines do not continue the log, it
 * fails and changes nothing.
 */
export function logImport(
  options: DaemonOptions,
  { file }: CommandArguments<'log import'>,
  output: CommandOutput,
): Promise<number> {
  return withLock(options, output, async (lock, { witness }) => {
    if (file !== undefined && !isFile(file)) {
      output.stderr(`no such file: ${file}\n`);
      return EXIT.notFound;
    }
    try {
      finishReplacement(lock.directory);
      const derived = await importInto({ lock, witness, file, output, failPoints: environmentFailPoints() });
      const { position, hash, executed } = derived.head;
      writeWitness(witness, { position, hash });
      output.stdout(
        `${JSON.stringify({ records: derived.records, position: String(position), height: String(executed) })}\n`,
      );
      return 0;
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      output.stderr(`${error.message}\n`);
      return EXIT.failed;
    }
  });
}

/** Opens the witness only now: a refused import makes no file. */
function writeWitness(path: string, head: Witnessed): void {
  const witness = openFileWitness(path);
  try {
    witness.write(head);
  } finally {
    witness.close();
  }
}

interface Import {
  readonly lock: Lock;
  /** Path of the head witness. */
  readonly witness: string;
  /** Undefined for standard input. */
  readonly file: string | undefined;
  readonly output: CommandOutput;
  readonly failPoints: FailPoints;
}

async function importInto({ lock, witness, file, output, failPoints }: Import): Promise<Derived> {
  const { directory } = lock;
  const crypto = await createHostCrypto();
  const lines = linesOf(file);
  const progress = progressLine(output, 'importing');
  const fill =
    (store: KeyValueStore | undefined) =>
    async (target: KeyValueStore): Promise<Derived> => {
      const held = store && (await heldLog(store, witness, crypto));
      const log = { records: importedRecords(held, lines, crypto), through: held?.log.through ?? 1n };
      const now = createHostClock().now();
      const host = store === undefined ? { ...NO_HOST_ROWS, now } : { ...readHostRows(store, now), ...NO_SHORTCUTS };
      return deriveDatabase({ log, host, target, crypto, ...(progress && { progress }) });
    };
  if (!existsSync(directory)) return makeDatabase(directory, fill(undefined), failPoints);
  const store = await openUnderLock(lock, { acknowledged: readWitness(witness)?.position });
  let derived: Derived;
  try {
    derived = await makeDatabase(replacementFolder(directory), fill(store), failPoints);
  } finally {
    await store.close();
  }
  putInPlace(directory, failPoints);
  return derived;
}

/** Derived markers are not carried over; they are recomputed at the new head. */
const NO_SHORTCUTS = { indexedThrough: undefined, waitingAt: undefined, checkpoint: undefined } as const;

async function heldLog(store: KeyValueStore, witness: string, crypto: Crypto): Promise<ExistingLog> {
  const { lowest } = blocksFloor(store);
  if (lowest > 0n)
    throw new ImportRefused(1, `the home does not keep the blocks below height ${lowest}: they are pruned`);
  return { store, log: await wholeLogOf({ store, crypto, witnessed: readWitness(witness) }) };
}
