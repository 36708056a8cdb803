/**
 * What a REST answer costs beside the same answer over gRPC-web: first the adapters alone, called in process over a real
 * node, then requests over sockets, whose client is a thread of
 * its own.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createRest } from '../build/adapters/rest/index.js';
import { createServer } from '../build/adapters/transport/index.js';
import { createHostTimers } from '../build/node/host/time.js';
import { startDaemon } from '../build/node/daemon.js';
import { createLogger } from '../build/node/logger.js';
import { quantile } from './figures.js';
import { optionsOf } from './node-options.js';

const ROUNDS = 7;
const CALLS = 2_000;
const REQUESTS = 10_000;
const CONNECTIONS = 16;

/** Medians of microseconds for each call, measured in turns. @param {Readonly<Record<string, () => Promise<unknown>>>} calls */
async function inTurns(calls) {
  const samples = new Map(Object.keys(calls).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, call] of Object.entries(calls)) {
      const start = performance.now();
      for (let count = 0; count < CALLS; count += 1) await call();
      if (round > 0) samples.get(name).push(((performance.now() - start) * 1_000) / CALLS);
    }
  }
  return Object.fromEntries([...samples].map(([name, of]) => [name, quantile(of, 0.5)]));
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const home = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const daemon = await startDaemon(optionsOf(home, { kind: 'instant', heartbeatMs: undefined }), await createLogger('error', 'plain'));
  const { services } = daemon.node;
  const face = createRest(services, { version: 'bench' });
  const accounts = await get(face, '/cosmos/auth/v1beta1/accounts?pagination.limit=20');
  const [owner] = JSON.parse(accounts).accounts.map(({ address }) => address).filter((address) => address !== undefined);
  const balance = Buffer.concat([field(1, owner), field(2, 'achr')]);
  const figures = [];
  for (const { name, path, method, request } of [
    { name: 'bank Balance', path: `/cosmos/bank/v1beta1/balances/${owner}/by_denom?denom=achr`, method: '/cosmos.bank.v1beta1.Query/Balance', request: balance },
    { name: 'bank Params', path: '/cosmos/bank/v1beta1/params', method: '/cosmos.bank.v1beta1.Query/Params', request: new Uint8Array() },
    { name: '20 accounts', path: '/cosmos/auth/v1beta1/accounts?pagination.limit=20', method: '/cosmos.auth.v1beta1.Query/Accounts', request: Uint8Array.of(0x0a, 2, 0x18, 20) },
    { name: 'latest block', path: '/cosmos/base/tendermint/v1beta1/blocks/latest', method: '/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock', request: new Uint8Array() },
  ]) {
    const framed = Buffer.concat([Uint8Array.of(0, 0, 0, 0, request.length), request]);
    const web = { method: 'POST', path: method, query: '', headers: new Map([['content-type', 'application/grpc-web+proto']]), body: framed };
    const cost = await inTurns({
      table: () => services.call(method, request, 0n),
      web: async () => face(web),
      rest: () => get(face, path),
    });
    figures.push(
      { name: `${name}: table of services alone`, value: cost.table, unit: 'us' },
      { name: `${name}: gRPC-web answer`, value: cost.web, unit: 'us' },
      { name: `${name}: REST answer`, value: cost.rest, unit: 'us' },
      { name: `${name}: REST / gRPC-web`, value: cost.rest / cost.web, unit: 'x', goal: 'at most 2' },
    );
  }
  figures.push(...(await overSockets(face, owner)));
  await daemon.stop();
  rmSync(home, { recursive: true, force: true });
  return figures;
}

/** Requests per second through the transport. */
async function overSockets(face, owner) {
  const server = await createServer({ http: face, limits: { bodyBytes: 1_024, messageBytes: 1_024, webSockets: 1 }, timers: createHostTimers(), onDefect: (error) => process.stderr.write(`${error}\n`) });
  const { port } = await server.listen('127.0.0.1', 0);
  const load = async (path, total) => {
    const [milliseconds] = await once(new Worker(new URL('rest/get-worker.js', import.meta.url), { workerData: { port, path, total, connections: CONNECTIONS } }), 'message');
    return (total * 1_000) / milliseconds;
  };
  const figures = [];
  for (const path of [`/cosmos/bank/v1beta1/balances/${owner}/by_denom?denom=achr`, '/cosmos/bank/v1beta1/params', '/cosmos/base/tendermint/v1beta1/blocks/latest']) {
    await load(path, REQUESTS / 4);
    const rates = [];
    for (let round = 0; round < 3; round += 1) rates.push(await load(path, REQUESTS));
    figures.push({ name: `GET ${path.replace(owner, '{address}')}, ${CONNECTIONS} connections`, value: quantile(rates, 0.5), unit: '/s', goal: 'at least 3,000' });
  }
  await server.close(true);
  return figures;
}

async function get(face, path) {
  const [target, query = ''] = path.split('?');
  const { body } = await face({ method: 'GET', path: target, query, headers: new Map(), body: new Uint8Array() });
  return body;
}

/** A text as a field of an encoded message. */
function field(number, text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([Uint8Array.of((number << 3) | 2, bytes.length), bytes]);
}
