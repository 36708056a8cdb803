import type { Observable } from 'rxjs';
import { createFilterManager, type FilterManager } from '../../actors/filter-manager/index.js';
import type { Mempool } from '../../actors/mempool/mempool.js';
import type { Application } from '../../core/application.js';
import type { ChainConfig } from '../../core/sdk/chain-config.js';
import type { EthereumApi, EthereumDevApi } from '../../core/ethereum/api.js';
import { contentOf } from '../../core/ethereum/content.js';
import type { Limits } from '../../core/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Clock, Randomness, Timers } from '../../core/ports/time.js';
import type { StateReader } from '../../core/state/state.js';
import type { EventLog } from '../../store/event-log.js';
import { filterRow, forgetFilter, readFilters } from '../../store/filters/filters.js';
import type { Admitted, Hearing } from '../../streams/index.js';
import type { Ledger } from '../chain/ledger.js';
import type { PublishedCommit } from '../push/shown-commits.js';
import type { Pool } from '../pool/pool.js';
import { EthereumBlocks, type EthereumBlocksOptions } from './blocks.js';
import type { DevKeys } from './dev-keys.js';
import { createEthereumApi } from './ethereum-api.js';
import type { GasPrices } from './gas-prices.js';
import { readAdmissions } from './history.js';
import { SenderRecovery, type SenderRecoveryOptions } from './sender-recovery.js';

export interface EthereumOptions {
  readonly application: Application;
  readonly chain: ChainConfig;
  readonly ledger: Ledger;
  readonly log: EventLog;
  readonly store: KeyValueStore;
  readonly latest: StateReader;
  readonly mempool: Pick<Mempool, 'broadcast' | 'view'>;
  readonly hearing: Hearing<Admitted>;
  readonly commits: Observable<PublishedCommit>;
  readonly crypto: Crypto;
  /** Passes as the timers do. */
  readonly clock: Clock;
  readonly timers: Timers;
  readonly randomness: Randomness;
  readonly limits: Limits;
  readonly genesis: EthereumBlocksOptions['genesis'];
  readonly pool: Pool;
  readonly prices: GasPrices;
  readonly keys: DevKeys;
  readonly dev: EthereumDevApi | undefined;
  readonly startRecoveryThread: SenderRecoveryOptions['start'];
}

/** The Ethereum side of a node, for its face and for dev commands. */
export interface ComposedEthereum {
  readonly api: EthereumApi;
  readonly blocks: EthereumBlocks;
  readonly filters: FilterManager;
  readonly senders: Pick<SenderRecovery, 'stop'>;
}

/** Composes the Ethereum side; undefined for an application without an EVM. */
export function composeEthereum(options: EthereumOptions): ComposedEthereum | undefined {
  const { ledger, log, store, crypto, limits, application, chain } = options;
  const blocks = new EthereumBlocks({ chain: ledger, store, crypto, limits, genesis: options.genesis });
  const filters = createFilterManager({
    limits,
    timers: options.timers,
    clock: options.clock,
    randomness: options.randomness,
    hearing: options.hearing,
    head: () => ledger.head(),
    executedAt: (height) => log.recordOf(height)?.executed?.position,
    hashOf: (tx) => contentOf(crypto, tx)?.hash,
    append: async (events, { put, forget }) => {
      await log.append(
        events.map((event) => ({ event })),
        [...put.map(filterRow), ...forget.map(forgetFilter)],
      );
    },
    writeRows: (rows) => store.commit(rows.map(filterRow), { sync: false }),
    readRows: () => readFilters(store),
    admissions: (from, through, maximum) => readAdmissions(log, crypto, { from, through, maximum }),
  });
  const { evmChainId } = chain;
  const senders = new SenderRecovery({
    crypto,
    evmChainId,
    timers: options.timers,
    limits,
    start: options.startRecoveryThread,
  });
  const api = createEthereumApi({
    application,
    ledger,
    store,
    latest: options.latest,
    crypto,
    blocks,
    limits,
    mempool: options.mempool,
    commits: options.commits,
    pool: options.pool,
    filters: filters.filters,
    evmChainId,
    senders,
    baseDenom: chain.baseDenom,
    keys: options.keys,
    dev: options.dev,
    prices: options.prices,
  });
  return api === undefined ? undefined : { api, blocks, filters, senders };
}
