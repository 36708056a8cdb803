/** Answers about the consensus engine: the node asks the engine's RPC for its sync state, peers and blocks. */
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
import { type EngineRpcStandIn, engineNetwork, engineRpcWith, engineStatus } from './engine-rpc-stand-in.js';

const FORM = "what answers at its address does not answer in CometBFT's form";
const engines: EngineRpcStandIn[] = [];

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

async function engineWith(results: Readonly<Record<string, unknown>>): Promise<URL> {
  const engine = await engineRpcWith(results);
  engines.push(engine);
  return engine.url;
}

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

test('an engine that is catching up is reported as syncing, with its peers and its node info', async () => {
  const { get, call } = await faces(
    await engineWith({ status: engineStatus(DEV_CHAIN_ID, true), net_info: engineNetwork(18) }),
  );
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

test('an engine that has caught up is reported as not syncing', async () => {
  const { get, call } = await faces(await engineWith({ status: engineStatus(DEV_CHAIN_ID, false) }));
  expect(await get('syncing')).toEqual({ status: 200, json: { syncing: false } });
  expect(await call('eth_syncing')).toBe(false);
});

test.each<readonly [string, () => Promise<URL | undefined>, string]>([
  ['has stopped', goneEngine, 'its RPC does not answer'],
  ['has no known address', () => Promise.resolve(undefined), 'its address is not known: give it with --comet'],
  [
    'is of another chain',
    () => engineWith({ status: engineStatus('other-1', false) }),
    'another chain answers at its address',
  ],
  ['is another program', () => engineWith({ status: {} }), FORM],
  [
    'reports no protocol version',
    () => {
      const whole = engineStatus(DEV_CHAIN_ID, false);
      return engineWith({ status: { ...whole, node_info: { ...whole.node_info, protocol_version: { p2p: '8' } } } });
    },
    FORM,
  ],
  [
    'reports no heights',
    () => engineWith({ status: { ...engineStatus(DEV_CHAIN_ID, false), sync_info: { catching_up: false } } }),
    FORM,
  ],
])('an engine that %s makes queries unavailable, with the reason in the error', async (_which, engine, reason) => {
  const { get, call } = await faces(await engine());
  const message = `the consensus engine does not answer: ${reason}`;
  const unavailable = { status: 503, json: { code: 14, message, details: [] } };
  expect(await get('syncing')).toEqual(unavailable);
  expect(await get('node_info')).toEqual(unavailable);
  for (const method of ['eth_syncing', 'net_peerCount', 'net_listening'])
    expect(await call(method), method).toEqual({ code: -32000, message });
});

test('block queries answer unavailable, not busy, when the engine has stopped', async () => {
  const { get } = await faces(await goneEngine());
  const message = 'the consensus engine does not answer: its RPC does not answer';
  for (const path of ['blocks/latest', 'blocks/1'])
    expect(await get(path), path).toEqual({ status: 503, json: { code: 14, message, details: [] } });
});

/** The address of an engine that has stopped. */
async function goneEngine(): Promise<URL> {
  const url = await engineWith({});
  await engines.pop()?.close();
  return url;
}
