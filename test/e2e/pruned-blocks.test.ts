/**
 * Pruning of blocks as an operator does it: every face answers kept blocks as before, and pruned blocks with the
 * error of the Go node.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkpointHeight } from '../../src/store/checkpoints/checkpoints.js';
import { openLevelStore } from '../../src/store/leveldb/level-store.js';
import { chronicled, type Ended } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call, callError, getJson } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';
import { ACCOUNTS, signedEither } from './load.js';

const MANUAL = ['--mining', 'manual'];
const HEAD = 72;
const LOWEST = 32;
const RULES = ['--min-retain-blocks', '20', '--pruning', 'nothing'];
const GONE = 9;
const hex = (height: number): string => `0x${height.toString(16)}`;

/** Answers of every face about the kept blocks. */
async function answers({ endpoints }: DaemonProcess): Promise<unknown> {
  const { comet, eth_http: ethereum = '', rest = '' } = endpoints;
  const blocks: unknown[] = [];
  for (let height = LOWEST; height <= HEAD; height += 3) {
    const at = { height: String(height) };
    blocks.push({
      block: await call(comet, 'block', at),
      results: await call(comet, 'block_results', at),
      commit: await call(comet, 'commit', at),
      validators: await call(comet, 'validators', at),
      ethereum: await callEthereum(ethereum, 'eth_getBlockByNumber', [hex(height), true]),
      receipts: await callEthereum(ethereum, 'eth_getBlockReceipts', [hex(height)]),
      fees: await callEthereum(ethereum, 'eth_feeHistory', ['0x1', hex(height), [50]]),
      traced: await callEthereum(ethereum, 'debug_traceBlockByNumber', [hex(height), { tracer: 'callTracer' }]),
      rest: await getJson(rest, `/cosmos/base/tendermint/v1beta1/blocks/${height}`),
    });
  }
  const range = { fromBlock: hex(LOWEST), toBlock: hex(HEAD) };
  return {
    blocks,
    logs: await callEthereum(ethereum, 'eth_getLogs', [range]),
    txs: await call(comet, 'tx_search', { query: `tx.height >= ${LOWEST}` }),
    found: await call(comet, 'block_search', { query: `mint.amount EXISTS AND block.height >= ${LOWEST}` }),
  };
}

it('prune deletes old blocks, and every face answers the kept blocks as before', async () => {
  const home = temporaryFolder();
  const first = await startDaemonProcess({ home, args: MANUAL });
  let creation = '';
  for (let sequence = 0n; sequence < 8n; sequence += 1n) {
    // A contract whose code is one byte, in block 10.
    if (sequence === 1n)
      creation = await callEthereum(first.endpoints.eth_http ?? '', 'eth_sendTransaction', [
        { from: ACCOUNTS[5]?.hex, data: '0x600160005360016000f3', gas: '0x30d40' },
      ]);
    await call(first.endpoints.comet, 'broadcast_tx_sync', { tx: signedEither(1, sequence).tx });
    await callEthereum(first.endpoints.eth_http ?? '', 'anvil_mine', ['0x9']);
  }
  const { contractAddress: contract } = await callEthereum<{ readonly contractAddress: string }>(
    first.endpoints.eth_http ?? '',
    'eth_getTransactionReceipt',
    [creation],
  );
  const before = await answers(first);
  const { transactions } = await callEthereum<{ readonly transactions: readonly string[] }>(
    first.endpoints.eth_http ?? '',
    'eth_getBlockByNumber',
    [hex(1), false],
  );
  await first.kill('SIGTERM');

  const pruned = await chronicled(['prune', ...RULES, '--home', home]);
  expect(pruned, pruned.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`blocks are kept from height ${LOWEST} on\n`),
  });
  const verified = await chronicledHere(['log', 'verify', '--execute', '-o', 'text', '--home', home]);
  expect(verified, verified.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(` 0 problems, ${HEAD} blocks .*, blocks from height ${LOWEST}\n$`)),
  });
  // The log has the events of a pruned block, without its results and its trace.
  const shownAt = (height: number, form: string): Promise<Ended> =>
    chronicledHere(['log', 'show', '--height', String(height), '-o', form, '--home', home]);
  expect((await shownAt(GONE, 'text')).stdout).toMatch(
    /block 9 decided, 0 transactions\n.* block 9 executed, results pruned, /,
  );
  expect((await shownAt(HEAD, 'text')).stdout).toMatch(/ block 72 executed, \d+ results?, /);
  const [blockEvent, resultEvent] = (await shownAt(GONE, 'json')).stdout.split('\n', 2);
  expect(JSON.parse(blockEvent ?? '')).toMatchObject({ type: 'BlockDecided', data: { trace: null } });
  expect(JSON.parse(resultEvent ?? '')).toMatchObject({ type: 'BlockExecuted', data: { results: null } });
  const refusedFile = join(temporaryFolder(), 'log.ndjson');
  const exported = await chronicledHere(['log', 'export', '--home', home, '--output-document', refusedFile]);
  expect(existsSync(refusedFile)).toBe(false);
  expect(exported).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^results of the blocks below height 32 are pruned: .* from position \d+ on\n$/),
  });
  const [, position = ''] = /position (\d+)/.exec(exported.stderr) ?? [];
  expect((await chronicledHere(['log', 'export', '--from', position, '--home', home])).code).toBe(0);
  const copy = join(temporaryFolder(), 'copy');
  expect((await chronicledHere(['backup', copy, '--home', home])).code).toBe(0);
  expect((await chronicledHere(['log', 'rebuild', '--home', home])).code).toBe(0);

  const daemon = await startDaemonProcess({ home: copy, args: MANUAL });
  const { comet, eth_http: ethereum = '', rest = '' } = daemon.endpoints;
  expect(await answers(daemon)).toEqual(before);
  const text = `height ${GONE} is not available, lowest height is ${LOWEST}`;
  for (const method of ['block', 'block_results', 'commit', 'validators', 'header'])
    expect(await callError(comet, method, { height: String(GONE) }), method).toMatchObject({
      data: expect.stringContaining(text),
    });
  expect(await call(comet, 'status')).toMatchObject({ sync_info: { earliest_block_height: String(LOWEST) } });
  expect(await call(comet, 'tx_search', { query: 'tx.height > 0', per_page: '1' })).toMatchObject({ total_count: '4' });
  for (const [method, ...params] of [
    ['eth_getBlockByNumber', hex(GONE), false],
    ['eth_getBlockReceipts', hex(GONE)],
    ['eth_getLogs', { fromBlock: hex(GONE), toBlock: hex(HEAD) }],
  ] as const)
    await expect(callEthereum(ethereum, method, params), method).rejects.toThrow('pruned history unavailable');
  expect(transactions).toHaveLength(1);
  expect(await callEthereum(ethereum, 'eth_getTransactionByHash', transactions)).toBeNull();
  expect(await callEthereum(ethereum, 'eth_capabilities')).toMatchObject({
    state: { oldestBlock: '0x0' },
    blocks: { oldestBlock: hex(LOWEST) },
  });
  expect(await getJson(rest, `/cosmos/base/tendermint/v1beta1/blocks/${GONE}`)).toMatchObject({
    message: expect.stringContaining(`lowest height is ${LOWEST}`),
  });
  const validators = `/cosmos/base/tendermint/v1beta1/validatorsets/${GONE}`;
  expect(await getJson(rest, validators)).toMatchObject({ code: 2, message: text });
  const status = await fetch(`${rest}/cosmos/base/node/v1beta1/status`, {
    headers: { 'x-cosmos-block-height': String(GONE) },
  });
  expect(await status.json()).toMatchObject({ code: 2, message: text });
  // A whole state still tells the height of the block.
  const sender = ACCOUNTS[1]?.hex;
  for (const [method, ...params] of [
    ['eth_getTransactionBySenderAndNonce', sender, '0x0'],
    ['ots_getTransactionBySenderAndNonce', sender, 0],
    ['ots_getContractCreator', contract],
    ['ots_searchTransactionsBefore', sender, GONE, 5],
    ['ots_searchTransactionsBefore', sender, LOWEST, 5],
    ['ots_searchTransactionsAfter', sender, GONE, 5],
  ] as const)
    await expect(callEthereum(ethereum, method, params), method).rejects.toThrow('pruned history unavailable');
  for (const [method, height] of [
    ['ots_searchTransactionsBefore', 0],
    ['ots_searchTransactionsBefore', LOWEST + 1],
    ['ots_searchTransactionsAfter', 0],
    ['ots_searchTransactionsAfter', LOWEST - 1],
  ] as const)
    expect(await callEthereum(ethereum, method, [sender, height, 5]), method).toHaveProperty('txs');
  await daemon.kill('SIGTERM');

  // The records of the same blocks are pruned with their states.
  const anchored = await chronicledHere(['prune', ...RULES, '--pruning', 'everything', '--home', copy]);
  expect(anchored, anchored.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`the log is kept from height ${LOWEST - 1} on\n`),
  });
  // The next start does not read the snapshot that replaced them.
  const store = await openLevelStore(join(copy, 'data', 'chronicle.db'), { create: false });
  expect(checkpointHeight(store)).toBe(BigInt(HEAD));
  await store.close();
  const executed = await chronicledHere(['log', 'verify', '--execute', '-o', 'text', '--home', copy]);
  expect(executed, executed.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(` 0 problems, ${HEAD - LOWEST + 2} blocks .*, log from height ${LOWEST - 1}\n$`),
    ),
  });
  for (const end of ['--from', '--to'])
    expect(await chronicledHere(['log', 'show', end, '20', '--home', copy]), end).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^position 20 is pruned, the log is kept from position \d+ on\n$/),
    });
  const kept = `height ${GONE} is pruned, the log is kept from height ${LOWEST - 1} on`;
  expect(await chronicledHere(['log', 'show', '--height', String(GONE), '--home', copy])).toMatchObject({
    code: 1,
    stderr: `${kept}\n`,
  });
  expect(await chronicledHere(['export', '--height', String(GONE), '--home', copy])).toMatchObject({
    code: 10,
    stderr: `no state after height ${GONE}: ${kept}\n`,
  });
  const shown = await chronicledHere(['log', 'show', '-o', 'text', '--limit', '4', '--home', copy]);
  expect(shown.stdout.split('\n').map((line) => line.trim().split(' ')[0])).toEqual([
    '1',
    '2',
    '3',
    expect.any(String),
    '',
  ]);
  expect(await chronicledHere(['log', 'export', '--home', copy])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^results of the blocks below height 32 are pruned: /),
  });
  expect((await chronicledHere(['log', 'rebuild', '--home', copy])).code).toBe(0);
  expect((await chronicledHere(['rollback', '--hard', '--home', copy])).code).toBe(0);
  const last = await startDaemonProcess({ home: copy, args: MANUAL });
  for (let height = LOWEST; height < HEAD; height += 13)
    expect(await call(last.endpoints.comet, 'block', { height: String(height) })).toMatchObject({
      block: { header: { height: String(height) } },
    });
  expect(await callError(last.endpoints.comet, 'block', { height: String(GONE) })).toMatchObject({
    data: expect.stringContaining(text),
  });
  const page = callEthereum(last.endpoints.eth_http ?? '', 'chronicle_logEvents', [{ from: '0x14' }]);
  await expect(page).rejects.toThrow('position 20 is pruned, the log is kept from position');
  await last.kill('SIGTERM');

  const rolled = await chronicledHere(['rollback', '--hard', '--home', home]);
  expect(rolled, rolled.stderr).toMatchObject({ code: 0 });
}, 120_000);
