import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fromBinary } from '@bufbuild/protobuf';
import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { equal } from '../../core/bytes/bytes.js';
import { upperHex } from '../../core/bytes/hex.js';
import { ed25519Address } from '../../core/comet/address.js';
import { SnapshotRefused } from '../../core/multistore/snapshot-items.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight } from '../../core/primitives.js';
import { ValidatorSetSchema } from '../../core/proto/tendermint/types/validator_pb.js';
import { beginFromSnapshot } from '../../runtime/chain/begin-from-snapshot.js';
import type { SnapshotWithChain } from '../../runtime/chain/restored-chain.js';
import { homePaths, validatorSeed } from '../../runtime/home/home.js';
import { createHostCrypto } from '../../runtime/host/crypto.js';
import { environmentFailPoints } from '../../runtime/host/fail-points.js';
import { createEd25519Signer } from '../../runtime/host/signer.js';
import { createHostClock } from '../../runtime/host/time.js';
import { decodeSnapshotChain } from '../../runtime/snapshots/snapshot-chain.js';
import { SnapshotStore } from '../../runtime/snapshots/store.js';
import { makeDatabase } from '../../store/leveldb/level-store.js';
import type { Lock } from '../../store/files/lock.js';
import { makeFolder } from '../../store/files/make-folder.js';
import { restoringFolder, finishReplacement } from '../../store/files/replacement.js';
import { openFileWitness } from '../../store/log/witness.js';
import type { CommandOutput } from './command-output.js';
import { noSnapshot } from './no-chain.js';
import { withLock } from './with-chain.js';

/**
 * `snapshots restore`: starts the chain of an empty home from a local snapshot that a node without an engine took.
 * The database is created next to its place and renamed: if killed, either the restore is complete, or the command
 * can be run again, and until then no start creates a new chain.
 */
export function restoreSnapshot(
  options: DaemonOptions,
  args: CommandArguments<'snapshots restore'>,
  output: CommandOutput,
): Promise<number> {
  return withLock(options, output, async (lock) => {
    try {
      finishReplacement(lock.directory);
      return await restore(options, args, lock, output);
    } catch (error) {
      if (!(error instanceof SnapshotRefused)) throw error;
      rmSync(restoringFolder(lock.directory), { recursive: true, force: true });
      output.stderr(`the snapshot is refused: ${error.message}\n`);
      return EXIT.failed;
    }
  });
}

async function restore(
  options: DaemonOptions,
  { height, format }: CommandArguments<'snapshots restore'>,
  lock: Lock,
  output: CommandOutput,
): Promise<number> {
  const paths = homePaths(options.home);
  if (existsSync(lock.directory)) {
    output.stderr(
      `${options.home} holds a chain: a snapshot is restored into an empty home (chronicled comet reset-state)\n`,
    );
    return EXIT.failed;
  }
  const crypto = await createHostCrypto();
  const snapshots = new SnapshotStore(paths.snapshots);
  if (snapshots.find(toHeight(height), format) === undefined) return noSnapshot(options, { height, format }, output);
  makeFolder(restoringFolder(lock.directory));
  const snapshot = await read(snapshots, toHeight(height), format, crypto);
  const { chain } = snapshot;
  if (existsSync(paths.genesis) && !equal(readFileSync(paths.genesis), chain.started.genesis))
    throw new SnapshotRefused(`it is of another chain (${chain.started.chainId}) than ${paths.genesis}`);
  const witness = openFileWitness(paths.witness);
  try {
    const fill = beginFromSnapshot;
    const clock = createHostClock();
    const made = await makeDatabase(
      lock.directory,
      (store) => fill({ store, crypto, clock, snapshot }),
      environmentFailPoints(),
      restoringFolder(lock.directory),
    );
    witness.write({ position: made.position, hash: made.hash });
  } finally {
    witness.close();
  }
  output.stdout(
    `restored ${chain.started.chainId} at height ${height}: chronicled start goes on with the next block\n`,
  );
  warnOfKey(paths.validatorKey, chain.validators, crypto, output);
  return 0;
}

/** Reads the snapshot with its chain. Throws SnapshotRefused if a home cannot start from it. */
async function read(
  store: SnapshotStore,
  height: SnapshotWithChain['height'],
  format: number,
  crypto: Crypto,
): Promise<SnapshotWithChain> {
  const found = store.find(height, format);
  if (found === undefined) throw new SnapshotRefused('its files are gone');
  const file = store.chainFile(height);
  if (file === undefined)
    throw new SnapshotRefused(
      'it does not say of which chain it is: a node with a consensus engine took it, and state sync of the engine restores it',
    );
  const chain = decodeSnapshotChain(crypto, file, found.hash);
  if (chain === undefined) throw new SnapshotRefused('the file of its chain is damaged');
  const chunks: Uint8Array[] = [];
  for (let chunk = 0; chunk < found.chunks; chunk += 1) {
    const bytes = await store.chunk({ height, format, chunk });
    if (bytes === undefined) throw new SnapshotRefused(`chunk ${chunk} is damaged`);
    chunks.push(bytes);
  }
  return { height, format, chunks, chain };
}

/** Warns if the home's key is not a validator of the next block. */
function warnOfKey(path: string, encoded: Uint8Array, crypto: Crypto, output: CommandOutput): void {
  const { validators } = fromBinary(ValidatorSetSchema, encoded);
  const own = existsSync(path) ? ed25519Address(crypto, createEd25519Signer(keyAt(path, crypto)).publicKey) : undefined;
  if (own !== undefined && validators.some(({ address }) => equal(address, own))) return;
  const names = validators.map(({ address }) => upperHex(address)).join(', ');
  output.stderr(`${path} is not the key of a validator (${names}): without that key no block is made\n`);
}

function keyAt(path: string, crypto: Crypto): Uint8Array {
  return validatorSeed(path, crypto, () => {
    throw new Error(`invariant: ${path} exists`);
  });
}
