import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { createConsensusActor, type ConsensusActor, type NextHeight } from '../actors/consensus/consensus-actor.js';
import type { Verified } from '../actors/mempool/admission.js';
import { createMempoolActor, type MempoolActor } from '../actors/mempool/mempool.js';
import { createSupervisor, type Supervisor } from '../actors/supervisor/supervisor.js';
import { createUpgradeKeeper } from '../actors/upgrade-keeper/upgrade-keeper.js';
import { abciAnswer } from '../adapters/services/abci.js';
import type { ServiceTable } from '../adapters/services/index.js';
import { contentOf } from '../core/ethereum/content.js';
import { ONLY_VALIDATOR_TIMEOUTS, DEFAULT_TIMEOUTS } from '../core/consensus/timeouts.js';
import type { ConsensusNotice } from '../core/consensus/events.js';
import { ed25519Address } from '../core/comet/address.js';
import { txHash } from '../core/comet/body-hash.js';
import { blockIdOf } from '../core/comet/part-set.js';
import { toHex } from '../core/comet/text.js';
import { indexOfAddress } from '../core/comet/validator-set.js';
import type { CheckState } from '../core/application.js';
import type { ConsensusEvent } from '../core/consensus-event.js';
import type { DaemonOptions } from '../core/config/daemon-options.js';
import { invariant } from '../core/errors.js';
import { DEFAULT_LIMITS } from '../core/limits.js';
import type { CommitEvents, NodeApi } from '../core/node-api.js';
import type { ConsensusSigner, Crypto } from '../core/ports/crypto.js';
import type { KeyValueStore } from '../core/ports/key-value-store.js';
import type { Clock, Randomness, Timers } from '../core/ports/time.js';
import { toHeight } from '../core/primitives.js';
import { BlockSchema } from '../core/proto/tendermint/types/block_pb.js';
import { CommitSchema } from '../core/proto/tendermint/types/types_pb.js';
import { lastCompleted, protocolVersion } from '../core/modules/upgrade/plan-store.js';
import { CachedState } from '../core/state/cached-state.js';
import { EMPTY_STATE } from '../core/state/overlay.js';
import { openEventLog, type EventLog } from '../store/event-log.js';
import { forgetPending, pendingRow, readPending } from '../store/pending/pending.js';
import { createStateReader } from '../store/state/latest.js';
import { readStateAt } from '../store/state/query-reader.js';
import { gateRanges } from '../store/state/range-gate.js';
import type { FailPoints } from '../store/fail-points.js';
import { openFileWitness } from '../store/witness.js';
import { createHub, type Hub } from '../streams/index.js';
import { createAbciQuery } from './api/abci-query.js';
import { roundPlace } from './api/round-place.js';
import { createAppQueries } from './api/app-queries.js';
import { buildBlock } from './chain/build-block.js';
import { BlockPipeline } from './chain/block-pipeline.js';
import { Ledger } from './chain/ledger.js';
import { openChain, type OpenedChain } from './chain/open-chain.js';
import { Checkpointer, rebuildTrees } from './chain/rebuild-trees.js';
import { createSearches, Indexer } from './chain/searches.js';
import { createDevApi } from './dev/dev-api.js';
import { openDevClock } from './dev/dev-clock.js';
import { AdmissionFeed } from './ethereum/admission-feed.js';
import { createGasPrices } from './ethereum/gas-prices.js';
import { composeEthereum, type ComposedEthereum } from './ethereum/compose.js';
import type { DevKeys } from './ethereum/dev-keys.js';
import type { ApplicationOptions } from './executor/application-options.js';
import type { Executor } from './executor/executor.js';
import { createRestartingExecutor } from './executor/restarting-executor.js';
import { environmentFailPoints } from './host/fail-points.js';
import { homePaths, nodeId, validatorSeed } from './home/home.js';
import { writeFileWhole } from './home/write-file.js';
import { lazily } from './lazily.js';
import { createPool, type PoolThread } from './pool/pool.js';
import { openPatiently } from './open-patiently.js';
import { VERSION } from './version.js';

/** What the composition needs from the host besides the options. */
export interface NodeHost {
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly randomness: Randomness;
  /** A block is about to be made: virtual time moves. */
  readonly onBlock: () => void;
  /** Opens the database for this process alone; creates it when it is absent. */
  readonly openStore: (location: string, failPoints: FailPoints) => Promise<KeyValueStore>;
  /** A fresh executor that reads the same database. */
  readonly createExecutor: (store: KeyValueStore) => Executor;
  /** A thread of the pool, opened over the same database. */
  readonly startPoolThread: (options: ApplicationOptions, location: string, store: KeyValueStore) => Promise<PoolThread>;
  /** Threads of the pool for work that takes long. */
  readonly slowThreads: number;
  /** Keys that the node signs with for Ethereum clients; none outside dev mode. */
  readonly devKeys: DevKeys;
  readonly signerOf: (seed: Uint8Array) => ConsensusSigner;
  /** JSON of the genesis that founds a new chain; called when the home has none. */
  readonly genesis: (validator: ConsensusSigner) => Uint8Array;
  readonly log: { info(message: string, fields?: object): void; error(message: string, fields?: object): void };
}

export interface RunningNode {
  readonly api: NodeApi;
  /** The gRPC methods, for every face that serves them; made when one of them is asked. */
  readonly services: () => Promise<ServiceTable>;
  readonly hub: Hub<CommitEvents>;
  readonly eventLog: EventLog;
  readonly crypto: Crypto;
  readonly supervisor: Supervisor;
  readonly consensus: ConsensusActor;
  readonly mempool: MempoolActor;
  readonly chain: OpenedChain;
  /** undefined for an application without an EVM. */
  readonly ethereum: ComposedEthereum | undefined;
  /** Tells the port that the consensus RPC was bound to, for /status. */
  listening(port: number): void;
  /** Restarted from an existing log. */
  readonly continued: boolean;
  /** Resolves with the reason when the node can no longer go on. */
  readonly failed: Promise<unknown>;
  /** Resolves when the node halts for an upgrade. */
  readonly halted: Promise<void>;
  /** Stops block production, waits for the block in flight, closes the database. */
  stop(): Promise<void>;
}

/** Starts everything but the faces: the log, the executor, the actors. Undoes itself when a step fails. */
export async function startNode(options: DaemonOptions, host: NodeHost): Promise<RunningNode> {
  const undo: (() => Promise<void> | void)[] = [];
  const stopAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    // The database was closed and the lock released all the same.
    if (failures.length > 0) throw failures[0];
  };
  try {
    return await composeNode(options, host, undo, stopAll);
  } catch (error) {
    await stopAll().catch(() => undefined);
    throw error;
  }
}

async function composeNode(
  options: DaemonOptions,
  host: NodeHost,
  undo: (() => Promise<void> | void)[],
  stopAll: () => Promise<void>,
): Promise<RunningNode> {
  const { crypto, clock, timers } = host;
  const limits = DEFAULT_LIMITS;
  const supervisor = createSupervisor();
  const paths = homePaths(options.home);
  const location = options.ephemeral ? join(mkdtempSync(join(tmpdir(), 'chronicle-')), 'chronicle.db') : paths.database;
  if (options.ephemeral) undo.push(() => rmSync(join(location, '..'), { recursive: true, force: true }));

  const failPoints = environmentFailPoints();
  const opened = await openPatiently(() => host.openStore(location, failPoints), timers);
  undo.push(() => opened.close());
  const store: KeyValueStore = gateRanges(opened, { concurrent: limits.concurrentRanges, waiting: limits.waitingRanges });
  const witness = options.ephemeral ? undefined : openFileWitness(paths.witness);
  undo.push(() => witness?.close());
  const log = await openEventLog({ store, crypto, clock, sync: options.ephemeral ? 'os' : options.logSync, failPoints, ...(witness && { witness }) });
  supervisor.send({ type: 'opened' });

  const makeSeed = (): { seed: Uint8Array; publicKey: Uint8Array } => {
    const seed = host.randomness.bytes(32);
    return { seed, publicKey: host.signerOf(seed).publicKey };
  };
  const seed = options.ephemeral ? makeSeed().seed : validatorSeed(paths.validatorKey, crypto, makeSeed);
  const signer = host.signerOf(seed);

  const committed = new CachedState(createStateReader(store, 'latest'), limits.stateCacheValues);
  const latestState = { ...EMPTY_STATE, get: (name: string, key: Uint8Array) => committed.get(name, key) };
  // Without a word about it, a start runs the version that the chain was last upgraded to.
  const completed = await readStateAt(store, 'latest', (state) => lastCompleted(state), limits);
  const applied = completed.ok ? completed.value?.name : undefined;
  const handlers = [options.appVersion ?? applied].filter((name) => name !== undefined);
  const skipUpgradeHeights = options.unsafeSkipUpgrades.map(toHeight);
  const chain = await openChain({
    store, log, crypto, handlers, skipUpgradeHeights,
    minGasPrice: options.minGasPrice,
    preset: options.preset,
    evmChainId: options.evmChainId,
    genesis: () => host.genesis(signer),
  });
  const { started, application, history } = chain;
  const searches = createSearches({ store, log, first: started.initialHeight, limits });
  const ledger = new Ledger({ log, history, crypto, started, state: chain.state, searches });

  let replayedHash = chain.state.appHash;
  const prepare = async (fresh: Executor): Promise<void> => {
    await fresh.open({ preset: started.preset, chain: chain.chain, handlers, skipUpgradeHeights }, location);
    replayedHash = await rebuildTrees({ log, store, crypto, executor: fresh, genesisWrites: started.writes, through: ledger.state.height });
  };
  const executor = await createRestartingExecutor({
    create: () => host.createExecutor(store),
    prepare,
    attempts: 2,
    onRestart: (reason) => host.log.error('executor restarted', { reason }),
  });
  undo.push(() => executor.stop());
  ledger.publish({ ...ledger.state, appHash: replayedHash });

  const upgradeKeeper = createUpgradeKeeper({
    writeUpgradeInfo: ({ name, height, info }) => writeFileWhole(paths.upgradeInfo, JSON.stringify({ name, height: Number(height), info })),
  });
  undo.push(() => upgradeKeeper.stop());
  const hub = createHub<CommitEvents>();
  const indexer = new Indexer({ store, log, first: started.initialHeight });
  undo.push(() => indexer.idle());
  const checkpointer = new Checkpointer(store, executor);
  undo.push(() => checkpointer.idle());

  const checkStateNow = () => {
    const { chainId, height, time } = ledger.state;
    return application.createCheckState(latestState, { chainId, height, time });
  };
  /** Made by the first admission after a block. */
  let checkState: CheckState | undefined;
  const prices = createGasPrices(application, latestState, ledger, chain.chain.minGasPrice);
  const admissions = new AdmissionFeed();
  let consensus: ConsensusActor | undefined;
  // Until the first block a signature names account number 0; what passed then must be verified again.
  const isVerified = (verified: Verified): boolean => verified === 'sender' || (verified === 'again' && ledger.state.height > started.initialHeight);
  const mempool = createMempoolActor({
    limits,
    hashOf: (tx) => toHex(txHash(crypto, tx)),
    checks: {
      describe: (tx) => application.describe(tx),
      checkTx: (tx, verified) => application.checkTx((checkState ??= checkStateNow()), tx, isVerified(verified)),
      checkQueued: (tx, sender, verified) => application.checkQueued((checkState ??= checkStateNow()), tx, sender, isVerified(verified)),
      recheck: (sender, txs) => application.recheck((checkState ??= checkStateNow()), sender, txs),
      nextNonce: (address) => application.nextNonce((checkState ??= checkStateNow()), address),
      reset: () => {
        checkState = undefined;
      },
    },
    baseFee: prices.nextBaseFee,
    record: async (admitted, left) => {
      const { tx } = admitted;
      const [recorded] = await log.append([{ event: { type: 'TxAdmitted', v: 1, data: { tx } } }], (first) => [
        pendingRow(txHash(crypto, tx), tx, first),
        ...left.map((gone) => forgetPending(txHash(crypto, gone.tx))),
      ]);
      const shown = contentOf(crypto, admitted.tx);
      if (shown !== undefined && recorded !== undefined) admissions.publish(shown, recorded.position);
    },
    onAvailable: () => consensus?.txsAvailable(),
  });
  undo.push(() => mempool.stop());

  const pipeline = new BlockPipeline({
    log, store, history, ledger, executor, mempool, upgradeKeeper, crypto,
    publish: (commit) => hub.publish(commit),
    onExecuted: (height) => {
      indexer.follow(height);
      checkpointer.follow(height);
    },
    onStatePublished: (writes) => {
      committed.committed(writes);
      checkState = undefined;
    },
  });

  let fail: (reason: unknown) => void = () => undefined;
  const failed = new Promise<unknown>((resolve) => {
    fail = resolve;
  });
  let announceHalt: () => void = () => undefined;
  const halted = new Promise<void>((resolve) => {
    announceHalt = resolve;
  });

  await log.append([{ event: { type: 'NodeStarted', v: 1, data: { version: VERSION, appVersion: handlers[0] ?? '', skipUpgradeHeights } } }]);
  const lastExecuted = log.blockAt(ledger.state.height)?.executed?.event.data.upgradeHeight;
  upgradeKeeper.committed({ height: ledger.state.height, upgradeHeight: lastExecuted, applied: undefined });

  // A decision without an execution is a halt; this start may bring the handler, or skip the plan.
  if (log.head().decided > ledger.state.height) {
    const at = log.blockAt(log.head().decided);
    invariant(at !== undefined, 'a decided block is in the log');
    const block = fromBinary(BlockSchema, at.decided.event.data.block);
    const encoded = at.decided.event.data.block;
    const { blockId } = blockIdOf(crypto, block, encoded);
    const resumed = await pipeline.resume({ block, encoded, blockId, commit: fromBinary(CommitSchema, at.decided.event.data.commit), trace: [] });
    if (resumed.kind === 'halted') {
      host.log.error(resumed.reason);
      supervisor.send({ type: 'upgradeNeeded' });
      announceHalt();
    }
  }
  mempool.restore(await readPending(store));
  indexer.follow(ledger.state.height);

  const nextHeight = (): NextHeight => {
    const { height, validators, lastCommit, lastValidators } = ledger.state;
    return {
      height: toHeight(height + 1n),
      validators,
      last: lastCommit && lastValidators && { commit: lastCommit, validators: lastValidators },
    };
  };
  const devClock = options.mode === 'dev' ? openDevClock({ log, store, host: clock, crypto, chainId: started.chainId, signer, head: ledger.state.height }) : undefined;
  const onlyValidator = ledger.state.validators.validators.length === 1;
  const building = { crypto, chainId: started.chainId, reap: (maximum: Parameters<MempoolActor['reap']>[0]) => mempool.reap(maximum), devClock };
  const producer = createConsensusActor({
    chainId: started.chainId,
    crypto, timers,
    clock: devClock ?? clock,
    timeouts: { ...(onlyValidator ? ONLY_VALIDATOR_TIMEOUTS : DEFAULT_TIMEOUTS), ...options.timeouts },
    mining: options.mining,
    signers: [signer],
    buildBlock: ({ lastCommit, proposerAddress }) => {
      host.onBlock();
      const proposal = buildBlock(building, ledger.state, lastCommit, proposerAddress);
      if (ledger.state.validators.validators.length === 1) pipeline.proposed(proposal);
      return proposal;
    },
    onDecided: async (decision) => {
      const outcome = await pipeline.decided({
        block: decision.block.block,
        encoded: decision.block.encoded,
        blockId: decision.block.blockId,
        commit: decision.commit,
        trace: decision.trace.map(consensusEvent),
      });
      if (outcome === 'halted') {
        const plan = upgradeKeeper.halt();
        host.log.error(`UPGRADE "${plan?.name}" NEEDED at height: ${plan?.height}: ${plan?.info}`);
        supervisor.send({ type: 'upgradeNeeded' });
        announceHalt();
        return { kind: 'halt' };
      }
      if (mempool.hasWork()) consensus?.txsAvailable();
      return { kind: 'next', next: nextHeight() };
    },
    onFailed: (error) => {
      host.log.error('block production failed', { error: error instanceof Error ? error.message : String(error) });
      fail(error);
    },
  });
  consensus = producer;
  supervisor.send({ type: 'replayed' });
  if (supervisor.mode() === 'running') {
    producer.start(nextHeight());
    // A new chain answers every query from its first moment: block 1 is there before a face opens.
    if (ledger.state.height < started.initialHeight && options.mining.kind !== 'manual') await firstBlock(hub, producer);
  }
  if (mempool.hasWork()) producer.txsAvailable();

  const pool = createPool({
    start: () => host.startPoolThread({ preset: started.preset, chain: chain.chain, handlers, skipUpgradeHeights }, location, store),
    slowThreads: host.slowThreads,
    timers, limits,
  });
  undo.push(() => pool.stop());
  const appQueries = createAppQueries({
    store, ledger, application, limits,
    beside: {
      query: (path, data, at) => pool.run({ kind: 'query', path, data }, at),
      simulate: (tx, at) => pool.run({ kind: 'simulate', tx }, at),
    },
  });
  const abciQuery = createAbciQuery({
    store, ledger, executor, version: VERSION,
    queries: appQueries,
    nodeService: async (path, data, height) => {
      const method = (await services()).methods.get(path);
      return method?.nodeLevel === true ? abciAnswer(await method.call(data, height)) : undefined;
    },
    storeNames: new Set(chain.storeNames),
  });
  const commands: NodeApi['commands'] = {
    broadcastTx: (tx) => mempool.broadcast(tx),
    checkTx: (tx) => Promise.resolve({ ok: true, value: application.checkTx(checkStateNow(), tx) }),
  };
  const dev = devClock && (await createDevApi({
    log, store, ledger, started, crypto, limits, nextHeight, mempool, executor, upgradeKeeper, indexer, checkpointer,
    history: chain.history,
    chain: chain.chain,
    latest: latestState,
    broadcast: (tx) => mempool.broadcast(tx),
    consensus: producer,
    clock: devClock,
    pause: () => timers.yield(),
    onReverted: (height) => {
      committed.forget();
      checkState = undefined;
      application.forgetState();
      ethereum?.blocks.forgetAbove(height);
      ethereum?.filters.reverted(height);
    },
    onFailed: (error) => {
      host.log.error('going back failed', { error: error instanceof Error ? error.message : String(error) });
      fail(error);
    },
  }));
  const ethereum: ComposedEthereum | undefined = await composeEthereum({
    application, ledger, log, store, mempool, admissions, hub, crypto, clock, timers, limits, prices,
    chain: chain.chain,
    latest: latestState,
    randomness: host.randomness,
    genesis: { timestamp: chain.genesis.time / NANOSECONDS, baseFeePerGas: chain.genesis.baseFee },
    pool,
    keys: host.devKeys,
    dev,
  });
  // Their rows follow a revert behind its batch.
  if (dev !== undefined) ethereum?.filters.reverted(ledger.state.height);
  undo.push(() => ethereum?.stop());

  const id = options.ephemeral ? Buffer.from(host.randomness.bytes(20)).toString('hex') : nodeId(paths.nodeKey, host.randomness);
  let rpcAddress = `tcp://${options.listen.comet.host}:${options.listen.comet.port}`;
  const api: NodeApi = {
    commands,
    queries: {
      chain: ledger,
      app: appQueries,
      status: () => {
        const index = indexOfAddress(ledger.state.validators, ed25519Address(crypto, signer.publicKey));
        const mode = supervisor.mode();
        return {
          moniker: options.moniker,
          nodeId: id,
          version: COMET_VERSION,
          listenAddress: NO_PEERS_ADDRESS,
          rpcAddress,
          validator: ledger.state.validators.validators[index],
          catchingUp: false,
          mode: mode === 'halted' ? 'halted' : mode === 'draining' ? 'draining' : 'running',
          halt: upgradeKeeper.halt(),
          appVersion: protocolVersion(latestState),
        };
      },
      abciQuery,
      unconfirmedTxs: () => {
        const txs = mempool.entries('pending').map(({ tx }) => tx);
        return { txs, totalBytes: BigInt(txs.reduce((bytes, tx) => bytes + tx.length, 0)) };
      },
      roundState: () => roundPlace(producer.roundState(), ledger.state.height),
    },
    feeds: { onCommit: (listener) => hub.onCommit(listener) },
  };
  const services = lazily(async () => {
    const { createServices } = await import('../adapters/services/index.js');
    return createServices({
      api,
      limits,
      facts: {
        application: { name: 'chronicled', version: VERSION },
        bech32Prefix: chain.chain.bech32Prefix,
        minimumGasPrice: chain.chain.minGasPrice === 0n ? '' : `${chain.chain.minGasPrice}${chain.chain.baseDenom}`,
      },
    });
  });
  undo.push(async () => {
    supervisor.send({ type: 'drain' });
    mempool.pause('the node is stopping');
    await producer.stop();
  });
  // A command in the middle must not begin blocks again behind the stop.
  undo.push(() => dev?.stop());
  return {
    listening(port) {
      rpcAddress = `tcp://${options.listen.comet.host}:${port}`;
    },
    api, services, hub, eventLog: log, crypto, supervisor, consensus: producer, mempool, chain, ethereum, failed, halted,
    continued: !chain.isNew,
    async stop() {
      await stopAll();
      supervisor.send({ type: 'drained' });
    },
  };
}

/** Version that consensus clients see; cosmjs chooses its client by the first two numbers (design section 11). */
const COMET_VERSION = '0.38.21';
/** CometBFT's default for peers. Nobody listens there: cosmjs refuses a status without an address. */
const NO_PEERS_ADDRESS = 'tcp://127.0.0.1:26656';
const NANOSECONDS = 1_000_000_000n;

function firstBlock(hub: Hub<CommitEvents>, producer: ConsensusActor): Promise<void> {
  return new Promise((resolve) => {
    const leave = hub.onCommit(() => {
      leave();
      resolve();
    });
    producer.mine();
  });
}

function consensusEvent(notice: ConsensusNotice): ConsensusEvent {
  return {
    type: notice.type,
    height: notice.height,
    position: undefined,
    dataType: notice.dataType,
    value: JSON.stringify(notice.value),
    attributes: new Map([['tm.event', [notice.type]]]),
  };
}
