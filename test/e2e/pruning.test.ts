/**
 * Pruning of states as an operator does it: every face answers kept states as before, and pruned states with the
 * error of the Go node.
 */
import { beforeAll, expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call, callError, getJson } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';
import { ACCOUNTS, signedEither } from './load.js';

const MANUAL = ['--mining', 'manual'];
const KEPT = ['--pruning', 'custom', '--pruning-keep-recent', '5', '--pruning-interval', '10'];
const HEAD = 14;
const LOWEST = HEAD - 5;
const hex = (height: number): string => `0x${height.toString(16)}`;
const ACCOUNT = ACCOUNTS[1];

let home: string;
let before: unknown;

/** Answers of every face at the kept heights, and about every block. */
async function answers({ endpoints }: DaemonProcess): Promise<unknown> {
  const { comet, eth_http: ethereum = '', rest = '' } = endpoints;
  const heights = Array.from({ length: HEAD - LOWEST + 1 }, (_, index) => LOWEST + index);
  const states: unknown[] = [];
  for (const height of heights)
    states.push({
      balance: await callEthereum(ethereum, 'eth_getBalance', [ACCOUNT?.hex, hex(height)]),
      nonce: await callEthereum(ethereum, 'eth_getTransactionCount', [ACCOUNT?.hex, hex(height)]),
      call: await callEthereum(ethereum, 'eth_call', [
        { from: ACCOUNT?.hex, to: ACCOUNT?.hex, value: '0x1' },
        hex(height),
      ]),
      traced:
        height > LOWEST &&
        (await callEthereum(ethereum, 'debug_traceBlockByNumber', [hex(height), { tracer: 'callTracer' }])),
      store: await call(comet, 'abci_query', { path: '/store/bank/subspace', data: '02', height: String(height) }),
      bank: await rested(rest, height),
    });
  const blocks: unknown[] = [];
  for (let height = 1; height <= HEAD; height += 1)
    blocks.push({
      block: await call(comet, 'block', { height: String(height) }),
      results: await call(comet, 'block_results', { height: String(height) }),
      ethereum: await callEthereum(ethereum, 'eth_getBlockByNumber', [hex(height), true]),
      receipts: await callEthereum(ethereum, 'eth_getBlockReceipts', [hex(height)]),
    });
  const searched = await call(comet, 'tx_search', { query: 'tx.height > 0' });
  return { states, blocks, searched };
}

async function rested(rest: string, height: number): Promise<unknown> {
  const path = `${rest}/cosmos/bank/v1beta1/balances/${ACCOUNT?.bech32}`;
  return (await fetch(path, { headers: { 'x-cosmos-block-height': String(height) } })).json();
}

beforeAll(async () => {
  home = temporaryFolder();
  const daemon = await startDaemonProcess({ home, args: MANUAL });
  for (let sequence = 0n; sequence < 4n; sequence += 1n) {
    await call(daemon.endpoints.comet, 'broadcast_tx_sync', { tx: signedEither(1, sequence).tx });
    await callEthereum(daemon.endpoints.eth_http ?? '', 'anvil_mine', ['0x3']);
  }
  await callEthereum(daemon.endpoints.eth_http ?? '', 'anvil_mine', ['0x2']);
  before = await answers(daemon);
  await daemon.kill('SIGTERM');
}, 120_000);

it('prune deletes earlier states of a stopped home, and every face answers the kept ones as before', async () => {
  const pruned = await chronicled(['prune', ...KEPT, '--home', home]);
  expect(pruned, pruned.stderr).toMatchObject({
    code: 0,
    stdout: `pruning heights up to ${LOWEST - 1}\nstates are kept from height ${LOWEST} on\n`,
  });
  expect((await chronicled(['prune', '--pruning', 'nothing', '--home', home])).stdout).toBe(
    `nothing to prune: states are kept from height ${LOWEST} on\n`,
  );
  const verified = await chronicledHere(['log', 'verify', '--execute', '-o', 'text', '--home', home]);
  expect(verified, verified.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(` 0 problems, .*, states from height ${LOWEST}\n$`)),
  });
  expect((await chronicledHere(['log', 'rebuild', '--home', home])).code).toBe(0);

  const daemon = await startDaemonProcess({ home, args: [...MANUAL, ...KEPT] });
  const { comet, eth_http: ethereum = '', rest = '' } = daemon.endpoints;
  expect(await answers(daemon)).toEqual(before);
  const gone = LOWEST - 1;
  const { stateRoot } = await callEthereum<{ readonly stateRoot: string }>(ethereum, 'eth_getBlockByNumber', [
    hex(gone),
    false,
  ]);
  for (const [method, ...params] of [
    ['eth_getBalance', ACCOUNT?.hex],
    ['eth_call', { to: ACCOUNT?.hex }],
    ['eth_getStorageAt', ACCOUNT?.hex, '0x0'],
  ] as const)
    await expect(callEthereum(ethereum, method, [...params, hex(gone)])).rejects.toThrow(
      `missing trie node ${stateRoot.slice(2)} (path ) state ${stateRoot} is not available`,
    );
  const traced: string[] = [];
  for (let height = 1; height <= gone; height += 1) {
    const { transactions } = await callEthereum<{ readonly transactions: readonly string[] }>(
      ethereum,
      'eth_getBlockByNumber',
      [hex(height), false],
    );
    for (const hash of transactions) {
      await expect(callEthereum(ethereum, 'debug_traceTransaction', [hash])).rejects.toThrow(
        'required historical state unavailable',
      );
      traced.push(hash);
    }
  }
  expect(traced.length).toBeGreaterThan(0);
  const text =
    `failed to load state at height ${gone}; version mismatch on immutable IAVL tree; version does not exist. ` +
    'Version has either been pruned, or is for a future block height';
  expect(await rested(rest, gone)).toMatchObject({ message: expect.stringContaining(text) });
  const query = { path: '/store/bank/key', data: '00', height: String(gone) };
  expect(await call(comet, 'abci_query', query)).toMatchObject({
    response: { code: 38, log: expect.stringContaining(text) },
  });
  expect(await callError(comet, 'block', { height: '99' })).toMatchObject({ code: -32603 });

  expect(await getJson(rest, '/cosmos/base/node/v1beta1/config')).toMatchObject({
    pruning_keep_recent: '5',
    pruning_interval: '10',
  });
  expect(await getJson(rest, '/cosmos/base/node/v1beta1/status')).toMatchObject({
    earliest_store_height: String(LOWEST),
  });
  expect(await callEthereum(ethereum, 'eth_capabilities')).toMatchObject({
    state: { oldestBlock: hex(LOWEST) },
    blocks: { oldestBlock: '0x0' },
  });
  await daemon.kill('SIGTERM');
}, 120_000);

it('commands that read a state refuse pruned heights and positions in a line', async () => {
  const gone = LOWEST - 1;
  for (const [moment, of] of [
    [`${gone}`, `after height ${gone}`],
    ['@1', 'at position 1'],
    ['@5', 'at position 5'],
  ] as const)
    for (const command of [
      ['state', '--at', moment],
      ['log', 'diff', moment, 'latest'],
    ])
      expect(await chronicledHere([...command, '--home', home]), command.join(' ')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `Error: the state ${of} is pruned, states are kept from height ${LOWEST} on\n`,
      });
  expect((await chronicledHere(['state', '--at', String(LOWEST), '--home', home])).code).toBe(0);
});
