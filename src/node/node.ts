import type { Consensus } from '../actors/consensus/index.js';
import type { Mempool } from '../actors/mempool/mempool.js';
import type { Supervisor } from '../actors/supervisor/supervisor.js';
import type { AbciApplication } from '../core/abci/abci-application.js';
import type { BlockContext } from '../core/application-requests.js';
import type { DaemonOptions } from '../config/daemon-options.js';
import { invariant } from '../core/errors.js';
import type { Crypto } from '../core/ports/crypto.js';
import type { EventLog } from '../store/log/event-log.js';
import type { Observable } from 'rxjs';
import type { FilterManager } from '../actors/filter-manager/index.js';
import { requireEngine } from '../runtime/chain/engine-mismatch.js';
import type { Ledger } from '../runtime/chain/ledger.js';
import type { OpenedChain } from '../runtime/chain/open-chain.js';
import type { ActorId } from './compose/actor-ids.js';
import { composeEngine, composeEngineQueries } from './compose/engine.js';
import { checkState, scanStorage } from './compose/damage.js';
import { watchDisk } from './compose/disk-watch.js';
import { startExecution, type ExecutionParts } from './compose/execution.js';
import { composeFilters } from './compose/filters.js';
import { openFoundation, type Foundation } from './compose/foundation.js';
import { connectConsumers } from './compose/consumers.js';
import { composeOwnSnapshots, startOf } from './compose/own-snapshots.js';
import { composeInspection, type Inspect } from './inspection/compose.js';
import { composeMempool } from './compose/mempool.js';
import { composeApi, type ComposedApi } from './compose/node-api.js';
import type { NodeHost } from './compose/node-host.js';
import { BlockRuns } from '../runtime/chain/block-runs.js';
import { composeProduction, connectPipeline } from './compose/production.js';
import { composePush, type ComposedPush } from './compose/push.js';
import { Undo } from './compose/undo.js';
import { composeUpgradeKeeper } from './compose/upgrades.js';
import type { HeardBy } from './compose/wiring.js';
import { createDevApi } from './dev/dev-api.js';
import type { DevClock } from './dev/dev-clock.js';
import { openDevClock } from './dev/open-dev-clock.js';
import { composeEthereum, type ComposedEthereum } from './ethereum/compose.js';
import { OutsideProducer, type Producer } from './abci/outside-producer.js';
import { createPool, type Pool } from '../runtime/pool/pool.js';
import { ReplyThrottle } from '../runtime/threads/reply-throttle.js';
import type { PublishedCommit } from './push/shown-commits.js';

/** A running node without faces, with the calls for its host. */
export interface RunningNode extends ComposedApi {
  /** Commits as they are published. */
  readonly commits: Observable<PublishedCommit>;
  readonly eventLog: EventLog;
  readonly crypto: Crypto;
  readonly supervisor: Supervisor<ActorId>;
  readonly consensus: Producer;
  /** The ABCI application for an external consensus engine; undefined when this process makes the blocks. */
  readonly engine: AbciApplication | undefined;
  readonly mempool: Mempool;
  readonly chain: OpenedChain;
  /** Messages for the activity log, from the moment of subscription. */
  readonly activity: Observable<HeardBy<'activityLog'>>;
  /** Undefined for an application without an EVM. */
  readonly ethereum: ComposedEthereum | undefined;
  readonly filters: FilterManager;
  /** Creates the inspection API, for the methods `chronicle_*`. */
  readonly inspection: Inspect;
  /** The streams that push faces subscribe to. */
  readonly subscriptions: ComposedPush['subscriptions'];
  /** True until the start's comparison of the state with its trees has finished. */
  readonly isVerifying: () => boolean;
  /** True if the log existed before this start. */
  readonly continued: boolean;
  /** Resolves with the reason when the node cannot continue. */
  readonly failed: Promise<unknown>;
  /** Reports the error of a failed request: if its cause is the storage, the node stops. */
  readonly noticed: (error: unknown) => void;
  /** Resolves when the node halts for an upgrade. */
  readonly halted: Promise<void>;
  /** The application's reason for refusing the last block. */
  readonly haltReason: () => string | undefined;
  /** Rejects dev commands and ends the running one, because closing faces wait for its answer. */
  refuseCommands(): void;
  /** Stops block production, waits for the block in flight, closes the database. */
  stop(): Promise<void>;
}

/** Starts everything but the faces: the log, the executor, the actors. If a step fails, stops what was started. */
export async function composeNode(options: DaemonOptions, host: NodeHost): Promise<RunningNode> {
  const undo = new Undo();
  try {
    return await startParts(await openFoundation(options, host, undo));
  } catch (error) {
    await undo.all().catch(() => undefined);
    throw error;
  }
}

async function startParts(foundation: Foundation): Promise<RunningNode> {
  const { host, undo, supervision, home, views } = foundation;
  const { supervisor, failed, halted, haltReason } = supervision;
  const { ledger } = views;
  requireEngine(home.log, foundation.options.engine !== undefined);

  // Mempool and execution.
  const admission = composeMempool(foundation);
  const { mempool } = admission;
  const execution = await startExecution(foundation, mempool.view);
  // Do not execute on a state that has lost rows.
  const stateCheck = checkState(foundation, execution);
  undo.push(() => stateCheck.stop());
  await stateCheck.begin();
  const upgradeKeeper = composeUpgradeKeeper(foundation);
  undo.push(() => supervision.end(upgradeKeeper.child));
  undo.push(async () => {
    await supervision.end(mempool.child);
    admission.end();
  });
  // Connect all consumers before the first record is published.
  const push = composePush(foundation);
  connectConsumers(foundation, execution, composeOwnSnapshots(foundation, execution));
  await announceStart(foundation);
  // An external engine sends its pending block again.
  if (foundation.options.engine === undefined) await execution.resume();
  await supervisor.start(upgradeKeeper.child);
  await supervisor.start(mempool.child);
  views.indexer.follow(views.ledger.state.height);
  views.pruner.begin(views.ledger.state.height);

  // Block production.
  const clock = foundation.options.mode === 'dev' ? openDevClock(foundation) : undefined;
  const { engine: engineOptions } = foundation.options;
  const outside = engineOptions && new OutsideProducer(() => ledger.tip() > ledger.state.height);
  const runs = clock && outside === undefined ? composeRuns(foundation, mempool.view, execution, clock) : undefined;
  const embedded = outside === undefined ? await produce(foundation, mempool.view, execution, clock, runs) : undefined;
  const consensus: Producer | undefined = outside ?? embedded;
  invariant(consensus !== undefined, 'an engine or this process makes the blocks');
  supervisor.send({ type: 'replayed' });
  if (embedded !== undefined) await makeFirstBlock(foundation, embedded);

  // Queries, filters and subscriptions for the faces.
  const pool = startPool(foundation);
  const dev = clock && (await createDevApi({ foundation, execution, admission, consensus, clock, runs }));
  const filters = composeFilters(foundation);
  const { view: producer } = consensus;
  const { view: upgrades } = upgradeKeeper;
  const trial = (): BlockContext => trialContext(views.ledger, clock);
  const engineQueries = engineOptions && composeEngineQueries(foundation, engineOptions);
  const ethereum = composeEthereum(foundation, {
    mempool,
    producer,
    upgrades,
    push,
    pool,
    filters,
    dev,
    trial,
    clock,
    engine: engineQueries,
  });
  if (ethereum !== undefined) {
    undo.push(() => ethereum.senders.stop());
    undo.push(() => ethereum.sends.stop());
    await supervisor.start(filters.child);
    undo.push(async () => {
      await supervision.end(filters.child);
      await filters.close();
    });
  }
  await supervisor.start(push.child);
  undo.push(() => supervision.end(push.child));
  const api = composeApi(foundation, {
    admission,
    execution,
    upgrades,
    producer,
    pool,
    push,
    trial,
    engine: engineQueries,
  });

  // This last step runs first at a stop: it ends commands and blocks; then the steps above run in reverse order.
  undo.push(async () => {
    supervisor.send({ type: 'drain' });
    if (embedded !== undefined) await supervision.end(embedded.child);
    await execution.outside.idle();
  });
  watchDisk(foundation, consensus);
  scanStorage(foundation, execution);
  // A running command must not begin blocks after the stop.
  undo.push(() => dev?.stop());
  const engine =
    engineOptions &&
    outside &&
    composeEngine(foundation, engineOptions, { mempool, execution, producer: outside, api: api.api });
  return {
    ...api,
    engine,
    commits: push.commits,
    activity: views.streams.of('activityLog').live,
    eventLog: home.log,
    crypto: host.crypto,
    supervisor,
    consensus,
    mempool,
    chain: views.chain,
    ethereum,
    filters,
    inspection: composeInspection(foundation, ethereum?.api),
    subscriptions: push.subscriptions,
    failed,
    noticed: supervision.noticed,
    halted,
    haltReason,
    isVerifying: () => stateCheck.isRunning,
    continued: !views.chain.isNew,
    refuseCommands: () => dev?.refuse(),
    async stop() {
      await undo.all();
      supervisor.send({ type: 'drained' });
    },
  };
}

/** The context of simulations: the head, with the time of the next block if commands have set it. */
function trialContext(ledger: Pick<Ledger, 'state' | 'context'>, clock: DevClock | undefined): BlockContext {
  const { state } = ledger;
  const head = ledger.context(state.height);
  const time = clock?.nextTime(state.height, state.time);
  return time === undefined ? head : { ...head, time };
}

/** Composes runs: many blocks of one command. */
function composeRuns(
  { host, home, views, supervision }: Foundation,
  pool: Mempool['view'],
  { executor, writer, evidence }: ExecutionParts,
  clock: DevClock,
): BlockRuns {
  return new BlockRuns({
    executor,
    writer,
    ledger: views.ledger,
    pool,
    evidence,
    clock,
    seed: host.isTimeOfBlocks ? undefined : home.seed,
    onFailure: (error) => supervision.fail('block production failed', error),
  });
}

/** Starts the embedded consensus. */
async function produce(
  foundation: Foundation,
  pool: Mempool['view'],
  execution: ExecutionParts,
  clock: ReturnType<typeof openDevClock> | undefined,
  runs: BlockRuns | undefined,
): Promise<Consensus> {
  const consensus = composeProduction(foundation, pool, execution, clock, runs);
  connectPipeline(foundation, execution, consensus, clock);
  await foundation.supervision.supervisor.start(consensus.child);
  return consensus;
}

/** Logs the program version that runs the chain from here on. */
async function announceStart({ home: { log }, views }: Foundation): Promise<void> {
  await log.append([{ event: { type: 'NodeStarted', v: 1, data: startOf({ views }) } }]);
}

/**
 * Makes the first block of a new chain before a face opens, so that every query has an answer. A chain restored from
 * a snapshot has its blocks already.
 */
async function makeFirstBlock({ options, home, views }: Foundation, consensus: Consensus): Promise<void> {
  const { ledger } = views;
  const isAwaited = options.mining.kind !== 'manual' || home.log.restored() !== undefined;
  if (isAwaited && ledger.state.height < ledger.earliestHeight()) await consensus.mine();
}

/** Starts the pool of threads for read-only EVM work. */
function startPool({ host, limits, undo, home: { location, store }, views }: Foundation): Pool {
  const turns = new ReplyThrottle(host.timers);
  const pool = createPool({
    start: () => host.startPoolThread(views.applicationOptions, location, store, turns),
    slowThreads: host.slowThreads,
    timers: host.timers,
    limits,
  });
  undo.push(() => pool.stop());
  return pool;
}
