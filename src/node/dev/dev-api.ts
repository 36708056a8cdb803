import type { Consensus, Mining } from '../../actors/consensus/index.js';
import type { EthereumDevApi } from '../../core/ethereum/api.js';
import { invariant, NODE_STOPPING } from '../../core/errors.js';
import type { Outcome } from '../../core/node-api.js';
import { devRows, readSnapshots } from '../../store/dev/dev-rows.js';
import type { Foundation } from '../compose/foundation.js';
import type { ComposedMempool } from '../compose/mempool.js';
import { betweenBlocks } from './mine.js';
import { revert, type RevertOptions } from './revert.js';
import { TimeCommands } from './time-commands.js';
import { setAccount, setBalance, type DevTransactionOptions } from './transactions.js';

export interface DevApiOptions extends Omit<RevertOptions, 'foundation' | 'admission' | 'consensus'> {
  readonly foundation: Foundation;
  readonly admission: ComposedMempool;
  readonly consensus: Pick<Consensus, 'pause' | 'view' | 'setMining'>;
}

const STOPPING = { ok: false, error: NODE_STOPPING } as const;

export interface DevApi extends EthereumDevApi {
  /**
   * Refuses further commands, and resolves when the running one has ended; call it before the rest of the node stops.
   */
  stop(): Promise<void>;
}

/** The commands of dev mode over a running node, executed one after another in the order of the calls. */
export async function createDevApi(options: DevApiOptions): Promise<DevApi> {
  const { foundation, admission, consensus, clock } = options;
  const { host, limits, home, views } = foundation;
  const { log, store } = home;
  const { chain, ledger, latest } = views;
  const started = consensus.view.mining();
  const instant: Mining = started.kind === 'instant' ? started : { kind: 'instant', heartbeatMs: undefined };
  let stopping = false;
  const time = new TimeCommands({ log, ledger, clock, consensus, isStopping: () => stopping });
  const transactions: DevTransactionOptions = {
    chain: chain.chain,
    crypto: host.crypto,
    latest,
    ledger,
    consensus,
    broadcast: (tx) => admission.mempool.broadcast(tx),
  };
  const { lastId: last, heights: kept } = await readSnapshots(store);
  const snapshots = new Map(kept);
  let lastId = last;

  let running: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const inTurn = <Value>(run: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> => {
    if (waiting >= limits.devWaiting)
      return Promise.resolve({ ok: false, error: { code: 'busy', what: 'development commands' } });
    waiting += 1;
    const turn = running
      .then((): Promise<Outcome<Value>> => (stopping ? Promise.resolve(STOPPING) : run()))
      .finally(() => {
        waiting -= 1;
      });
    running = turn.catch(() => undefined);
    return turn;
  };

  const take = async (): Promise<Outcome<bigint>> => {
    if (snapshots.size >= limits.devSnapshots)
      return { ok: false, error: { code: 'limit-exceeded', limit: 'devSnapshots', maximum: limits.devSnapshots } };
    const id = lastId + 1n;
    // The client has not seen the state of a block in flight.
    const taken = await betweenBlocks(consensus, async () => {
      const { height } = ledger.state;
      const event = { type: 'SnapshotTaken', v: 1, data: { id, height } } as const;
      await log.append([{ event }], (first) => devRows(event, first));
      return { ok: true, value: height };
    });
    if (!taken.ok) return taken;
    lastId = id;
    snapshots.set(id, taken.value);
    return { ok: true, value: id };
  };

  const goTo = async (id: bigint): Promise<Outcome<boolean>> => {
    const height = snapshots.get(id);
    if (height === undefined) return { ok: true, value: false };
    invariant(height <= ledger.state.height, 'a snapshot lies on the present branch');
    const usedUp = [...snapshots.keys()].filter((other) => other >= id);
    const done = await revert(options, { height, snapshot: id, usedUp });
    if (!done.ok) return done;
    for (const used of usedUp) snapshots.delete(used);
    return { ok: true, value: true };
  };

  return {
    mine: (blocks, timestamp, interval) => inTurn(() => time.mine(blocks, timestamp, interval)),
    increaseTime: (seconds) => inTurn(() => time.increase(seconds)),
    setBalance: (address, balance) => inTurn(() => setBalance(transactions, address, balance)),
    setNextBlockTimestamp: (timestamp) => inTurn(() => time.setNext(timestamp)),
    setTime: (timestamp) => inTurn(() => time.setTime(timestamp)),
    mining: () => consensus.view.mining(),
    setMining: (mining) => inTurn(() => consensus.setMining(mining.kind === 'instant' ? instant : mining)),
    setAccount: (address, edit) => inTurn(() => setAccount(transactions, address, edit)),
    snapshot: () => inTurn(take),
    revert: (id) => inTurn(() => goTo(id)),
    async stop() {
      stopping = true;
      await running;
    },
  };
}
