import { firstValueFrom } from 'rxjs';
import type { Consensus } from '../../actors/consensus/index.js';
import type { Mining } from '../../core/chain/mining.js';
import type { DevFacts, DevTokenCommands, EthereumDevApi } from '../../core/ethereum/api.js';
import { isEnabled } from '../../core/sdk/module/development-chain.js';
import { NODE_STOPPING } from '../../core/errors.js';
import type { Outcome } from '../../core/node-api.js';
import type { BlockRuns } from '../../runtime/chain/block-runs.js';
import { firstHeight } from '../../runtime/chain/restored-chain.js';
import type { Foundation } from '../compose/foundation.js';
import type { ComposedMempool } from '../compose/mempool.js';
import { BranchCommands } from './branches.js';
import { dropTransactions, type Dropped } from './drop-transactions.js';
import { GivenContracts } from './given-contracts.js';
import { Impersonations } from './impersonations.js';
import { InstanceId } from './instance-id.js';
import { mineBlock } from './mine.js';
import type { RevertOptions } from './revert.js';
import { openSnapshots } from './snapshots.js';
import { dumpState, loadState } from './state-commands.js';
import { TimeCommands } from './time-commands.js';
import {
  addBalance,
  expireClient,
  setAccount,
  setBalance,
  setBlockFacts,
  type DevTransactionOptions,
} from './transactions.js';
import { NS_PER_SECOND, type Height } from '../../core/primitives.js';

export interface DevApiOptions extends Pick<RevertOptions, 'execution' | 'clock'> {
  readonly foundation: Foundation;
  readonly admission: ComposedMempool;
  readonly consensus: Pick<Consensus, 'pause' | 'view' | 'setMining'>;
  readonly runs: Pick<BlockRuns, 'make'> | undefined;
}

const STOPPING = { ok: false, error: NODE_STOPPING } as const;

/** Commands that are added later, because they need the Ethereum part of the node. */
type OverEthereum = 'sendUnsigned' | 'holdKey' | 'releaseKey' | 'startAccounts' | keyof DevTokenCommands;

export interface DevApi extends Omit<EthereumDevApi, OverEthereum> {
  /** Rejects further commands, and ends the running one after its current block. */
  refuse(): void;
  /**
   * Rejects commands as `refuse` does; resolves when the running one has ended. Call it before the rest of the node
   * stops.
   */
  stop(): Promise<void>;
}

/** Creates the dev commands of a running node. They run one at a time, in call order. */
export async function createDevApi(options: DevApiOptions): Promise<DevApi> {
  const { foundation, admission, consensus, clock, runs } = options;
  const { host, limits, home, views, signals, supervision } = foundation;
  const { supervisor } = supervision;
  const { log, store } = home;
  const { chain, ledger, latest, streams } = views;
  const started = consensus.view.mining();
  const instant: Mining = started.kind === 'instant' ? started : { kind: 'instant', heartbeatMs: undefined };
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const time = new TimeCommands({ log, ledger, clock, consensus, runs, isStopping });
  const transactions: DevTransactionOptions = {
    chain: chain.chain,
    crypto: host.crypto,
    latest,
    ledger,
    ethereum: chain.application.ethereum,
    consensus,
    clock,
    broadcast: (tx) => admission.mempool.broadcast(tx),
  };
  const snapshots = await openSnapshots({ log, ledger, consensus, limits }, store);
  /** The running command and the queued ones; true for one that only reverts. */
  const line: boolean[] = [];
  const isRevertNext = (): boolean => line[0] === true && line[1] === true;
  const branches = new BranchCommands({ ...options, snapshots, isStopping, isRevertNext });
  const impersonation = new Impersonations(limits);
  const logging = { isOn: true };
  const quotes: EthereumDevApi['quotes'] = { gasPrice: undefined };
  const { crypto, randomness } = host;
  const first = (): Height => firstHeight(log, chain.started);
  const instanceId = new InstanceId({ store, log, crypto, first }, randomness);

  let running: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(run: () => Promise<Outcome<Value>>, isRevert = false): Promise<Outcome<Value>> => {
    if (line.length >= limits.devWaiting)
      return Promise.resolve({ ok: false, error: { code: 'busy', what: 'development commands' } });
    line.push(isRevert);
    const turn = running
      .then((): Promise<Outcome<Value>> => (stopping ? Promise.resolve(STOPPING) : run()))
      .finally(() => {
        line.shift();
        // The previous revert did not send it because another revert followed.
        if (isRevert && line[0] !== true) supervisor.send({ type: 'reverted' });
      });
    running = turn.catch(() => undefined);
    return turn;
  };
  const drop = (which: Dropped): Promise<Outcome<number>> =>
    inTurn(() => dropTransactions({ log, streams, mempool: admission.mempool.view, consensus }, which));
  const dropped = async (which: Dropped): Promise<Outcome<undefined>> => {
    const done = await drop(which);
    return done.ok ? { ok: true, value: undefined } : done;
  };
  const reset = async (): Promise<Outcome<undefined>> => {
    const back = await branches.toGenesis(() => time.toHost());
    if (!back.ok) return back;
    impersonation.clear();
    host.devKeys.restore();
    logging.isOn = true;
    quotes.gasPrice = undefined;
    clock.setInterval(undefined);
    instanceId.renew();
    const set = await consensus.setMining(started);
    // As after a first start, make block 1, except in manual mode.
    return !set.ok || started.kind === 'manual' ? set : mineBlock(consensus);
  };
  /** If a state is refused midway, revert its blocks, so that none of its accounts remains. */
  const load = async (dump: Uint8Array): Promise<Outcome<undefined>> => {
    const { height } = ledger.state;
    const loaded = await loadState({ ...transactions, time, limits, pause: () => host.timers.yield() }, dump);
    if (loaded.ok || ledger.state.height <= height || stopping) return loaded;
    const back = await branches.rollbackTo(height);
    return back.ok ? loaded : back;
  };
  const facts = (): DevFacts => ({
    takesTransactions: isEnabled({ store: latest }),
    hardFork: chain.version.evm.fork,
    instanceId: instanceId.value(),
    genesisTime: chain.genesis.time / NS_PER_SECOND,
    lastBlockWallTime: (log.blockAt(ledger.state.height)?.decided.time ?? 0n) / NS_PER_SECOND,
    snapshots: snapshots.heights,
  });

  return {
    mine: (blocks, timestamp, steps) => inTurn(() => time.mine(blocks, timestamp, steps)),
    increaseTime: (seconds) => inTurn(() => time.increase(seconds)),
    setNextBlockTimestamp: (timestamp) => inTurn(() => time.setNext(timestamp)),
    setTime: (timestamp) => inTurn(() => time.setTime(timestamp)),
    setTimestampInterval: (seconds) => inTurn(() => time.setInterval(seconds)),
    mining: () => consensus.view.mining(),
    setMining: (mining) => inTurn(() => consensus.setMining(mining.kind === 'instant' ? instant : mining)),
    setBalance: (accounts, balance) => inTurn(() => setBalance(transactions, accounts, balance)),
    addBalance: (accounts, amount) => inTurn(() => addBalance(transactions, accounts, amount)),
    setAccount: (address, edit) => inTurn(() => setAccount(transactions, address, edit)),
    setBlockFacts: (blockFacts) => inTurn(() => setBlockFacts(transactions, blockFacts)),
    expireClient: (clientId) => inTurn(() => expireClient(transactions, clientId)),
    packets: host.packets,
    chainBranches: host.chainBranches,
    snapshot: () => inTurn(() => snapshots.take()),
    revert: (id) => inTurn(() => branches.toSnapshot(id), true),
    rollback: (depth) => inTurn(() => branches.rollback(depth), true),
    rollbackTo: (height) => inTurn(() => branches.rollbackTo(height), true),
    async revertEnded() {
      while (supervisor.mode() === 'reverting') await firstValueFrom(signals.modes.heard);
    },
    reorganize: (depth, blocks) => inTurn(() => branches.reorganize(depth, blocks)),
    reset: () => inTurn(reset),
    async dropTransaction(hash) {
      const done = await drop({ kind: 'one', hash });
      return done.ok ? { ok: true, value: done.value > 0 } : done;
    },
    dropAllTransactions: () => dropped({ kind: 'all' }),
    dropTransactionsOf: (sender) => dropped({ kind: 'of', sender }),
    dumpState: () => inTurn(() => dumpState(foundation, consensus)),
    loadState: (dump) => inTurn(() => load(dump)),
    impersonation,
    logging,
    quotes,
    givenContracts: new GivenContracts(),
    facts,
    refuse() {
      stopping = true;
    },
    async stop() {
      stopping = true;
      await running;
    },
  };
}
