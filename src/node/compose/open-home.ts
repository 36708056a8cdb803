import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonOptions } from '../../config/daemon-options.js';
import type { Limits } from '../../core/limits/limits.js';
import type { ConsensusSigner } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { branchDatabase } from '../../store/leveldb/database-copy.js';
import { openEventLog, type EventLog } from '../../store/log/event-log.js';
import type { FailPoints } from '../../store/fail-points.js';
import { completeFolder } from '../../store/files/replacement.js';
import { gateRanges } from '../../store/state/range-gate.js';
import { makeTemporaryFolder } from '../../store/files/temporary-folder.js';
import type { LostTail } from '../../store/leveldb/unsynced-tail.js';
import { openFileWitness, readWitness } from '../../store/log/witness.js';
import {
  generateKey,
  homePaths,
  readValidatorSeed,
  validatorSeed,
  type Ed25519KeyPair,
} from '../../runtime/home/home.js';
import { environmentFailPoints } from '../../runtime/host/fail-points.js';
import { openWithRetries } from '../../runtime/home/open-with-retries.js';
import type { NodeHost } from './node-host.js';
import type { Undo } from './undo.js';

/** The opened home of a running node. */
export interface OpenHome {
  readonly paths: ReturnType<typeof homePaths>;
  /** Folder of the database; a temporary one for an ephemeral node. */
  readonly location: string;
  /** The database, opened exclusively. */
  readonly store: KeyValueStore;
  readonly log: EventLog;
  readonly failPoints: FailPoints;
  /** Signs with the validator key of the home, also for a branch of it. */
  readonly signer: ConsensusSigner;
  /** Seed of that key, 32 bytes: the executor's thread signs the votes of blocks that it makes. */
  readonly seed: Uint8Array;
}

/** True if the node signs with the validator key of its home; other ephemeral nodes create a new key. */
function hasKeyOfHome({ ephemeral, branch }: DaemonOptions): boolean {
  return !ephemeral || branch !== undefined;
}

/** The key with which the node will sign: that of its home, or a new one, which `openHome` writes. */
export function validatorKeyOf(options: DaemonOptions, host: NodeHost): Ed25519KeyPair {
  const { validatorKey } = homePaths(options.home);
  if (!hasKeyOfHome(options) || !existsSync(validatorKey)) return generateKey(host);
  const seed = readValidatorSeed(validatorKey);
  return { seed, publicKey: host.signerOf(seed).publicKey };
}

export interface OpenHomeOptions {
  readonly options: DaemonOptions;
  readonly host: NodeHost;
  readonly limits: Limits;
  readonly undo: Undo;
  readonly key: Ed25519KeyPair;
  /** Called when a read of the database finds corruption. */
  readonly onDamage: (error: unknown) => void;
}

/** Opens the home, and writes its validator key if it has none. */
export async function openHome({ options, host, limits, undo, key, onDamage }: OpenHomeOptions): Promise<OpenHome> {
  const { crypto, clock, timers } = host;
  const paths = homePaths(options.home);
  const temporary = options.ephemeral ? makeTemporaryFolder('chronicle-') : undefined;
  if (temporary !== undefined) undo.push(() => temporary.remove());
  const location = temporary === undefined ? paths.database : join(temporary.path, 'chronicle.db');
  if (options.branch !== undefined) branchDatabase(completeFolder(paths.database), location);

  const failPoints = environmentFailPoints();
  const acknowledged = options.ephemeral ? undefined : readWitness(paths.witness)?.position;
  let tail: LostTail | undefined;
  const onLost = (lost: LostTail): void => void (tail = lost);
  const opened = await openWithRetries(
    () => host.openStore(location, { failPoints, onDamage, onLost, acknowledged }),
    timers,
  );
  undo.push(() => opened.close());
  const store: KeyValueStore = gateRanges(opened, {
    concurrent: limits.concurrentRanges,
    waiting: limits.waitingRanges,
  });
  const witness = options.ephemeral ? undefined : openFileWitness(paths.witness);
  undo.push(() => witness?.close());
  const log = await openEventLog({
    store,
    crypto,
    clock,
    sync: options.ephemeral ? 'os' : options.logSync,
    failPoints,
    turn: () => timers.yield(),
    onLostRecords: (from, next) =>
      host.log.info('admissions are lost: the disk had not got them when the power was cut', {
        from: String(from),
        to: String(next - 1n),
      }),
    ...(witness && { witness }),
  });
  if (tail !== undefined)
    host.log.info('the log ends before writes that were not synced when the process or the power ended', {
      position: String(log.head().position),
      ...tail,
    });

  const seed = hasKeyOfHome(options) ? validatorSeed(paths.validatorKey, crypto, () => key) : key.seed;
  return { paths, location, store, log, failPoints, signer: host.signerOf(seed), seed };
}
