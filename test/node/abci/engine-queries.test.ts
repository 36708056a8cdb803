/** What a node behind an engine answers of it: its own state, its peers and its blocks are asked at its RPC. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createEthereumRpc } from '../../../src/adapters/eth-rpc/index.js';
import { createRest } from '../../../src/adapters/rest/index.js';
import { DEV_CHAIN_ID } from '../../../src/core/genesis/dev-chain.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { VERSION } from '../../../src/runtime/host/version.js';
import { timers } from '../../adapters/eth-rpc/face.js';
import { ask } from '../../adapters/rest/ask.js';
import { MemoryStore } from '../../support/memory-store.js';
import { make, started } from './engine-node.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** An RPC of an engine with these results by method. */
async function engineWith(results: Readonly<Record<string, unknown>>): Promise<URL> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      const { method }: { readonly method: string } = JSON.parse(body);
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: results[method] }));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new URL(`http://127.0.0.1:${port}`);
}

const status = (network: string, isCatchingUp: boolean) => ({
  node_info: {
    protocol_version: { p2p: '8', block: '11', app: '1' },
    id: '5e0388b493d6010a5817ff3ff5b86125d216d7f1',
    listen_addr: 'tcp://0.0.0.0:26656',
    network,
    version: '0.38.21',
    channels: '40202122233038606100',
    moniker: 'the engine',
    other: { tx_index: 'off', rpc_address: 'tcp://0.0.0.0:26657' },
  },
  sync_info: { latest_block_height: '19', earliest_block_height: '3', catching_up: isCatchingUp },
});

/** Asks the REST and the Ethereum face of a node whose engine has this RPC. */
async function faces(comet: URL | undefined) {
  const simulated = await started(new MemoryStore(), comet === undefined ? {} : { comet });
  await make(simulated, 1n, 1n);
  const { node } = simulated;
  const rest = createRest(await node.services(), { version: VERSION });
  if (node.ethereum === undefined) throw new Error('the preset has an EVM');
  const ethereum = createEthereumRpc(node.ethereum.api, {
    crypto: node.crypto,
    limits: DEFAULT_LIMITS,
    timers,
    clientVersion: 'test',
    namespaces: ['eth', 'net'],
    onDefect(error) {
      throw error;
    },
  });
  return {
    get: async (path: string): Promise<{ readonly status: number; readonly json: unknown }> => {
      const { status: code, body } = await ask(rest, {
        method: 'GET',
        path: `/cosmos/base/tendermint/v1beta1/${path}`,
      });
      return { status: code, json: JSON.parse(body) };
    },
    call: async (method: string): Promise<unknown> => {
      const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }));
      const headers = new Map([['content-type', 'application/json']]);
      const answer = await ethereum.http({ method: 'POST', path: '/', query: '', headers, body });
      const { result, error } = JSON.parse('stream' in answer ? '' : String(answer.body));
      return result ?? error;
    },
  };
}

test('an engine that syncs is shown as such, with its peers and its identity', async () => {
  const network = { listening: true, listeners: [], n_peers: '18', peers: [] };
  const { get, call } = await faces(await engineWith({ status: status(DEV_CHAIN_ID, true), net_info: network }));
  expect(await get('syncing')).toEqual({ status: 200, json: { syncing: true } });
  expect(await call('eth_syncing')).toEqual({ startingBlock: '0x3', currentBlock: '0x13' });
  expect(await call('net_peerCount')).toBe('0x12');
  expect(await call('net_listening')).toBe(true);
  expect(await get('node_info')).toMatchObject({
    status: 200,
    json: {
      default_node_info: {
        protocol_version: { p2p: '8', block: '11', app: '1' },
        default_node_id: '5e0388b493d6010a5817ff3ff5b86125d216d7f1',
        listen_addr: 'tcp://0.0.0.0:26656',
        network: DEV_CHAIN_ID,
        version: '0.38.21',
        channels: 'QCAhIiMwOGBhAA==',
        moniker: 'the engine',
        other: { tx_index: 'off', rpc_address: 'tcp://0.0.0.0:26657' },
      },
      application_version: { name: 'chronicled', version: VERSION },
    },
  });
});

test('an engine that follows the chain is not syncing', async () => {
  const { get, call } = await faces(await engineWith({ status: status(DEV_CHAIN_ID, false) }));
  expect(await get('syncing')).toEqual({ status: 200, json: { syncing: false } });
  expect(await call('eth_syncing')).toBe(false);
});

test.each<readonly [string, () => Promise<URL | undefined>, string]>([
  ['is gone', goneEngine, 'its RPC does not answer'],
  ['has no known address', () => Promise.resolve(undefined), 'its address is not known: give it with --comet'],
  [
    'is of another chain',
    () => engineWith({ status: status('other-1', false) }),
    'another chain answers at its address',
  ],
  [
    'is another program',
    () => engineWith({ status: {} }),
    "what answers at its address does not answer in CometBFT's form",
  ],
])('an engine that %s is named as such', async (_which, engine, reason) => {
  const { get, call } = await faces(await engine());
  const message = `the consensus engine does not answer: ${reason}`;
  const unavailable = { status: 503, json: { code: 14, message, details: [] } };
  expect(await get('syncing')).toEqual(unavailable);
  expect(await get('node_info')).toEqual(unavailable);
  expect(await call('eth_syncing')).toEqual({ code: -32000, message });
});

test('with the engine gone, blocks and peers are unavailable, and nothing is called busy', async () => {
  const { get, call } = await faces(await goneEngine());
  const message = 'the consensus engine does not answer: its RPC does not answer';
  for (const path of ['blocks/latest', 'blocks/1'])
    expect(await get(path), path).toEqual({ status: 503, json: { code: 14, message, details: [] } });
  for (const method of ['net_peerCount', 'net_listening'])
    expect(await call(method), method).toEqual({ code: -32000, message });
});

/** The address of an engine that has ended. */
async function goneEngine(): Promise<URL> {
  const url = await engineWith({});
  await new Promise((resolve) => servers.pop()?.close(resolve));
  return url;
}
