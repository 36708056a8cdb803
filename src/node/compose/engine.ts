import { fromBinary } from '@bufbuild/protobuf';
import type { Mempool } from '../../actors/mempool/mempool.js';
import type { EngineOptions } from '../../core/config/daemon-options.js';
import { readGenesis } from '../../core/app/chain-of-genesis.js';
import type { NodeApi } from '../../core/node-api.js';
import { ValidatorSetSchema } from '../../core/proto/tendermint/types/validator_pb.js';
import { EngineApplication } from '../abci/engine-application.js';
import { engineRpc } from '../abci/engine-rpc.js';
import type { OutsideProducer } from '../abci/outside-producer.js';
import { Relay } from '../abci/relay.js';
import type { Execution } from './execution.js';
import type { Foundation } from './foundation.js';

export interface EngineParts {
  readonly mempool: Mempool;
  readonly execution: Pick<Execution, 'outside'>;
  readonly producer: OutsideProducer;
  readonly api: Pick<NodeApi, 'queries'>;
}

/** The node as the application of a consensus engine in another process. */
export function composeEngine(
  { host, undo, views }: Foundation,
  engine: EngineOptions,
  { mempool, execution, producer, api }: EngineParts,
): EngineApplication {
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
  streams.tell('relay', () => relay.wake());
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
  });
}
