import type { FilterManager } from '../../actors/filter-manager/index.js';
import type { Mempool } from '../../actors/mempool/mempool.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { Foundation } from '../compose/foundation.js';
import type { ComposedPush } from '../compose/push.js';
import type { Pool } from '../pool/pool.js';
import type { DevApi } from '../dev/dev-api.js';
import { createEthereumApi } from './ethereum-api.js';
import { SenderRecovery } from './sender-recovery.js';

/** The parts of a node that the Ethereum face asks. */
export interface EthereumParts {
  readonly mempool: Pick<Mempool, 'broadcast' | 'view'>;
  readonly push: Pick<ComposedPush, 'commits'>;
  readonly pool: Pool;
  readonly filters: Pick<FilterManager, 'filters'>;
  /** undefined outside dev mode. */
  readonly dev: DevApi | undefined;
}

/** The Ethereum side of a node, for its face and for dev commands. */
export interface ComposedEthereum {
  readonly api: EthereumApi;
  readonly senders: Pick<SenderRecovery, 'stop'>;
}

/** Composes the Ethereum side; undefined for an application without an EVM. */
export function composeEthereum(
  { options, host, limits, home: { store }, views }: Foundation,
  { mempool, push, pool, filters, dev }: EthereumParts,
): ComposedEthereum | undefined {
  const { crypto, timers } = host;
  const { evmChainId } = views.chain.chain;
  const senders = new SenderRecovery({ crypto, evmChainId, timers, limits, start: host.startRecoveryThread });
  const api = createEthereumApi({
    views,
    store,
    crypto,
    senders,
    limits,
    mempool,
    commits: push.commits,
    pool,
    filters: filters.filters,
    keys: host.devKeys,
    dev,
    allowUnprotected: options.mode === 'dev' && options.jsonRpc.allowUnprotectedTxs,
  });
  return api && { api, senders };
}
