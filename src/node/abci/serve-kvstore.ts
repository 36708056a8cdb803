import type { Registry } from 'prom-client';
import {
  type AbciAddress,
  type AbciCounts,
  abciUrl,
  type AbciServer,
  startAbciServer,
} from '../../adapters/abci/index.js';
import {
  createServer,
  type HttpHandler,
  LargeRequests,
  plainText,
  type Server,
} from '../../adapters/transport/index.js';
import type { DaemonOptions } from '../../core/config/daemon-options.js';
import { DEFAULT_LIMITS } from '../../core/limits.js';
import { openLevelStore } from '../../store/level-store.js';
import { MemoryStore } from '../../store/memory-store.js';
import { endpointsOf } from '../config/index.js';
import { FaceFailed } from '../faces.js';
import { homePaths } from '../home/home.js';
import { createHostCrypto } from '../host/crypto.js';
import { createHostTimers, createTimerClock } from '../host/time.js';
import type { Logger } from '../logger.js';
import { addAbciMetrics } from './metrics.js';
import { KvStoreApplication } from './kvstore-application.js';

export interface ServedApplication {
  readonly height: bigint;
  /** Full addresses of what is open, by their names in the ready file. */
  readonly endpoints: { readonly abci: string; readonly metrics?: string };
  /** Resolves with the first error of the application. */
  readonly failed: Promise<unknown>;
  stop(): Promise<void>;
}

/** Serves the key-value application with its state in the home; rejects with what is already open closed. */
export async function serveKvStore(
  options: DaemonOptions,
  address: AbciAddress,
  log: Logger,
): Promise<ServedApplication> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of undo.splice(0).reverse()) await close();
  };
  try {
    const crypto = await createHostCrypto();
    const store = options.ephemeral
      ? new MemoryStore()
      : await openLevelStore(homePaths(options.home).kvstore, { create: true, checkTables: true });
    undo.push(() => store.close());
    const app = await KvStoreApplication.open(store, crypto);
    let fail: (error: unknown) => void = () => undefined;
    const failed = new Promise<unknown>((resolve) => {
      fail = resolve;
    });
    const clock = createTimerClock();
    const server = await startAbciServer({ address, app, clock, log, onFailure: (error) => fail(error) });
    undo.push(() => server.stop());
    const { metrics, port } = await openMetrics(options, server, log);
    undo.push(() => metrics.close(true));
    const { lastBlockHeight } = await app.info();
    const { host } = options.listen.metrics;
    return {
      height: lastBlockHeight,
      endpoints: { abci: abciUrl(server.address), ...endpointsOf({ metrics: { host, port } }) },
      failed,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openMetrics(
  options: DaemonOptions,
  { counts }: AbciServer,
  log: Logger,
): Promise<{ readonly metrics: Server; readonly port: number }> {
  const timers = createHostTimers();
  const metrics = await createServer({
    exposure: { hosts: options.allowedHosts, origins: options.corsAllowedOrigins, onRefused: () => undefined },
    large: new LargeRequests(timers),
    http: metricsHandler(counts),
    limits: { bodyBytes: DEFAULT_LIMITS.httpBodyBytes, messageBytes: 0, webSockets: 0 },
    timers,
    onDefect: (error) => log.error('defect', { error: String(error) }),
  });
  const { host, port } = options.listen.metrics;
  const result = await metrics.listen(host, port);
  if (!result.ok) throw new FaceFailed('metrics', result);
  return { metrics, port: result.port };
}

function metricsHandler(counts: AbciCounts): HttpHandler {
  let registry: Promise<Registry> | undefined;
  return async ({ path }) => {
    if (path !== '/metrics') return plainText(404, 'not found\n');
    registry ??= createRegistry(counts);
    const made = await registry;
    return { status: 200, headers: { 'content-type': made.contentType }, body: await made.metrics() };
  };
}

async function createRegistry(counts: AbciCounts): Promise<Registry> {
  const { Counter, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  addAbciMetrics(registry, { Counter, Gauge }, counts);
  return registry;
}
