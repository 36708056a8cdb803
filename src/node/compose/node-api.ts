import type { ConsensusView } from '../../actors/consensus/index.js';
import type { UpgradeView } from '../../actors/upgrade-keeper/index.js';
import { abciAnswer } from '../../adapters/services/abci.js';
import type { ChainFacts } from '../../adapters/services/chain-facts.js';
import type { ServiceTable } from '../../adapters/services/index.js';
import type { PruningOptions } from '../../config/daemon-options.js';
import { ed25519Address } from '../../core/comet/address.js';
import { indexOfAddress } from '../../core/comet/validator-set.js';
import { COMET_VERSION } from '../../core/comet/versions.js';
import { protocolVersion } from '../../core/modules/upgrade/plan-store.js';
import type { BlockContext } from '../../core/application-requests.js';
import type { EngineQueries } from '../../core/comet/engine-queries.js';
import type { NodeApi } from '../../core/node-api.js';
import { createAbciQuery } from '../api/abci-query.js';
import { createAppQueries } from '../api/app-queries.js';
import { checksInTurns } from '../api/check-turns.js';
import { heightRoundStep } from '../api/height-round-step.js';
import { generateKey, nodeId } from '../../runtime/home/home.js';
import { onFirstCall } from '../../core/on-first-call.js';
import type { Pool } from '../../runtime/pool/pool.js';
import { VERSION } from '../../runtime/host/version.js';
import type { ExecutionParts } from './execution.js';
import type { Foundation } from './foundation.js';
import type { ComposedMempool } from './mempool.js';
import type { ComposedPush } from './push.js';

/** The parts of a node from which the API for adapters is composed. */
export interface NodeApiParts {
  readonly admission: ComposedMempool;
  readonly execution: Pick<ExecutionParts, 'executor' | 'evidence'>;
  readonly upgrades: UpgradeView;
  readonly producer: Pick<ConsensusView, 'roundState'>;
  readonly pool: Pool;
  readonly push: Pick<ComposedPush, 'commits'>;
  readonly trial: () => BlockContext;
  readonly engine: EngineQueries | undefined;
}

export interface ComposedApi {
  readonly api: NodeApi;
  /** The gRPC methods, for every face that serves them; created on the first call. */
  readonly services: () => Promise<ServiceTable>;
  /** Sets the bound port of the consensus RPC, for /status. */
  listening(port: number): void;
}

/** Length of a node id, which is the address of a public key (CometBFT v0.38 `p2p/key.go`). */
const NODE_ID_BYTES = 20;
/** CometBFT's default address for peers. No socket listens there, but cosmjs refuses a status without an address. */
const NO_PEERS_ADDRESS = 'tcp://127.0.0.1:26656';

const EVIDENCE_BELONGS_TO_ENGINE = {
  kind: 'refused',
  reason: 'the consensus engine of this node takes evidence: use its RPC',
} as const;

/** Composes the API that adapters use. */
export function composeApi(
  { options, host, limits, supervision, home, views }: Foundation,
  {
    admission,
    execution: { executor, evidence },
    upgrades,
    producer,
    pool,
    push: { commits },
    trial,
    engine,
  }: NodeApiParts,
): ComposedApi {
  const { crypto } = host;
  const { store, signer } = home;
  const { chain, ledger, latest } = views;
  const { application } = chain;
  const { mempool, checkState } = admission;
  const id = options.ephemeral
    ? Buffer.from(host.randomness.bytes(NODE_ID_BYTES)).toString('hex')
    : nodeId(home.paths.nodeKey, crypto, () => generateKey(host));
  const app = createAppQueries({
    store,
    ledger,
    application,
    trial,
    limits,
    beside: {
      query: (path, data, at) => pool.run({ kind: 'query', path, data }, at),
      list: (path, data, at) => pool.run({ kind: 'list', path, data }, at),
      simulate: (tx, at) => pool.run({ kind: 'simulate', tx }, at),
    },
  });
  const abciQuery = createAbciQuery({
    store,
    ledger,
    executor,
    version: VERSION,
    queries: app,
    nodeService: async (path) => {
      const method = (await services()).methods.get(path);
      return method?.nodeLevel === true
        ? async (data, height) => abciAnswer(await method.call(data, height))
        : undefined;
    },
    storeNames: new Set(chain.storeNames),
  });
  let rpcAddress = `tcp://${options.listen.comet.host}:${options.listen.comet.port}`;
  const api: NodeApi = {
    commands: {
      ...checksInTurns(
        {
          broadcastTx: (tx) => mempool.broadcast(tx),
          checkTx: (tx) => Promise.resolve({ ok: true, value: application.checkTx(checkState(), tx) }),
        },
        host.timers,
      ),
      broadcastEvidence: (offence) =>
        options.engine === undefined ? evidence.add(offence) : EVIDENCE_BELONGS_TO_ENGINE,
    },
    queries: {
      chain: ledger,
      app,
      status: () => {
        const index = indexOfAddress(ledger.state.validators, ed25519Address(crypto, signer.publicKey));
        const mode = supervision.supervisor.mode();
        return {
          moniker: options.moniker,
          nodeId: id,
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
      engine,
      unconfirmedTxs: () => {
        const txs = mempool.view.entries('pending').map(({ tx }) => tx);
        return { txs, totalBytes: BigInt(txs.reduce((bytes, tx) => bytes + tx.length, 0)) };
      },
      roundState: () => heightRoundStep(producer.roundState(), ledger.state.height),
    },
    feeds: {
      onCommit(listener) {
        const subscription = commits.subscribe(listener);
        return () => subscription.unsubscribe();
      },
    },
  };
  const services = onFirstCall(async () => {
    const { createServices, describeFiles } = await import('../../adapters/services/index.js');
    await describeFiles(() => host.timers.yield());
    const { bech32Prefix, minGasPrice, baseDenom } = chain.chain;
    return createServices({
      api,
      limits,
      timers: host.timers,
      facts: {
        application: { name: 'chronicled', version: VERSION },
        bech32Prefix,
        minimumGasPrice: minGasPrice === 0n ? '' : `${minGasPrice}${baseDenom}`,
        pruning: customPruning(options.pruning),
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

/** The numbers of the configuration, which apply only to the strategy `custom`. */
function customPruning({ strategy, keepRecent = 0n, interval }: PruningOptions): ChainFacts['pruning'] {
  return strategy === 'custom' ? { keepRecent, interval } : { keepRecent: 0n, interval: 0n };
}
