/** A chain whose first block has a height above 1, like a chain started from an exported state. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEthereumRpc } from '../../src/adapters/eth-rpc/index.js';
import { DEFAULT_LIMITS } from '../../src/core/limits/limits.js';
import { toHeight } from '../../src/core/primitives.js';
import { createPureCrypto } from '../../src/runtime/host/crypto.js';
import { MemoryStore } from '../support/memory-store.js';
import { textOf, timers } from '../adapters/eth-rpc/face.js';
import { accounts, simulate, type SimulatedNode } from './simulated-node.js';

const FIRST = 100n;
const SUPPLY = '/cosmos.bank.v1beta1.Query/TotalSupply';
const NOTHING = new Uint8Array(0);
const DEV2 = accounts[2]?.hex ?? '';
let simulated: SimulatedNode;
beforeAll(async () => {
  simulated = await simulate({ store: new MemoryStore(), initialHeight: FIRST });
  await simulated.mineTo(FIRST + 2n);
});
afterAll(() => simulated.node.stop());

async function call(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const api = simulated.node.ethereum?.api;
  if (api === undefined) throw new Error('the preset has an EVM');
  const rpc = createEthereumRpc(api, {
    crypto: createPureCrypto(),
    limits: DEFAULT_LIMITS,
    timers,
    clientVersion: 'chronicled',
    onDefect: (error) => {
      throw error;
    },
  });
  const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const headers = new Map([['content-type', 'application/json']]);
  return JSON.parse(await textOf(await rpc.http({ method: 'POST', path: '/', query: '', headers, body })));
}

test.each([1n, 98n])(
  'a query at height %s, below the genesis block, is refused, not answered from an empty state',
  async (height) => {
    const { queries } = simulated.node.api;
    const at = toHeight(height);
    expect(await queries.app.query(SUPPLY, NOTHING, at)).toEqual({
      ok: false,
      error: { code: 'state-pruned', height, lowest: FIRST - 1n },
    });
    for (const what of ['key', 'subspace'])
      expect(
        await queries.abciQuery({ path: `/store/bank/${what}`, data: Uint8Array.of(0), height: at, prove: false }),
      ).toMatchObject({
        value: {
          code: 38,
          log: expect.stringMatching(
            new RegExp(`^failed to load state at height ${height}; .* \\(latest height: ${FIRST + 2n}\\): not found$`),
          ),
        },
      });
    expect(await call('eth_getBalance', DEV2, `0x${height.toString(16)}`)).toMatchObject({
      error: { code: -32000, message: expect.stringContaining('missing trie node') },
    });
  },
);

test('the genesis block has the state of the genesis', async () => {
  const { app } = simulated.node.api.queries;
  expect(await app.query(SUPPLY, NOTHING, toHeight(FIRST - 1n))).toMatchObject({ ok: true, value: { ok: true } });
  const now = await call('eth_getBalance', DEV2, 'latest');
  expect(now).not.toMatchObject({ result: '0x0' });
  expect(await call('eth_getBalance', DEV2, 'earliest')).toEqual(now);
  expect(await call('eth_getBalance', DEV2, '0x63')).toEqual(now);
});

test('a contract of the genesis has no creator', async () => {
  const multicall = '0xcA11bde05977b3631167028862bE2a173976CA11';
  expect(await call('eth_getCode', multicall, 'earliest')).not.toMatchObject({ result: '0x' });
  expect(await call('ots_getContractCreator', multicall)).toEqual({ jsonrpc: '2.0', id: 1, result: null });
});

test('eth_getLogs and eth_feeHistory begin at the genesis block', async () => {
  expect(await call('eth_getLogs', { fromBlock: '0x0' })).toMatchObject({ result: [] });
  expect(await call('eth_getLogs', { fromBlock: 'earliest', toBlock: '0x63' })).toMatchObject({ result: [] });
  expect(await call('eth_feeHistory', '0x400', 'latest', [])).toMatchObject({
    result: { oldestBlock: '0x63' },
  });
  expect(await call('eth_feeHistory', '0x400', 'earliest', [])).toMatchObject({ result: { oldestBlock: '0x63' } });
});

test('the genesis block is the parent of the first block, and no block is below it', async () => {
  const genesis = await call('eth_getBlockByNumber', 'earliest', false);
  expect(genesis).toMatchObject({ result: { number: '0x63', transactions: [] } });
  expect(await call('eth_getBlockByNumber', '0x63', false)).toEqual(genesis);
  const { result } = (await call('eth_getBlockByNumber', '0x64', false)) as { result: { parentHash: string } };
  expect(genesis).toMatchObject({ result: { hash: result.parentHash } });
  expect(await call('eth_getBlockByHash', result.parentHash, false)).toEqual(genesis);
  for (const below of ['0x0', '0x62'])
    expect(await call('eth_getBlockByNumber', below, false)).toMatchObject({ result: null });
});
