import { fromBinary } from '@bufbuild/protobuf';
import type { Mempool } from '../../actors/mempool/mempool.js';
import { upperHex } from '../../core/bytes/hex.js';
import { txHash } from '../../core/comet/body-hash.js';
import type { EngineOptions } from '../../config/daemon-options.js';
import { readGenesis } from '../../core/app/chain-of-genesis.js';
import type { EngineQueries } from '../../core/comet/engine-queries.js';
import type { NodeApi } from '../../core/node-api.js';
import { ValidatorSetSchema } from '../../core/proto/tendermint/types/validator_pb.js';
import { EngineApplication } from '../abci/engine-application.js';
import { createEngineQueries } from '../abci/engine-queries.js';
import { engineRpc } from '../abci/engine-rpc.js';
import type { OutsideProducer } from '../abci/outside-producer.js';
import { Relay } from '../abci/relay.js';
import { composeSnapshots } from './snapshots.js';
import type { ExecutionParts } from './execution.js';
import type { Foundation } from './foundation.js';

/** Composes the queries to the engine's RPC. */
export function composeEngineQueries({ host, views }: Foundation, engine: EngineOptions): EngineQueries {
  return createEngineQueries({ crypto: host.crypto, chain: views.ledger, post: engineRpc(engine) });
}

export interface EngineParts {
  readonly mempool: Mempool;
  readonly execution: Pick<ExecutionParts, 'outside' | 'executor' | 'checkpointer'>;
  readonly producer: OutsideProducer;
  readonly api: Pick<NodeApi, 'queries'>;
}

/** Composes the node as the application of an external consensus engine. */
export function composeEngine(
  foundation: Foundation,
  engine: EngineOptions,
  { mempool, execution, producer, api }: EngineParts,
): EngineApplication {
  const { options, host, undo, views } = foundation;
  const { crypto, timers, log } = host;
  const { chain, ledger, latest, streams } = views;
  const { started, application } = chain;
  const relay = new Relay({
    pool: mempool.view,
    post: engineRpc(engine),
    timers,
    log,
  });
  undo.push(() => relay.stop());
  streams.subscribe('relay', (message) => {
    if (message.type === 'executed') return relay.wake();
    for (const { tx } of message.entries) relay.admitted(upperHex(txHash(crypto, tx)));
  });
  return new EngineApplication({
    crypto,
    application,
    genesis: readGenesis(started.genesis),
    genesisValidators: fromBinary(ValidatorSetSchema, started.validators),
    chain: () => ledger.state,
    latest,
    mempool,
    blocks: execution.outside,
    producer,
    relay,
    abciQuery: (query) => api.queries.abciQuery(query),
    retainBlocks: engine.retainBlocks,
    snapshotBlocks: options.snapshots.interval * BigInt(options.snapshots.keepRecent),
    snapshots: composeSnapshots(foundation, execution),
  });
}
