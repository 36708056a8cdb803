import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { fromHex } from '../core/bytes/hex.js';
import type { DaemonOptions } from '../config/daemon-options.js';
import { devGenesis } from '../core/genesis/dev-genesis.js';
import { deriveDevAccounts, type DevAccount } from '../core/keys/accounts.js';
import { NoGenesisFile, requireDevPreset, requireEvmChainId } from '../core/app/chain-of-genesis.js';
import { abciUrl, type AbciServer } from '../adapters/abci/index.js';
import { databaseExists } from '../store/files/replacement.js';
import { openLevelStore } from '../store/leveldb/level-store.js';
import { createDevKeys } from './ethereum/dev-keys.js';
import { createWorkerExecutor } from '../runtime/executor/executor.js';
import type { NodeHost } from './compose/node-host.js';
import { homePaths } from '../runtime/home/home.js';
import { refuseOtherBuild } from '../runtime/home/refuse-other-build.js';
import type { Activity } from './activity/activity.js';
import { openActivity } from './activity/open-activity.js';
import { serveEngine } from './abci/serve-node.js';
import type { Logger } from '../core/ports/logger.js';
import { openFaces, type OpenFaces } from './faces.js';
import { createHostCrypto } from '../runtime/host/crypto.js';
import { createHostKeyCrypto } from '../runtime/host/key-crypto.js';
import { loadPackedTransport } from '../runtime/host/packed-native.js';
import { openFiles } from '../runtime/host/open-files.js';
import { diskSpace } from '../runtime/host/disk-space.js';
import { createHostRandomness } from '../runtime/host/randomness.js';
import { createEd25519Signer } from '../runtime/host/signer.js';
import { createHostClock, createHostTimers, createTimerClock } from '../runtime/host/time.js';
import { createSeededRandomness, createVirtualClock } from '../runtime/host/deterministic.js';
import { composeNode, type RunningNode } from './node.js';
import { beginBranch, requireChain } from './dev/begin-branch.js';
import { startRecoveryThread } from '../runtime/recovery/recovery-thread.js';
import { startPoolThread } from '../runtime/pool/pool-thread.js';
import { startExecutorThread } from '../runtime/executor/start-executor.js';

export interface RunningDaemon {
  readonly node: RunningNode;
  readonly faces: OpenFaces;
  /** The ABCI address for a consensus engine; undefined when this process makes the blocks. */
  readonly engine: string | undefined;
  /**
   * The genesis file from which this start created the chain; undefined for the dev genesis and for an existing
   * chain.
   */
  readonly genesisFile: string | undefined;
  /** The funded accounts of dev mode, with addresses under this prefix. */
  accounts(bech32Prefix: string): readonly DevAccount[];
  stop(): Promise<void>;
}

/** Power of the dev validator: 1,000 chr bonded, so that account 0 can outvote it. */
const DEV_VALIDATOR_POWER = 1_000n;

/** `Worker.threadId` of an ended thread (Node's documentation of worker_threads). */
const ENDED_THREAD = -1;

function readGenesisFile(path: string): Uint8Array {
  if (!existsSync(path)) throw new NoGenesisFile(path);
  return new Uint8Array(readFileSync(path));
}

/** The genesis file of a new chain: from `--genesis`, else from the home; undefined for the dev genesis. */
function genesisFileOf({ genesisFile, mode, home, ephemeral }: DaemonOptions): string | undefined {
  if (genesisFile !== undefined) return genesisFile;
  const { genesis } = homePaths(home);
  return mode === 'start' || (!ephemeral && existsSync(genesis)) ? genesis : undefined;
}

/** Host services that the caller of a start may provide. `packets`: packet commands, for `dev --ibc`. */
export type StartHost = Pick<NodeHost, 'onReplay' | 'packets' | 'chainBranches'>;

/**
 * Starts a whole node with its faces, for `dev` and `start`. `thread`: the executor's thread, which is already
 * loading. `onReplay` is called with each block that the start replays.
 */
export async function startDaemon(
  options: DaemonOptions,
  log: Logger,
  thread: Worker = startExecutorThread(),
  host: StartHost = {},
): Promise<RunningDaemon> {
  try {
    return await startWith(options, log, thread, host);
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}

async function startWith(options: DaemonOptions, log: Logger, thread: Worker, host: StartHost): Promise<RunningDaemon> {
  if (!options.ephemeral || options.branch !== undefined) await refuseOtherBuild(homePaths(options.home).database);
  if (options.branch !== undefined) requireChain(options);
  let first: Worker | undefined = thread;
  const crypto = await createHostCrypto();
  const virtual = options.deterministic ? createVirtualClock() : undefined;
  const clock = virtual ?? createHostClock();
  const timerClock = createTimerClock();
  const timers = createHostTimers();
  // Derive the accounts once, because derivation is slow: genesis, banner and Ethereum keys use them.
  const derived = new Map<string, readonly DevAccount[]>();
  const accounts = (bech32Prefix: string): readonly DevAccount[] => {
    const { mnemonic, count } = options.accounts;
    const found =
      derived.get(bech32Prefix) ?? deriveDevAccounts(createHostKeyCrypto(crypto), { mnemonic, count, bech32Prefix });
    derived.set(bech32Prefix, found);
    return found;
  };
  const node = await composeNode(options, {
    crypto,
    clock,
    timers,
    timerClock,
    randomness: options.deterministic ? createSeededRandomness(options.chainId) : createHostRandomness(),
    onBlock: () => virtual?.tick(),
    isTimeOfBlocks: virtual !== undefined,
    openStore: (location, opening) => openLevelStore(location, { create: true, checkTables: true, ...opening }),
    databaseExists,
    diskSpace,
    createExecutor: () => {
      // A restart needs a new thread, and so does the first start if its thread has already ended.
      const ready = first?.threadId === ENDED_THREAD ? undefined : first;
      first = undefined;
      return createWorkerExecutor(ready);
    },
    startPoolThread: (application, location, _store, turns) => startPoolThread(application, location, turns),
    startRecoveryThread: options.deterministic ? undefined : startRecoveryThread,
    ...host,
    slowThreads: Math.max(1, availableParallelism() - 1),
    devKeys: createDevKeys(
      () =>
        options.mode === 'dev'
          ? accounts(options.bech32Prefix).map(({ hex, privateKey }) => ({
              address: fromHex(hex.slice(2)),
              privateKey,
            }))
          : [],
      crypto,
    ),
    signerOf: createEd25519Signer,
    log,
    genesis: (validator) => {
      const file = genesisFileOf(options);
      if (file !== undefined) return readGenesisFile(file);
      requireDevPreset(options.preset);
      requireEvmChainId(options.chainId, options.evmChainId, undefined);
      const document = devGenesis(crypto, {
        chainId: options.chainId,
        time: clock.now(),
        accounts: accounts(options.bech32Prefix).map(({ bech32 }) => bech32),
        validators: [{ publicKey: validator.publicKey, power: DEV_VALIDATOR_POWER, name: options.moniker }],
        baseDenom: options.baseDenom,
        balance: options.accounts.balance,
      });
      return new TextEncoder().encode(JSON.stringify(document));
    },
  });
  let engine: AbciServer | undefined;
  let activity: Activity | undefined;
  try {
    if (options.branch !== undefined) await beginBranch(node, options.branch);
    activity = await openActivity(options, node, { clock: timerClock, timers, accounts });
    engine =
      node.engine &&
      (await serveEngine(node.engine, options, node, { clock: timerClock, log, onCall: activity?.call }));
    const watched = {
      ...node,
      abciCounts: engine?.counts,
      ethereum: node.ethereum && { ...node.ethereum, api: activity?.ethereum ?? node.ethereum.api },
    };
    const faces = await openFaces(options, watched, {
      clock: timerClock,
      timers,
      openFiles,
      onUnknownMethod: (face, method) => activity?.unknownMethod(face, method),
      onCall: activity?.call,
      onRefusedSend: (refused) => activity?.refusedSend(refused),
      onDefect(error) {
        log.error('a handler failed', { error: error instanceof Error ? error.stack : String(error) });
        node.noticed(error);
      },
      transport: { preferred: options.httpServer, loadNative: loadPackedTransport },
      onForeignPage: (origin) =>
        log.info('a web page of another site was refused', {
          origin: origin === '' ? 'not named by the browser' : origin,
          allow: `--cors-allowed-origins ${origin === '' ? '<origin>' : origin}`,
        }),
    });
    return {
      node,
      faces,
      engine: engine && abciUrl(engine.address),
      genesisFile: node.continued ? undefined : genesisFileOf(options),
      accounts,
      async stop() {
        node.refuseCommands();
        await engine?.stop();
        await faces.close();
        await activity?.stop();
        await node.stop();
      },
    };
  } catch (error) {
    await engine?.stop();
    await activity?.stop();
    await node.stop();
    throw error;
  }
}
