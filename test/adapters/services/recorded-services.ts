/** The services over the recorded chain: its log written into an empty store, and the application that reads it. */
import { fromBinary } from '@bufbuild/protobuf';
import { createServices, abciAnswer, type ServiceTable } from '../../../src/adapters/services/index.js';
import { createApplication } from '../../../src/core/app/create-application.js';
import { evmd } from '../../../src/core/app/presets.js';
import type { ChainState } from '../../../src/core/chain/chain-state.js';
import { validatorFromJson } from '../../../src/core/comet/json/validator-json.js';
import { fromHex, upperHex } from '../../../src/core/bytes/hex.js';
import { parseTime } from '../../../src/core/comet/time.js';
import { sortedSet } from '../../../src/core/comet/validator-set.js';
import { invariant } from '../../../src/core/errors.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import type { ChainStarted } from '../../../src/core/log-events.js';
import type { NodeApi, Outcome } from '../../../src/core/node-api.js';
import { toHeight, toPosition, type Height } from '../../../src/core/primitives.js';
import type { ResponseCheckTx } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { blockIdFromJson } from '../../../src/core/comet/json/block-id-json.js';
import { ConsensusParamsSchema } from '../../../src/core/proto/tendermint/types/params_pb.js';
import { createAbciQuery } from '../../../src/node/api/abci-query.js';
import { type AppQueriesOptions, createAppQueries } from '../../../src/node/api/app-queries.js';
import { Ledger } from '../../../src/runtime/chain/ledger.js';
import { blockEvents } from '../../../src/runtime/chain/indexer.js';
import { createSearches } from '../../../src/runtime/chain/searches.js';
import { createEngineFactory } from '../../../src/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../../../src/runtime/evm/load-engine.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { History } from '../../../src/store/history/history.js';
import type { EventLog } from '../../../src/store/log/event-log.js';
import { MemoryStore } from '../../support/memory-store.js';
import { readStateAt } from '../../../src/store/state/query-reader.js';
import { createStateReader } from '../../../src/store/state/latest.js';
import { readRecordedChain } from '../../support/recorded-chain.js';
import { buildRecordedLog } from '../../support/recorded-log.js';
import { createHostTimers } from '../../../src/runtime/host/time.js';

const CHAIN = {
  chainId: '9001',
  evmChainId: 262_144n,
  bech32Prefix: 'cosmos',
  baseDenom: 'atest',
  minGasPrice: 0n,
} as const;

export interface RecordedServices {
  readonly api: NodeApi;
  readonly services: ServiceTable;
}

/** The node as it was after `head`, with the modules that exist and an empty mempool. */
export async function recordedServices(head: bigint): Promise<RecordedServices> {
  const crypto = await createHostCrypto();
  const store = new MemoryStore();
  const log = await buildRecordedLog(store, head);
  const chain = readRecordedChain();
  const at = chain[Number(head) - 1];
  const next = chain[Number(head)];
  invariant(at !== undefined && next !== undefined, 'the head is recorded, and a block after it');
  const started = await firstEvent(log);
  const params = fromBinary(ConsensusParamsSchema, started.consensusParams);
  const beginning = await History.open(store);
  const sets = chain.flatMap(({ height, validators }) => {
    const known = validators?.validators.map(validatorFromJson);
    return known === undefined || height > head + 2n ? [] : [{ height, set: sortedSet(known, known[0]) }];
  });
  await store.commit([
    ...sets.flatMap(({ height, set }) => beginning.validatorRows(height, set, true)),
    ...beginning.consensusParamsRows(toHeight(1n), params),
  ]);
  const history = await History.open(store);
  const newest = sets.at(-1)?.set;
  invariant(newest !== undefined, 'validators are recorded');
  const state: ChainState = {
    chainId: CHAIN.chainId,
    initialHeight: toHeight(1n),
    height: toHeight(head),
    time: parseTime(at.block.block.header.time) ?? log.head().time,
    lastBlockId: blockIdFromJson(at.block.block_id),
    lastCommit: undefined,
    lastValidators: newest,
    validators: newest,
    nextValidators: newest,
    consensusParams: params,
    appHash: fromHex(next.block.block.header.app_hash),
    lastResultsHash: new Uint8Array(),
  };
  const application = createApplication({
    version: evmd,
    chain: CHAIN,
    crypto,
    evm: createEngineFactory(loadEngineModule(), crypto),
  });
  const limits = DEFAULT_LIMITS;
  const indexer = { caughtUp: () => Promise.resolve(), eventsAt: (height: Height) => blockEvents(log, height) };
  const timers = { yield: () => Promise.resolve() };
  const searches = createSearches({ store, log, lowest: () => toHeight(1n), limits, indexer, timers });
  const ledger = new Ledger({
    store,
    log,
    history,
    crypto,
    started,
    genesisTime: state.time,
    state,
    searches,
    position: () => log.head().position,
  });
  const query: AppQueriesOptions['beside']['query'] = (path, data, at) =>
    readStateAt(store, at.height, (reader) => application.query(reader, at, path, data), limits);
  const app = createAppQueries({
    store,
    ledger,
    application,
    trial: () => ledger.context(ledger.state.height),
    limits,
    beside: {
      query,
      list: query,
      simulate: (tx, at) => readStateAt(store, at.height, (reader) => application.simulate(reader, at, tx), limits),
    },
  });
  const abciQuery = createAbciQuery({
    store,
    ledger,
    queries: app,
    version: 'v0.6.0',
    executor: { prove: () => Promise.resolve({ ok: false, error: { code: 'busy', what: 'proofs' } }) },
    nodeService: (path) => {
      const method = services.methods.get(path);
      return Promise.resolve(
        method?.nodeLevel === true ? (data, height) => method.call(data, height).then(abciAnswer) : undefined,
      );
    },
    storeNames: new Set(evmd.stores),
  });
  const latest = createStateReader(store, 'latest');
  const checkState = application.createCheckState(
    { get: (name, key) => latest.get(name, key), range: () => [] },
    { chainId: CHAIN.chainId, height: state.height, time: state.time },
  );
  const admitted = new Set<string>();
  const broadcastTx = (tx: Uint8Array): Promise<Outcome<ResponseCheckTx>> => {
    const hash = upperHex(crypto.sha256(tx));
    if (admitted.has(hash)) return Promise.resolve({ ok: false, error: { code: 'tx-in-cache' } });
    const checked = application.checkTx(checkState, tx);
    if (checked.code === 0) admitted.add(hash);
    return Promise.resolve({ ok: true, value: checked });
  };
  const api: NodeApi = {
    commands: {
      broadcastTx,
      checkTx: (tx) => Promise.resolve({ ok: true, value: application.checkTx(checkState, tx) }),
      broadcastEvidence: () => ({ kind: 'refused', reason: 'no blocks' }),
    },
    queries: {
      chain: ledger,
      app,
      abciQuery,
      status: () => ({
        moniker: 'recorded',
        nodeId: '00'.repeat(20),
        version: '0.38.21',
        listenAddress: 'tcp://127.0.0.1:26656',
        rpcAddress: 'tcp://127.0.0.1:26657',
        validator: undefined,
        catchingUp: false,
        mode: 'running',
        halt: undefined,
        appVersion: 0n,
      }),
      unconfirmedTxs: () => ({ txs: [], totalBytes: 0n }),
      roundState: () => ({ height: toHeight(head + 1n), round: 0, step: 1 }),
    },
    feeds: { onCommit: () => () => undefined },
  };
  const services = createServices({
    api,
    timers: createHostTimers(),
    limits,
    facts: {
      application: { name: 'chronicled', version: '0.0.0' },
      bech32Prefix: CHAIN.bech32Prefix,
      minimumGasPrice: '',
      pruning: { keepRecent: 0n, interval: 0n },
    },
  });
  return { api, services };
}

async function firstEvent(log: EventLog): Promise<ChainStarted['data']> {
  for await (const [first] of log.read({ from: toPosition(1n), limit: 1 }))
    if (first?.event.type === 'ChainStarted') return first.event.data;
  throw new Error('a log begins with ChainStarted');
}
