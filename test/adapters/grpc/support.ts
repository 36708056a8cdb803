import { onTestFinished } from 'vitest';
import type { Client } from '@grpc/grpc-js';
import { createGrpcServer } from '../../../src/adapters/grpc/index.js';
import { createServices, type ServiceTable } from '../../../src/adapters/services/index.js';
import { DEFAULT_LIMITS, type Limits } from '../../../src/core/limits/limits.js';
import type { AppQueries, NodeApi } from '../../../src/core/node-api.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { createHostTimers } from '../../../src/runtime/host/time.js';
import { openClient } from './reflected-client.js';

export interface Served {
  readonly port: number;
  readonly client: Client;
  readonly defects: unknown[];
  close(): Promise<void>;
}

/** Serves a table on a port that the system chooses; the caller closes it. */
export async function serve(
  api: NodeApi,
  services: ServiceTable | Promise<ServiceTable>,
  limits: Partial<Limits> = {},
): Promise<Served> {
  const defects: unknown[] = [];
  const server = createGrpcServer(api, {
    services: () => Promise.resolve(services),
    limits: { ...DEFAULT_LIMITS, ...limits },
    timers: createHostTimers(),
    onDefect: (error) => defects.push(error),
  });
  const listening = await server.listen('127.0.0.1', 0);
  if (!listening.ok) throw new Error(listening.code);
  const client = openClient(listening.port);
  return {
    port: listening.port,
    client,
    defects,
    async close() {
      client.close();
      await server.close();
    },
  };
}

/** A node at height 7 with the given application; every other call throws. */
export function smallNode(app: Partial<AppQueries>, mode: () => 'running' | 'draining' = () => 'running'): NodeApi {
  const never = (): never => {
    throw new Error('not asked');
  };
  return {
    commands: { broadcastTx: never, checkTx: never, broadcastEvidence: never },
    queries: {
      chain: {
        tip: () => toHeight(7n),
        earliestHeight: () => toHeight(1n),
        earliestState: () => toHeight(0n),
        head: () => ({
          height: toHeight(7n),
          position: toPosition(1n),
          blockHash: new Uint8Array(),
          appHash: new Uint8Array(),
          time: toTimeNs(0n),
        }),
        genesis: () => ({ json: new Uint8Array(), chainId: 'small-1', initialHeight: toHeight(1n) }),
        block: never,
        heightByHash: never,
        results: never,
        touched: () => [],
        commit: never,
        validators: never,
        consensusParams: never,
        tx: never,
        place: never,
        searchTxs: never,
        searchBlocks: never,
        txAt: never,
      },
      app: { paths: new Set(['/cosmos.bank.v1beta1.Query/Balance']), query: never, simulate: never, ...app },
      status: () => ({
        moniker: '',
        nodeId: '',
        version: '',
        listenAddress: '',
        rpcAddress: '',
        validator: undefined,
        catchingUp: false,
        mode: mode(),
        halt: undefined,
        appVersion: 0n,
      }),
      abciQuery: never,
      unconfirmedTxs: never,
      roundState: never,
    },
    feeds: { onCommit: never },
  };
}

/** Serves the node of `smallNode` for one test. */
export async function serveSmall(
  app: Partial<AppQueries> = {},
  limits: Partial<Limits> = {},
  loaded: Promise<void> = Promise.resolve(),
): Promise<Served> {
  const api = smallNode(app);
  const services = createServices({
    api,
    timers: createHostTimers(),
    facts: {
      application: { name: 'chronicled', version: '0' },
      bech32Prefix: 'chron',
      minimumGasPrice: '',
      pruning: { keepRecent: 0n, interval: 0n },
    },
  });
  const served = await serve(
    api,
    loaded.then(() => services),
    limits,
  );
  onTestFinished(() => served.close());
  return served;
}
