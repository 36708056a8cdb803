import type { EngineQueries } from '../../core/comet/engine-queries.js';
import type { ConsensusView } from '../../actors/consensus/index.js';
import type { FilterManager } from '../../actors/filter-manager/index.js';
import type { Mempool } from '../../actors/mempool/mempool.js';
import type { SupervisorMode } from '../../actors/supervisor/supervisor.js';
import type { UpgradeView } from '../../actors/upgrade-keeper/index.js';
import { DISK_FULL, NODE_STOPPING } from '../../core/errors.js';
import type { BlockContext } from '../../core/application-requests.js';
import type { BlockClock } from '../../core/chain/block-clock.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { Foundation } from '../compose/foundation.js';
import type { ComposedPush } from '../compose/push.js';
import type { Pool } from '../../runtime/pool/pool.js';
import type { DevApi } from '../dev/dev-api.js';
import { createEthereumApi } from './ethereum-api.js';
import { PendingBlocks } from './pending-blocks.js';
import { SenderRecovery } from '../../runtime/recovery/sender-recovery.js';
import { SendsInBlocks } from './sends-in-blocks.js';

/** The parts of a node that the Ethereum API needs. */
export interface EthereumParts {
  readonly mempool: Pick<Mempool, 'broadcast' | 'view'>;
  readonly producer: Pick<ConsensusView, 'isInstant'>;
  readonly upgrades: Pick<UpgradeView, 'halt'>;
  readonly push: Pick<ComposedPush, 'commits'>;
  readonly pool: Pool;
  readonly filters: Pick<FilterManager, 'filters'>;
  /** undefined outside dev mode. */
  readonly dev: DevApi | undefined;
  readonly trial: () => BlockContext;
  /** The clock of dev mode; undefined outside of dev mode, where the block tag `pending` means the head. */
  readonly clock: BlockClock | undefined;
  readonly engine: EngineQueries | undefined;
}

/** The Ethereum part of a node, for its face and for dev commands. */
export interface ComposedEthereum {
  readonly api: EthereumApi;
  readonly senders: Pick<SenderRecovery, 'stop'>;
  readonly sends: Pick<SendsInBlocks, 'stop'>;
}

/** Composes the Ethereum part; undefined for an application without an EVM. */
export function composeEthereum(
  { options, host, limits, supervision, home: { store }, views }: Foundation,
  { mempool, producer, upgrades, push, pool, filters, dev, trial, clock, engine }: EthereumParts,
): ComposedEthereum | undefined {
  const { crypto, timers } = host;
  const { evmChainId } = views.chain.chain;
  const senders = new SenderRecovery({ crypto, evmChainId, timers, limits, start: host.startRecoveryThread });
  const sends = new SendsInBlocks({
    pool: mempool.view,
    isMined: (hash) => views.ledger.place(hash) !== undefined,
    isInstant: () => options.instamine === 'eager' && producer.isInstant(),
    standstill: () => standstillOf(supervision.supervisor.mode(), upgrades),
    commits: push.commits,
    timers,
    limits,
  });
  const { ethereumBlocks: blocks, ledger, latest, chain } = views;
  const fillsByGasUsed = chain.version.blockLimit === 'gas used';
  const isByCommand = (): boolean => dev?.mining().kind === 'manual';
  const pending =
    clock &&
    blocks &&
    new PendingBlocks({
      crypto,
      ledger,
      latest,
      blocks,
      mempool: mempool.view,
      pool,
      clock,
      isByCommand,
      limits,
      fillsByGasUsed,
    });
  const api = createEthereumApi({
    views,
    store,
    crypto,
    senders,
    limits,
    mempool,
    sends,
    commits: push.commits,
    pool,
    filters: filters.filters,
    keys: host.devKeys,
    dev,
    pending,
    trial,
    engine,
    allowUnprotected: options.mode === 'dev' && options.jsonRpc.allowUnprotectedTxs,
    txFeeCap: options.jsonRpc.txFeeCap,
  });
  return api && { api, senders, sends };
}

/** Why a node in this mode makes no blocks; undefined while it makes them or will resume soon. */
function standstillOf(mode: SupervisorMode, { halt }: Pick<UpgradeView, 'halt'>): string | undefined {
  switch (mode) {
    case 'booting':
    case 'replaying':
    case 'running':
    case 'reverting':
      return undefined;
    case 'diskFull':
      return DISK_FULL.reason;
    case 'halted': {
      const plan = halt();
      return plan === undefined
        ? 'the chain is halted'
        : `the chain waits for the upgrade ${JSON.stringify(plan.name)} at height ${plan.height}`;
    }
    case 'draining':
    case 'stopped':
      return NODE_STOPPING.reason;
  }
}
