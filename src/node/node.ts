import { fromBinary } from '@bufbuild/protobuf';
import type { Consensus } from '../actors/consensus/index.js';
import type { Mempool } from '../actors/mempool/mempool.js';
import { createSupervisor, type Supervisor } from '../actors/supervisor/supervisor.js';
import { createSubscriptionRegistry, type RegistryCounters } from '../actors/subscription-registry/index.js';
import { connectLog, createSignals } from './compose/wiring.js';
import { blockIdOf } from '../core/comet/part-set.js';
import type { DaemonOptions } from '../core/config/daemon-options.js';
import { invariant } from '../core/errors.js';
import { DEFAULT_LIMITS } from '../core/limits.js';
import type { EthereumBlock } from '../core/ethereum/block-view.js';
import { lastCompleted } from '../core/modules/upgrade/plan-store.js';
import type { Crypto } from '../core/ports/crypto.js';
import { toHeight, type Height } from '../core/primitives.js';
import { BlockSchema } from '../core/proto/tendermint/types/block_pb.js';
import { CommitSchema } from '../core/proto/tendermint/types/types_pb.js';
import type { NodeSubscriptions } from '../core/subscriptions/index.js';
import { CachedState } from '../core/state/cached-state.js';
import { EMPTY_STATE } from '../core/state/overlay.js';
import { CommitUnknownError, CorruptionError, PoisonedError } from '../store/errors.js';
import type { EventLog } from '../store/event-log.js';
import { createStateReader } from '../store/state/latest.js';
import { readStateAt } from '../store/state/query-reader.js';
import type { Observable } from 'rxjs';
import { BlockPipeline, type DecidedBlock } from './chain/block-pipeline.js';
import { Ledger } from './chain/ledger.js';
import { openWaiting } from './chain/waiting.js';
import { openChain, stateAtHead, type OpenedChain } from './chain/open-chain.js';
import { Checkpointer, rebuildTrees } from './chain/rebuild-trees.js';
import { Indexer } from './chain/indexer.js';
import { createSearches } from './chain/searches.js';
import type { ActorId } from './compose/actor-ids.js';
import { composeMempool } from './compose/mempool.js';
import { composeApi, type ComposedApi } from './compose/node-api.js';
import type { NodeHost } from './compose/node-host.js';
import { openHome } from './compose/open-home.js';
import { composeProduction, connectPipeline } from './compose/production.js';
import { Undo } from './compose/undo.js';
import { composeUpgradeKeeper } from './compose/upgrades.js';
import { createDevApi } from './dev/dev-api.js';
import { openDevClock } from './dev/dev-clock.js';
import { composeEthereum, type ComposedEthereum } from './ethereum/compose.js';
import { createGasPrices } from './ethereum/gas-prices.js';
import type { Executor } from './executor/executor.js';
import { createRestartingExecutor } from './executor/restarting-executor.js';
import { nodeId } from './home/home.js';
import { createPool } from './pool/pool.js';
import { createPushHistory } from './push/history.js';
import { publishedCommits, type PublishedCommit } from './push/shown-commits.js';
import { createPushSource } from './push/source.js';
import { VERSION } from './version.js';

/** The node that the faces are opened over, with the calls that a host may make. */
export interface RunningNode extends ComposedApi {
  /** Commits as they are published. */
  readonly commits: Observable<PublishedCommit>;
  readonly eventLog: EventLog;
  readonly crypto: Crypto;
  readonly supervisor: Supervisor<ActorId>;
  readonly consensus: Consensus;
  readonly mempool: Mempool;
  readonly chain: OpenedChain;
  /** undefined for an application without an EVM. */
  readonly ethereum: ComposedEthereum | undefined;
  /** What push faces subscribe to. */
  readonly subscriptions: NodeSubscriptions & { counters(): RegistryCounters };
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
  const undo = new Undo();
  try {
    return await composeNode(options, host, undo);
  } catch (error) {
    await undo.all().catch(() => undefined);
    throw error;
  }
}

async function composeNode(options: DaemonOptions, host: NodeHost, undo: Undo): Promise<RunningNode> {
  const { crypto, clock, timers } = host;
  const limits = DEFAULT_LIMITS;
  const [failed, announceFailure] = promised<unknown>();
  const fail = (what: string, error: unknown): void => {
    host.log.error(what, { error: textOf(error) });
    announceFailure(error);
  };
  const supervisor = createSupervisor<ActorId>({
    clock,
    timers,
    limits,
    isFatal: isStorageFailure,
    onRestart: (id, error) => host.log.error('actor restarted', { actor: id, error: textOf(error) }),
    onFailed: (id, error) => fail(`actor ${id} failed`, error),
    onMode: () => undefined,
  });
  const { paths, location, store, log, signer } = await openHome(options, host, limits, undo);
  supervisor.send({ type: 'opened' });

  // The chain as it stands, and what is read of it.
  const committed = new CachedState(createStateReader(store, 'latest'), limits.stateCacheValues);
  const latest = { ...EMPTY_STATE, get: (name: string, key: Uint8Array) => committed.get(name, key) };
  // Without a word about it, a start runs the version that the chain was last upgraded to.
  const completed = await readStateAt(store, 'latest', (state) => lastCompleted(state), limits);
  const applied = completed.ok ? completed.value?.name : undefined;
  const handlers = [options.appVersion ?? applied].filter((name) => name !== undefined);
  const skipUpgradeHeights = options.unsafeSkipUpgrades.map(toHeight);
  const chain = await openChain({
    store,
    log,
    crypto,
    handlers,
    skipUpgradeHeights,
    minGasPrice: options.minGasPrice,
    preset: options.preset,
    evmChainId: options.evmChainId,
    genesis: () => host.genesis(signer),
  });
  const { started, application, history } = chain;
  const streams = connectLog(log, (hearer, error) => fail(`${hearer} failed at a record of the log`, error));
  const indexer = new Indexer({ store, log, first: started.initialHeight, timers, limits });
  undo.push(() => indexer.idle());
  const searches = createSearches({
    store,
    log,
    first: started.initialHeight,
    limits,
    caughtUp: () => indexer.caughtUp(),
  });
  const ledger = new Ledger({
    log,
    history,
    crypto,
    started,
    state: chain.state,
    searches,
    position: () => streams.head(),
  });

  // The executor of blocks, and the parts that follow it.
  const applicationOptions = { preset: started.preset, chain: chain.chain, handlers, skipUpgradeHeights };
  let replayedHash = chain.state.appHash;
  const prepare = async (fresh: Executor): Promise<void> => {
    await fresh.open(applicationOptions, location);
    replayedHash = await rebuildTrees({
      log,
      store,
      crypto,
      executor: fresh,
      genesisWrites: started.writes,
      through: ledger.state.height,
    });
  };
  const executor = await createRestartingExecutor({
    create: () => host.createExecutor(store),
    prepare,
    attempts: 2,
    onRestart: (reason) => host.log.error('executor restarted', { reason }),
  });
  undo.push(() => executor.stop());
  ledger.completed(replayedHash);
  const upgradeKeeper = composeUpgradeKeeper({ log, store, ledger, streams, limits, upgradeInfo: paths.upgradeInfo });
  undo.push(() => supervisor.stop('upgradeKeeper'));
  const checkpointer = new Checkpointer(store, executor);
  undo.push(() => checkpointer.idle());

  // From transactions to blocks.
  const signals = createSignals();
  const { waiting, checkpoint } = await openWaiting({ log, store, crypto });
  undo.push(() => checkpoint.idle());
  const prices = createGasPrices(application, latest, ledger, chain.chain.minGasPrice);
  const admission = composeMempool({
    application,
    ledger,
    log,
    crypto,
    timers,
    limits,
    streams,
    waiting,
    prices,
    latest,
    initialHeight: started.initialHeight,
    sayAvailable: () => signals.available.say({ type: 'available' }),
  });
  const { mempool } = admission;
  const ethereumBlock = (height: Height): EthereumBlock | undefined => ethereum?.blocks.block(height);
  const pushSource = createPushSource({
    messages: streams.hearing('subscriptionRegistry').live,
    log,
    crypto,
    ethereumBlock,
    shown: log.head().position,
  });
  const commits = publishedCommits(streams.hearing('feeds').live, { log, crypto });
  undo.push(() => {
    admission.end();
    void supervisor.stop('mempool');
  });
  const pipeline = new BlockPipeline({
    log,
    store,
    history,
    ledger,
    executor,
    crypto,
    isChecked: (hash) => mempool.view.isChecked(hash),
    onExecuted: (execution) => streams.executed(execution),
    onHalt: (reason) => host.log.error(reason),
  });

  const [halted, announceHalt] = promised<void>();
  streams.tell('ledger', (message) => {
    switch (message.type) {
      case 'executed':
        invariant(message.execution !== undefined, 'a live block comes from the executor');
        history.published(message.execution.history);
        return ledger.executed(message.execution, message.data.upgradeHeight);
      case 'halted':
        return ledger.halted();
      case 'wentBack':
        history.reverted(message.height);
        return ledger.wentBack(stateAtHead({ crypto, log }, started, history));
    }
  });
  streams.tell('stateCaches', (message) => {
    if (message.type === 'executed') committed.committed(message.data.writes);
    else {
      committed.forget();
      application.forgetState();
      ethereum?.blocks.forgetAbove(message.height);
    }
  });
  streams.tell('waitingTransactions', (message) => {
    switch (message.type) {
      case 'admitted':
        return message.entries.forEach((entry) => waiting.admitted(entry));
      case 'dropped':
        return waiting.dropped(message.hashes);
      case 'executed':
        waiting.executed(message.execution?.block.block.data?.txs ?? []);
        return checkpoint.follow(message.position);
      case 'wentBack':
        return waiting.wentBack();
    }
  });
  streams.tell('followers', (message) => {
    if (message.type === 'wentBack') return indexer.reverted(message.height);
    indexer.follow(message.data.height, ledger.results(message.data.height));
    checkpointer.follow(message.data.height);
  });
  streams.tell('supervisor', () => {
    supervisor.send({ type: 'upgradeNeeded' });
    announceHalt();
  });
  await log.append([
    {
      event: {
        type: 'NodeStarted',
        v: 1,
        data: { version: VERSION, appVersion: handlers[0] ?? '', skipUpgradeHeights },
      },
    },
  ]);
  // A decision without an execution is a halt; this start may bring the handler, or skip the plan.
  if (log.head().decided > ledger.state.height) await pipeline.resume(lastDecision(log, crypto));
  await supervisor.start(upgradeKeeper.child);
  await supervisor.start(mempool.child);
  indexer.follow(ledger.state.height);

  const devClock =
    options.mode === 'dev'
      ? openDevClock({ log, store, host: clock, crypto, chainId: started.chainId, signer, head: ledger.state.height })
      : undefined;
  const consensus = composeProduction({
    options,
    host,
    ledger,
    signals,
    signer,
    devClock,
    limits,
    chainId: started.chainId,
    reap: (maximum) => mempool.view.reap(maximum),
    hasWork: () => mempool.view.hasWork(),
    isHalted: () => ledger.tip() > ledger.state.height,
    hearing: streams.hearing('consensus'),
  });
  connectPipeline(pipeline, signals, (error) => {
    fail('block production failed', error);
    // The block that was decided is never applied: commands must not wait for it.
    consensus.child.inbox?.end({ code: 'storage-failed' });
  });
  await supervisor.start(consensus.child);
  supervisor.send({ type: 'replayed' });
  // A new chain answers every query from its first moment: block 1 is there before a face opens.
  if (ledger.state.height < started.initialHeight && options.mining.kind !== 'manual') await consensus.mine();

  // The pool that the faces ask.
  const pool = createPool({
    start: () => host.startPoolThread(applicationOptions, location, store),
    slowThreads: host.slowThreads,
    timers,
    limits,
  });
  undo.push(() => pool.stop());
  const dev =
    devClock &&
    (await createDevApi({
      log,
      store,
      ledger,
      started,
      crypto,
      limits,
      mempool: admission,
      executor,
      indexer,
      checkpointer,
      history,
      latest,
      consensus,
      chain: chain.chain,
      broadcast: (tx) => mempool.broadcast(tx),
      clock: devClock,
      pause: () => timers.yield(),
      onFailed: (error) => fail('going back failed', error),
    }));
  const ethereum: ComposedEthereum | undefined = composeEthereum({
    application,
    ledger,
    log,
    store,
    mempool,
    commits,
    crypto,
    clock: host.timerClock,
    timers,
    limits,
    latest,
    pool,
    dev,
    hearing: streams.hearing('filterManager'),
    prices,
    chain: chain.chain,
    randomness: host.randomness,
    genesis: { timestamp: chain.genesis.time / NANOSECONDS, baseFeePerGas: chain.genesis.baseFee },
    keys: host.devKeys,
    startRecoveryThread: host.startRecoveryThread,
  });
  if (ethereum !== undefined) {
    const { filters, senders } = ethereum;
    undo.push(() => senders.stop());
    await supervisor.start(filters.child);
    undo.push(async () => {
      await supervisor.stop('filterManager');
      await filters.close();
    });
  }
  const pushHistory = createPushHistory({ log, crypto, ethereumBlock, chain: ledger });
  const subscriptionRegistry = createSubscriptionRegistry<ActorId>('subscriptionRegistry', {
    limits,
    source: pushSource,
    history: pushHistory,
  });
  await supervisor.start(subscriptionRegistry.child);
  undo.push(() => supervisor.stop('subscriptionRegistry'));
  const composed = composeApi({
    options,
    store,
    chain,
    ledger,
    latest,
    executor,
    pool,
    mempool,
    checkState: admission.checkState,
    supervisor,
    upgrades: upgradeKeeper.view,
    signer,
    commits,
    crypto,
    limits,
    producer: consensus.view,
    nodeId: options.ephemeral
      ? Buffer.from(host.randomness.bytes(20)).toString('hex')
      : nodeId(paths.nodeKey, host.randomness),
  });

  // The stop begins here, with the last step: no command, no block, then everything above from below.
  undo.push(async () => {
    supervisor.send({ type: 'drain' });
    admission.drain();
    // A block that cannot be stored or executed is never applied.
    await Promise.race([supervisor.stop('consensus'), failed]);
    consensus.child.inbox?.end({ code: 'halted', reason: 'the node is stopping' });
  });
  // A command in the middle must not begin blocks again behind the stop.
  undo.push(() => dev?.stop());
  return {
    ...composed,
    commits,
    eventLog: log,
    crypto,
    supervisor,
    consensus,
    mempool,
    chain,
    ethereum,
    subscriptions: {
      registry: subscriptionRegistry.registry,
      history: pushHistory,
      source: pushSource,
      counters: () => subscriptionRegistry.counters(),
    },
    failed,
    halted,
    continued: !chain.isNew,
    async stop() {
      await undo.all();
      supervisor.send({ type: 'drained' });
    },
  };
}

const NANOSECONDS = 1_000_000_000n;

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The log refuses everything after a failed write: no restart of an actor mends that. */
function isStorageFailure(error: unknown): boolean {
  return error instanceof PoisonedError || error instanceof CommitUnknownError || error instanceof CorruptionError;
}

/** The block that was decided last, as the log has it. */
function lastDecision(log: EventLog, crypto: Crypto): DecidedBlock {
  const at = log.blockAt(log.head().decided);
  invariant(at !== undefined, 'a decided block is in the log');
  const { block: encoded, commit } = at.decided.event.data;
  const block = fromBinary(BlockSchema, encoded);
  return {
    block,
    encoded,
    blockId: blockIdOf(crypto, block, encoded).blockId,
    commit: fromBinary(CommitSchema, commit),
    trace: [],
  };
}

/** A promise and what fulfils it. */
function promised<Value>(): readonly [Promise<Value>, (value: Value) => void] {
  let fulfil: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => {
    fulfil = resolve;
  });
  return [promise, (value) => fulfil(value)];
}
