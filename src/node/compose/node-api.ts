import type { Observable } from 'rxjs';
import type { ConsensusView } from '../../actors/consensus/index.js';
import type { Mempool } from '../../actors/mempool/mempool.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { UpgradeView } from '../../actors/upgrade-keeper/index.js';
import { abciAnswer } from '../../adapters/services/abci.js';
import type { ServiceTable } from '../../adapters/services/index.js';
import { ed25519Address } from '../../core/comet/address.js';
import { indexOfAddress } from '../../core/comet/validator-set.js';
import type { CheckState } from '../../core/application.js';
import type { DaemonOptions } from '../../core/config/daemon-options.js';
import type { Limits } from '../../core/limits.js';
import { protocolVersion } from '../../core/modules/upgrade/plan-store.js';
import type { CommitEvents, NodeApi } from '../../core/node-api.js';
import type { ConsensusSigner, Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { StateReader } from '../../core/state/state.js';
import { createAbciQuery } from '../api/abci-query.js';
import { createAppQueries } from '../api/app-queries.js';
import { roundPlace } from '../api/round-place.js';
import type { Ledger } from '../chain/ledger.js';
import type { OpenedChain } from '../chain/open-chain.js';
import type { Executor } from '../executor/executor.js';
import { lazily } from '../lazily.js';
import type { Pool } from '../pool/pool.js';
import { VERSION } from '../version.js';
import type { ActorId } from './actor-ids.js';

export interface NodeApiOptions {
  readonly options: Pick<DaemonOptions, 'moniker' | 'listen'>;
  readonly nodeId: string;
  readonly store: KeyValueStore;
  readonly chain: OpenedChain;
  readonly ledger: Ledger;
  /** The state after the head. */
  readonly latest: StateReader;
  readonly executor: Executor;
  readonly pool: Pool;
  readonly mempool: Pick<Mempool, 'broadcast' | 'view'>;
  /** A new check state over the state after the head. */
  readonly checkState: () => CheckState;
  readonly producer: Pick<ConsensusView, 'roundState'>;
  readonly supervisor: Pick<Supervisor<ActorId>, 'mode'>;
  readonly upgrades: UpgradeView;
  readonly signer: ConsensusSigner;
  readonly commits: Observable<CommitEvents>;
  readonly crypto: Crypto;
  readonly limits: Limits;
}

export interface ComposedApi {
  readonly api: NodeApi;
  /** The gRPC methods, for every face that serves them; made when one of them is asked. */
  readonly services: () => Promise<ServiceTable>;
  /** Tells the port that the consensus RPC was bound to, for /status. */
  listening(port: number): void;
}

/** Version that consensus clients see; cosmjs chooses its client by the first two numbers. */
const COMET_VERSION = '0.38.21';
/** CometBFT's default address for peers. No socket listens there, but cosmjs refuses a status without an address. */
const NO_PEERS_ADDRESS = 'tcp://127.0.0.1:26656';

/** All that an adapter may touch of a node. */
export function composeApi(parts: NodeApiOptions): ComposedApi {
  const {
    options,
    store,
    chain,
    ledger,
    latest,
    executor,
    pool,
    producer,
    supervisor,
    upgrades,
    signer,
    commits,
    crypto,
    limits,
  } = parts;
  const { application } = chain;
  const { mempool, checkState } = parts;
  const app = createAppQueries({
    store,
    ledger,
    application,
    limits,
    beside: {
      query: (path, data, at) => pool.run({ kind: 'query', path, data }, at),
      simulate: (tx, at) => pool.run({ kind: 'simulate', tx }, at),
    },
  });
  const abciQuery = createAbciQuery({
    store,
    ledger,
    executor,
    version: VERSION,
    queries: app,
    nodeService: async (path, data, height) => {
      const method = (await services()).methods.get(path);
      return method?.nodeLevel === true ? abciAnswer(await method.call(data, height)) : undefined;
    },
    storeNames: new Set(chain.storeNames),
  });
  let rpcAddress = `tcp://${options.listen.comet.host}:${options.listen.comet.port}`;
  const api: NodeApi = {
    commands: {
      broadcastTx: (tx) => mempool.broadcast(tx),
      checkTx: (tx) => Promise.resolve({ ok: true, value: application.checkTx(checkState(), tx) }),
    },
    queries: {
      chain: ledger,
      app,
      status: () => {
        const index = indexOfAddress(ledger.state.validators, ed25519Address(crypto, signer.publicKey));
        const mode = supervisor.mode();
        return {
          moniker: options.moniker,
          nodeId: parts.nodeId,
          version: COMET_VERSION,
          listenAddress: NO_PEERS_ADDRESS,
          rpcAddress,
          validator: ledger.state.validators.validators[index],
          catchingUp: false,
          mode: mode === 'halted' ? 'halted' : mode === 'draining' ? 'draining' : 'running',
          halt: upgrades.halt(),
          appVersion: protocolVersion(latest),
        };
      },
      abciQuery,
      unconfirmedTxs: () => {
        const txs = mempool.view.entries('pending').map(({ tx }) => tx);
        return { txs, totalBytes: BigInt(txs.reduce((bytes, tx) => bytes + tx.length, 0)) };
      },
      roundState: () => roundPlace(producer.roundState(), ledger.state.height),
    },
    feeds: {
      onCommit(listener) {
        const subscription = commits.subscribe(listener);
        return () => subscription.unsubscribe();
      },
    },
  };
  const services = lazily(async () => {
    const { createServices } = await import('../../adapters/services/index.js');
    const { bech32Prefix, minGasPrice, baseDenom } = chain.chain;
    return createServices({
      api,
      limits,
      facts: {
        application: { name: 'chronicled', version: VERSION },
        bech32Prefix,
        minimumGasPrice: minGasPrice === 0n ? '' : `${minGasPrice}${baseDenom}`,
      },
    });
  });
  return {
    api,
    services,
    listening(port) {
      rpcAddress = `tcp://${options.listen.comet.host}:${port}`;
    },
  };
}
