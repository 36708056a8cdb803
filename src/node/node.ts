import type { Consensus } from '../actors/consensus/index.js';
import type { Mempool } from '../actors/mempool/mempool.js';
import { createSubscriptionRegistry, type RegistryCounters } from '../actors/subscription-registry/index.js';
import type { Supervisor } from '../actors/supervisor/supervisor.js';
import type { DaemonOptions } from '../core/config/daemon-options.js';
import type { EthereumBlock } from '../core/ethereum/block-view.js';
import { DEFAULT_LIMITS } from '../core/limits.js';
import type { Crypto } from '../core/ports/crypto.js';
import type { Height } from '../core/primitives.js';
import type { NodeSubscriptions } from '../core/subscriptions/index.js';
import type { EventLog } from '../store/event-log.js';
import type { Observable } from 'rxjs';
import type { OpenedChain } from './chain/open-chain.js';
import type { ActorId } from './compose/actor-ids.js';
import { openChainViews } from './compose/chain-views.js';
import { startExecution } from './compose/execution.js';
import { connectHearers } from './compose/hearers.js';
import { composeMempool } from './compose/mempool.js';
import { composeApi, type ComposedApi } from './compose/node-api.js';
import type { NodeHost } from './compose/node-host.js';
import { openHome } from './compose/open-home.js';
import { composeProduction, connectPipeline } from './compose/production.js';
import { createSupervision } from './compose/supervision.js';
import { Undo } from './compose/undo.js';
import { composeUpgradeKeeper } from './compose/upgrades.js';
import { createSignals } from './compose/wiring.js';
import { createDevApi } from './dev/dev-api.js';
import { openDevClock } from './dev/dev-clock.js';
import { composeEthereum, type ComposedEthereum } from './ethereum/compose.js';
import { createGasPrices } from './ethereum/gas-prices.js';
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
  const supervision = createSupervision(host, limits);
  const { supervisor, failed, halted, fail } = supervision;
  const home = await openHome(options, host, limits, undo);
  const { paths, location, store, log, signer } = home;
  supervisor.send({ type: 'opened' });

  // The chain as it stands, and its streams.
  const views = await openChainViews({ options, host, limits, home, undo, fail });
  const { chain, streams, ledger, latest, waiting, indexer, applicationOptions } = views;
  const { started, application, history } = chain;
  const signals = createSignals();

  // From transactions to blocks.
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
  const execution = await startExecution({
    host,
    home,
    views,
    undo,
    isChecked: (hash) => mempool.view.isChecked(hash),
  });
  const { executor, checkpointer, pipeline } = execution;
  const upgradeKeeper = composeUpgradeKeeper({ log, store, ledger, streams, limits, upgradeInfo: paths.upgradeInfo });
  undo.push(() => supervisor.stop('upgradeKeeper'));
  undo.push(() => {
    admission.end();
    void supervisor.stop('mempool');
  });
  const ethereumBlock = (height: Height): EthereumBlock | undefined => ethereum?.blocks.block(height);
  const pushSource = createPushSource({
    messages: streams.hearing('subscriptionRegistry').live,
    log,
    crypto,
    ethereumBlock,
    shown: log.head().position,
  });
  const commits = publishedCommits(streams.hearing('feeds').live, { log, crypto });
  const forgetBlocksAbove = (height: Height): void => ethereum?.blocks.forgetAbove(height);
  connectHearers({ views, execution, supervision, log, crypto, forgetBlocksAbove });

  const appVersion = applicationOptions.handlers[0] ?? '';
  const { skipUpgradeHeights } = applicationOptions;
  await log.append([
    { event: { type: 'NodeStarted', v: 1, data: { version: VERSION, appVersion, skipUpgradeHeights } } },
  ]);
  await execution.resume();
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
