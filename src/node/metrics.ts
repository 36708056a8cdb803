import type { Counter, Registry } from 'prom-client';
import type { RegistryCounters } from '../actors/subscription-registry/index.js';
import type { AbciCounts } from '../adapters/abci/index.js';
import { plainText, type HttpHandler } from '../adapters/transport/index.js';
import { addAbciMetrics } from './abci/metrics.js';
import { NO_VALIDATOR } from '../core/errors.js';
import { diskSpace } from '../runtime/host/disk-space.js';
import { folderBytes } from '../runtime/host/folder-bytes.js';
import type { RunningNode } from './node.js';

/** A node with the counters of its ABCI server, if an external consensus engine drives it. */
export type MeasuredNode = RunningNode & { readonly abciCounts?: AbciCounts | undefined };

/** Text at `/` for non-browsers; a browser gets a page (`docs/interfaces/pages.md`). */
const CONTENTS =
  '/metrics  counters and gauges in the text form of Prometheus\n' +
  '/health   mode, height and log position as JSON; 200 while blocks are made, 503 otherwise\n';

/**
 * Handler of `/metrics` (Prometheus text format) and `/health` (JSON; 200 while blocks are made, 503 otherwise). The
 * metrics library is loaded at the first scrape, because most nodes are never scraped. `folder`: the data folder;
 * undefined for an ephemeral node.
 */
export function metricsHandler(node: MeasuredNode, folder: string | undefined): HttpHandler {
  const { chain } = node.api.queries;
  let commits = 0;
  node.commits.subscribe(() => {
    commits += 1;
  });
  let registry: Promise<Registry> | undefined;
  return async ({ path }) => {
    if (path === '/metrics') {
      registry ??= createMetrics(node, () => commits, folder);
      const metrics = await registry;
      return {
        status: 200,
        headers: { 'content-type': metrics.contentType },
        body: withValues(await metrics.metrics()),
      };
    }
    if (path === '/') return plainText(200, CONTENTS);
    if (path !== '/health') return plainText(404, `not found; there are:\n${CONTENTS}`);
    const mode = node.supervisor.mode();
    const isVerifying = mode === 'running' && node.isVerifying();
    const { abciCounts: engine } = node;
    const isWaiting = mode === 'running' && engine !== undefined && engine.connections.get('consensus') === 0;
    const isIdle = engine === undefined && mode === 'running' && node.api.queries.status().validator === undefined;
    const reason = isIdle ? NO_VALIDATOR.message : mode === 'halted' ? node.haltReason() : undefined;
    const body = JSON.stringify({
      status: isVerifying ? 'verifying' : isWaiting ? 'waitingForEngine' : isIdle ? 'noValidator' : mode,
      height: `${chain.head().height}`,
      position: `${chain.head().position}`,
      ...(reason !== undefined && { reason }),
    });
    return {
      status: (mode === 'running' && !isVerifying && !isWaiting && !isIdle) || mode === 'reverting' ? 200 : 503,
      headers: { 'content-type': 'application/json' },
      body: `${body}\n`,
    };
  };
}

async function createMetrics(node: MeasuredNode, commits: () => number, folder: string | undefined): Promise<Registry> {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client');
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  countCpuFromStart(metrics, Counter);
  const { chain } = node.api.queries;
  const faces = (): RegistryCounters['faces'] => node.subscriptions.counters().faces;
  const gauges: readonly (readonly [string, string, () => number | Promise<number>])[] = [
    ['chronicle_height', 'Height of the published head.', () => Number(chain.head().height)],
    ['chronicle_log_position', 'Position of the last event in the log.', () => Number(chain.head().position)],
    ['chronicle_mempool_txs', 'Transactions that wait for a block.', () => node.mempool.view.pending],
    ['chronicle_mempool_queued', 'Transactions that wait for a lower nonce.', () => node.mempool.view.queued],
    ['chronicle_mempool_bytes', 'Bytes of transactions that wait for a block.', () => node.mempool.view.bytes],
    ['chronicle_comet_ws_clients', 'Clients with consensus subscriptions.', () => faces().consensus.clients],
    ['chronicle_comet_ws_subscriptions', 'Consensus subscriptions.', () => faces().consensus.subscriptions],
    ['chronicle_eth_ws_clients', 'Clients with Ethereum subscriptions.', () => faces().ethereum.clients],
    ['chronicle_eth_ws_subscriptions', 'Ethereum subscriptions.', () => faces().ethereum.subscriptions],
    ...(folder === undefined ? [] : diskGauges(folder)),
  ];
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        this.set(await read());
      },
    });
  }
  new Counter({
    name: 'chronicle_commits_total',
    help: 'Commits published since the start.',
    registers: [metrics],
    collect() {
      this.reset();
      this.inc(commits());
    },
  });
  if (node.abciCounts !== undefined) addAbciMetrics(metrics, { Counter, Gauge }, node.abciCounts);
  return metrics;
}

/** Seconds for which the measured size of the files is cached: there may be thousands of files. */
const SIZE_SECONDS = 10;

/**
 * Gauges of the data's size and of the disk's free space; the latter has no sample if the system does not report it.
 */
export function diskGauges(folder: string) {
  let size = { at: -Infinity, bytes: 0 };
  const used = async (): Promise<number> => {
    if (process.uptime() - size.at > SIZE_SECONDS) size = { at: process.uptime(), bytes: await folderBytes(folder) };
    return size.bytes;
  };
  return [
    ['chronicle_data_bytes', 'Bytes of the files of log and state, measured every ten seconds.', used],
    [
      'chronicle_disk_free_bytes',
      'Bytes that are free on their disk.',
      async () => Number((await diskSpace(folder))?.free ?? Number.NaN),
    ],
  ] as const;
}

/** Removes samples that are NaN, such as statistics before the first scrape. */
function withValues(text: string): string {
  return text.replaceAll(/^[^#\n].* Nan\n/gm, '');
}

/**
 * Makes CPU counters start with the process, as Prometheus expects. The library counts from its own load, the first
 * scrape.
 */
function countCpuFromStart(metrics: Registry, Metric: typeof Counter): void {
  const counters: readonly (readonly [string, string, (usage: NodeJS.CpuUsage) => number])[] = [
    ['process_cpu_user_seconds_total', 'User CPU time of the process in seconds.', ({ user }) => user],
    ['process_cpu_system_seconds_total', 'System CPU time of the process in seconds.', ({ system }) => system],
    ['process_cpu_seconds_total', 'CPU time of the process in seconds.', ({ user, system }) => user + system],
  ];
  for (const [name, help, microseconds] of counters) {
    metrics.removeSingleMetric(name);
    new Metric({
      name,
      help,
      registers: [metrics],
      collect() {
        this.reset();
        this.inc(microseconds(process.cpuUsage()) / MICROSECONDS);
      },
    });
  }
}

const MICROSECONDS = 1e6;
