/** The bug report: all public data that helps to understand a problem, as JSON. */
import { askAll, hexOf, valueOf } from './ethereum.js';
import { metricsOf } from './metrics.js';
import type { NodeFacts } from './node-facts.js';
import { headHeight } from './store.js';

const BLOCKS = 10;
const EVENTS = 200;

/** Builds the report. It never contains private keys. */
export async function bugReport(facts: NodeFacts): Promise<string> {
  const top = headHeight.value;
  const heights = Array.from({ length: BLOCKS }, (_, index) => top - BigInt(index)).filter((height) => height >= 0n);
  const [results, health, metrics, status, genesis] = await Promise.all([
    askAll([
      { method: 'web3_clientVersion', params: [] },
      { method: 'rpc_modules', params: [] },
      { method: 'txpool_status', params: [] },
      { method: 'chronicle_logEvents', params: [{ limit: EVENTS, descending: true, data: 'none' }] },
      ...heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [hexOf(height), true] })),
    ]),
    json('/_page/metrics/health'),
    text('/_page/metrics/metrics'),
    json('/_page/comet/status'),
    json('/_page/comet/consensus_params'),
  ]);
  const [client, modules, pool, events, ...blocks] = results;
  const { accounts, ...node } = facts;
  return JSON.stringify(
    {
      report: 'chronicled',
      version: facts.version,
      client: valueOf(client),
      modules: valueOf(modules),
      node: { ...node, accounts: accounts.map(({ hex, name }) => ({ hex, name })) },
      browser: navigator.userAgent,
      health,
      status,
      consensusParams: genesis,
      pool: valueOf(pool),
      events: valueOf(events),
      blocks: blocks.map((block) => valueOf(block)),
      metrics: metricsOf(metrics).map(({ name, samples }) => ({ name, samples })),
    },
    undefined,
    2,
  );
}

async function json(path: string): Promise<unknown> {
  return await fetch(path)
    .then(
      async (answer) => (await answer.json()) as unknown,
      () => null,
    )
    .catch(() => null);
}

async function text(path: string): Promise<string> {
  const answer = await fetch(path);
  return answer.ok ? await answer.text() : '';
}
