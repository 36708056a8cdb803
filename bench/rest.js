/**
 * Cost of a REST answer compared with the same answer over gRPC. First the adapters alone, in process over a real
 * node (gRPC-Web), then both over sockets, with the client in its own process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGrpcServer } from '../build/adapters/grpc/index.js';
import { createRest } from '../build/adapters/rest/index.js';
import { createServer } from '../build/adapters/transport/index.js';
import { createHostTimers } from '../build/runtime/host/time.js';
import { startDaemon } from '../build/node/daemon.js';
import { createLogger } from '../build/node/logger.js';
import { quantile } from './figures.js';
import { optionsOf } from './node-options.js';

const ROUNDS = 7;
const CALLS = 500;
const REQUESTS = 4_000;
const CLIENT = fileURLToPath(new URL('rest/client.js', import.meta.url));

/**
 * Medians of microseconds for each call, measured in turns. @param {Readonly<Record<string, () => Promise<unknown>>>}
 * calls
 */
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
  const daemon = await startDaemon(
    optionsOf(home, { kind: 'instant', heartbeatMs: undefined }),
    await createLogger('error', 'plain'),
  );
  const services = await daemon.node.services();
  const face = createRest(services, { version: 'bench' });
  const accounts = await get(face, '/cosmos/auth/v1beta1/accounts?pagination.limit=20');
  const [owner] = JSON.parse(accounts)
    .accounts.map(({ address }) => address)
    .filter((address) => address !== undefined);
  const balance = Buffer.concat([field(1, owner), field(2, 'achr')]);
  const figures = [];
  const calls = [
    {
      name: 'bank Balance',
      path: `/cosmos/bank/v1beta1/balances/${owner}/by_denom?denom=achr`,
      method: '/cosmos.bank.v1beta1.Query/Balance',
      request: balance,
    },
    {
      name: 'bank Params',
      path: '/cosmos/bank/v1beta1/params',
      method: '/cosmos.bank.v1beta1.Query/Params',
      request: new Uint8Array(),
    },
    {
      name: '20 accounts',
      path: '/cosmos/auth/v1beta1/accounts?pagination.limit=20',
      method: '/cosmos.auth.v1beta1.Query/Accounts',
      request: Uint8Array.of(0x0a, 2, 0x18, 20),
    },
    {
      name: 'latest block',
      path: '/cosmos/base/tendermint/v1beta1/blocks/latest',
      method: '/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock',
      request: new Uint8Array(),
    },
  ];
  for (const { name, path, method, request } of calls) {
    const framed = Buffer.concat([Uint8Array.of(0, 0, 0, 0, request.length), request]);
    const web = {
      method: 'POST',
      path: method,
      query: '',
      headers: new Map([['content-type', 'application/grpc-web+proto']]),
      body: framed,
    };
    const cost = await inTurns({
      table: () => services.call(method, request, 0n),
      web: async () => face(web),
      rest: () => get(face, path),
    });
    figures.push(
      { name: `${name}: table of services alone`, value: cost.table, unit: 'us' },
      { name: `${name}: gRPC-web answer`, value: cost.web, unit: 'us' },
      { name: `${name}: REST answer`, value: cost.rest, unit: 'us' },
      { name: `${name}: REST / gRPC-web`, value: cost.rest / cost.web, unit: 'x' },
    );
  }
  figures.push(...(await overSockets(daemon.node, face, calls)));
  await daemon.stop();
  rmSync(home, { recursive: true, force: true });
  return figures;
}

/** Both protocols through their servers: requests per second, and processor time of this process for one. */
async function overSockets(node, face, calls) {
  const onDefect = (error) => process.stderr.write(`${error}\n`);
  const http = await createServer({
    http: face,
    limits: { bodyBytes: 1_024, messageBytes: 1_024, webSockets: 1 },
    timers: createHostTimers(),
    onDefect,
  });
  const grpc = createGrpcServer(node.api, { services: node.services, onDefect });
  const ports = { rest: (await http.listen('127.0.0.1', 0)).port, grpc: (await grpc.listen('127.0.0.1', 0)).port };
  const load = async (kind, total, ...what) => {
    const { user, system } = process.cpuUsage();
    const [milliseconds] = await once(fork(CLIENT, [kind, ports[kind], total, ...what].map(String)), 'message');
    const used = process.cpuUsage({ user, system });
    return { rate: (total * 1_000) / milliseconds, cost: (used.user + used.system) / total };
  };
  const median = async (...what) => {
    await load(what[0], REQUESTS / 4, ...what.slice(1));
    const samples = [];
    for (let round = 0; round < 3; round += 1) samples.push(await load(what[0], REQUESTS, ...what.slice(1)));
    return {
      rate: quantile(
        samples.map(({ rate }) => rate),
        0.5,
      ),
      cost: quantile(
        samples.map(({ cost }) => cost),
        0.5,
      ),
    };
  };
  const figures = [];
  for (const { name, path, method, request } of calls) {
    const rest = await median('rest', path);
    const over = await median('grpc', method, Buffer.from(request).toString('base64'));
    figures.push(
      {
        name: `${name} over REST, 16 at a time`,
        value: rest.rate,
        unit: '/s',
        goal: 'at least 3,000 for a simple query',
      },
      { name: `${name} over gRPC, 16 at a time`, value: over.rate, unit: '/s' },
      { name: `${name} over REST, processor time of the node`, value: rest.cost, unit: 'us' },
      { name: `${name} over gRPC, processor time of the node`, value: over.cost, unit: 'us' },
      { name: `${name}: REST / gRPC`, value: rest.cost / over.cost, unit: 'x', goal: 'at most 2' },
    );
  }
  await http.close(true);
  await grpc.close();
  return figures;
}

async function get(face, path) {
  const [target, query = ''] = path.split('?');
  const { body } = await face({ method: 'GET', path: target, query, headers: new Map(), body: new Uint8Array() });
  return body;
}

/** A text encoded as a protobuf field. */
function field(number, text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([Uint8Array.of((number << 3) | 2, bytes.length), bytes]);
}
