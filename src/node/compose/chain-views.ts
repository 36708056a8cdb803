import { genesisHeight } from '../../core/genesis/genesis-height.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import type { Limits } from '../../core/limits/limits.js';
import { blockRules } from '../../core/modules/evm/block-rules.js';
import { handlersOf } from '../../core/modules/upgrade/handlers.js';
import { NS_PER_SECOND, toHeight, type Height } from '../../core/primitives.js';
import { CachedState } from '../../core/state/cached-state.js';
import { EMPTY_STATE } from '../../core/state/overlay.js';
import type { EthereumBlock } from '../../core/ethereum/block-view.js';
import type { StateReader } from '../../core/state/state.js';
import { createStateReader } from '../../store/state/latest.js';
import { readStateAt } from '../../store/state/query-reader.js';
import { Indexer } from '../../runtime/chain/indexer.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { prunableBlocks, prunableRecords } from '../../runtime/pruning/prune-blocks.js';
import { RecordPruning } from '../../runtime/pruning/prune-records.js';
import { Pruner, prunableStates } from '../../runtime/pruning/pruner.js';
import { Ledger } from '../../runtime/chain/ledger.js';
import { firstEvent, openChain, type NewChain, type OpenedChain } from '../../runtime/chain/open-chain.js';
import { firstHeight } from '../../runtime/chain/restored-chain.js';
import { refuseLostSigners } from '../../runtime/chain/older-chain.js';
import { createSearches } from '../../runtime/chain/searches.js';
import { openPending, type OpenedPending } from '../../runtime/chain/pending.js';
import { EthereumBlocks } from '../ethereum/blocks.js';
import { createGasPrices, type GasPrices } from '../ethereum/gas-prices.js';
import type { ApplicationOptions } from '../../runtime/executor/application-options.js';
import type { NodeHost } from './node-host.js';
import type { OpenHome } from './open-home.js';
import type { Supervision } from './supervision.js';
import type { Undo } from './undo.js';
import { connectLog, type NodeStreams } from './wiring.js';
import { findPreset } from '../../runtime/load-preset.js';

export interface ChainViewsOptions {
  readonly options: DaemonOptions;
  readonly host: NodeHost;
  readonly limits: Limits;
  readonly undo: Undo;
  readonly supervision: Pick<Supervision, 'fail'>;
  readonly home: Pick<OpenHome, 'store' | 'log'>;
  /** Builds the chain of the genesis, for an empty log. */
  readonly newChain: () => Promise<NewChain>;
}

/** The current chain, the streams of its log, and the views derived from it. */
export interface ChainViews extends OpenedPending {
  readonly chain: OpenedChain;
  readonly streams: NodeStreams;
  readonly ledger: Ledger;
  /** Cache of values of the state after the head. */
  readonly committed: CachedState;
  /** The state after the head. */
  readonly latest: StateReader;
  readonly indexer: Indexer;
  readonly pruner: Pruner;
  readonly records: RecordPruning;
  /** Gas prices of the next block. */
  readonly prices: GasPrices;
  /** The chain as Ethereum blocks; undefined for an application without an EVM. */
  readonly ethereumBlocks: EthereumBlocks | undefined;
  /** A block in Ethereum form. */
  readonly ethereumBlock: (height: Height) => EthereumBlock | undefined;
  /** Options for the application in the executor's and the pool's threads. */
  readonly applicationOptions: ApplicationOptions;
  /** Enables the upgrade handlers that a restored state has already applied. */
  adoptHandlers(state: StateReader): void;
}

/**
 * Opens the views of the chain: ledger, state cache, history, indexer. Creates the chain from its genesis if the log
 * is empty.
 */
export async function openChainViews({
  options,
  host,
  limits,
  undo,
  supervision,
  home,
  newChain,
}: ChainViewsOptions): Promise<ChainViews> {
  const { crypto, timers } = host;
  const { store, log } = home;
  const committed = new CachedState(createStateReader(store, 'latest'), limits.stateCacheValues);
  const latest = { ...EMPTY_STATE, get: (name: string, key: Uint8Array) => committed.get(name, key) };
  const named = await findPreset(log.head().position === 0n ? options.preset : (await firstEvent(log)).preset);
  const chosen = await readStateAt(
    store,
    'latest',
    (state) => {
      refuseLostSigners(state);
      return named === undefined ? [] : handlersOf(named, state, options.appVersion);
    },
    limits,
  );
  if (!chosen.ok) throw new Error(`the upgrades of the chain cannot be read: ${chosen.error.code}`);
  const handlers = new Set(chosen.value);
  const skipUpgradeHeights = options.unsafeSkipUpgrades.map(toHeight);
  const chain = await openChain({
    store,
    log,
    crypto,
    handlers,
    skipUpgradeHeights,
    minGasPrice: options.minGasPrice,
    invariantPeriod: options.invariantPeriod,
    named: options.named,
    newChain,
  });
  const { started, history, version } = chain;
  const first = (): Height => firstHeight(log, started);
  const streams = connectLog(log, (consumer, error) =>
    supervision.fail(`${consumer} failed at a record of the log`, error),
  );
  /** The first indexed height. */
  const indexed = (): Height => {
    const { lowest } = blocksFloor(store);
    return lowest > first() ? lowest : first();
  };
  const indexer = new Indexer({ store, log, first: indexed, timers, limits });
  undo.push(() => indexer.idle());
  const searches = createSearches({ store, log, lowest: () => ledger.earliestHeight(), limits, indexer, timers });
  const position = () => streams.head();
  const { time: genesisTime } = chain.genesis;
  const ledger = new Ledger({
    store,
    log,
    history,
    crypto,
    started,
    genesisTime,
    state: chain.state,
    searches,
    position,
  });
  const waiting = await openPending({ log, store, crypto });
  const records = new RecordPruning({
    store,
    crypto,
    log,
    history,
    first,
    requestPoolCheckpoint: () => waiting.checkpoint.ask(),
  });
  const pruner = new Pruner({
    prunables: [
      prunableStates(options.pruning, store, genesisHeight(started.initialHeight), () => records.reading),
      prunableBlocks({ kept: options.retained, store, crypto, log, ledger, first }),
      prunableRecords(options.retained, records),
    ],
    log,
    timers,
    onFailure: (error) => supervision.fail('pruning failed', error),
  });
  undo.push(() => pruner.stop());
  undo.push(() => waiting.checkpoint.idle());
  const { application, genesis } = chain;
  const prices = createGasPrices(application, latest, ledger, chain.chain.minGasPrice);
  const { time, baseFee: baseFeePerGas, maxGas, hash } = genesis;
  const blockZero = { timestamp: time / NS_PER_SECOND, baseFeePerGas, maxGas, hash };
  const prevRandao = blockRules.of({ version }).shownPrevRandao;
  const ethereumBlocks =
    application.ethereum &&
    new EthereumBlocks({ chain: ledger, store, crypto, limits, genesis: blockZero, prevRandao });
  return {
    chain,
    streams,
    ledger,
    committed,
    latest,
    indexer,
    pruner,
    records,
    prices,
    ethereumBlocks,
    ethereumBlock: (height) => ethereumBlocks?.block(height),
    applicationOptions: {
      preset: started.preset,
      chain: chain.chain,
      get handlers() {
        return [...handlers];
      },
      skipUpgradeHeights,
    },
    adoptHandlers(state) {
      handlers.clear();
      for (const name of handlersOf(version, state, options.appVersion)) handlers.add(name);
    },
    ...waiting,
  };
}
