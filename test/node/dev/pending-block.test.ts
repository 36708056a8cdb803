/** The block `pending` over the JSON-RPC of a whole simulated node: the block that would come next. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeFunctionData, encodeFunctionResult } from 'viem';
import { createEthereumRpc, type EthereumRpc } from '../../../src/adapters/eth-rpc/index.js';
import { fromHex, hexQuantity } from '../../../src/core/bytes/hex.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { textOf, timers } from '../../adapters/eth-rpc/face.js';
import { resultProblems } from '../../support/openrpc.js';
import { Worker } from '../../contracts/index.js';
import { accounts, plan, send, simulate, type SimulatedNode, type Simulation } from '../simulated-node.js';
import { admit, devOf, head, reopenable, value } from './support.js';

const ETHER = 10n ** 18n;
const NOBODY = `0x${'0b'.repeat(20)}`;

interface Block {
  readonly number: string;
  readonly timestamp: string;
  readonly transactions: readonly string[];
  readonly hash: string | null;
}

interface Node {
  readonly simulated: SimulatedNode;
  readonly senders: readonly string[];
  ask<Value = string>(method: string, ...params: readonly unknown[]): Promise<Value>;
  /** Sends from the account with this index, without waiting for a block. */
  send(from: number, transaction: object): Promise<string>;
  mine(): Promise<void>;
}

async function opened(more: Omit<Simulation, 'store'> = {}): Promise<Node> {
  const devKeys = accounts.map(({ hex, privateKey }) => ({ address: fromHex(hex.slice(2)), privateKey }));
  const simulated = await simulate({ store: reopenable(), devKeys, ...more });
  const { ethereum } = simulated.node;
  if (ethereum === undefined) throw new Error('the node has no Ethereum face');
  const rpc: EthereumRpc = createEthereumRpc(ethereum.api, {
    crypto: createPureCrypto(),
    limits: DEFAULT_LIMITS,
    timers,
    clientVersion: 'chronicled/v0.0.0/test/node',
    onDefect: (error) => {
      throw error;
    },
    onRefusedSend: undefined,
  });
  const senders = accounts.map(({ hex }) => hex.toLowerCase());
  const ask: Node['ask'] = async <Value>(method: string, ...params: readonly unknown[]) => {
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const headers = new Map([['content-type', 'application/json']]);
    const text = await textOf(await rpc.http({ method: 'POST', path: '/', query: '', headers, body }));
    const { result, error } = JSON.parse(text) as { result: Value; error?: { message: string } };
    if (error !== undefined) throw new Error(error.message);
    expect(resultProblems(method, result)).toEqual([]);
    return result;
  };
  return {
    simulated,
    senders,
    ask,
    send: (from, transaction) => ask('eth_sendTransaction', { from: senders[from], gas: '0x186a0', ...transaction }),
    mine: async () => void (await value(devOf(simulated).mine(1, undefined))),
  };
}

const quantity = (value: bigint): string => hexQuantity(value);

/** A block without the members that only a decided one has. */
function undecided(block: Block): object {
  const { hash: _hash, nonce: _nonce, miner: _miner, size: _size, ...rest } = block as Block & Record<string, unknown>;
  return rest;
}

describe('with transactions that wait', () => {
  let node: Node;
  let worker: string;
  let waiting: readonly string[];
  let payer: string;
  const data = (functionName: string): string => encodeFunctionData({ abi: Worker.abi, functionName });

  beforeAll(async () => {
    node = await opened();
    [payer = ''] = node.senders;
    const created = await node.send(0, { data: Worker.bytecode, gas: '0x4c4b40' });
    await node.mine();
    worker = (await node.ask<{ contractAddress: string }>('eth_getTransactionReceipt', created)).contractAddress;
    waiting = [
      await node.send(0, { to: worker, data: data('increment') }),
      await node.send(0, { to: NOBODY, value: quantity(ETHER) }),
      await node.send(1, { data: Worker.bytecode, gas: '0x4c4b40' }),
    ];
    // a Cosmos transaction has its effects there, too
    expect(await admit(node.simulated, send(2, 0, 7n, 0n))).toBe(0);
  });
  afterAll(() => node.simulated.node.stop());

  it('blocks, headers, counts and receipts are those of the next block', async () => {
    const { height } = head(node.simulated);
    const pending = await node.ask<Block & { parentHash: string }>('eth_getBlockByNumber', 'pending', false);
    const latest = await node.ask<Block>('eth_getBlockByNumber', 'latest', false);
    expect(pending).toMatchObject({ number: quantity(height + 1n), hash: null, nonce: null, miner: null });
    expect(pending.parentHash).toBe(latest.hash);
    expect(pending.transactions).toEqual(waiting);
    expect(await node.ask('eth_getHeaderByNumber', 'pending')).toMatchObject({ number: pending.number, hash: null });
    expect(await node.ask('eth_getBlockTransactionCountByNumber', 'pending')).toBe('0x3');
    const receipts = await node.ask<{ transactionHash: string; status: string }[]>('eth_getBlockReceipts', 'pending');
    expect(receipts.map(({ transactionHash, status }) => [transactionHash, status])).toEqual(
      waiting.map((hash) => [hash, '0x1']),
    );
    expect(await node.ask('eth_getTransactionByBlockNumberAndIndex', 'pending', '0x1')).toMatchObject({
      hash: waiting[1],
      transactionIndex: '0x1',
    });
    // what waits is on no block
    expect(await node.ask('eth_getTransactionByHash', waiting[0])).toMatchObject({
      blockHash: null,
      blockNumber: null,
    });
    expect(await node.ask('eth_getTransactionReceipt', waiting[0])).toBeNull();
    expect(await node.ask('eth_getBlockByNumber', pending.number, false)).toBeNull();
    expect(await node.ask('eth_blockNumber')).toBe(quantity(height));
  });

  it('accounts, code and storage are those after it', async () => {
    const [, second = ''] = node.senders;
    expect(await node.ask('eth_getBalance', NOBODY, 'pending')).toBe(quantity(ETHER));
    expect(await node.ask('eth_getBalance', NOBODY, { blockNumber: 'pending' })).toBe(quantity(ETHER));
    for (const tag of ['latest', 'safe', 'finalized'])
      expect(await node.ask('eth_getBalance', NOBODY, tag)).toBe('0x0');
    expect(await node.ask('eth_getTransactionCount', payer, 'pending')).toBe('0x3');
    expect(await node.ask('eth_getTransactionCount', payer, 'latest')).toBe('0x1');
    expect(await node.ask('eth_getStorageAt', worker, '0x0', 'pending')).toMatch(/01$/u);
    expect(await node.ask('eth_getStorageAt', worker, '0x0', 'latest')).toMatch(/00$/u);
    expect(await node.ask('eth_getStorageValues', { [worker]: ['0x0'] }, 'pending')).toEqual({
      [worker]: [expect.stringMatching(/01$/u)],
    });
    const receipts = await node.ask<{ contractAddress: string }[]>('eth_getBlockReceipts', 'pending');
    const created = receipts[2]?.contractAddress;
    expect(await node.ask('eth_getCode', created, 'pending')).toBe(await node.ask('eth_getCode', worker, 'latest'));
    expect(await node.ask('ots_hasCode', created, 'pending')).toBe(true);
    expect(await node.ask('eth_getCode', created, 'latest')).toBe('0x');
    expect(await node.ask('eth_getAccountInfo', second, 'pending')).toMatchObject({ nonce: '0x1', code: '0x' });
    const pendingProof = { storageProof: [{ key: '0x0', value: '0x1' }] };
    const proved = await node.ask('eth_getProof', worker, ['0x0'], 'pending');
    expect(proved).toMatchObject(pendingProof);
    // the tries of the head, which are kept now, are not those of the block that comes next
    expect(await node.ask('eth_getProof', worker, ['0x0'], 'latest')).not.toMatchObject(pendingProof);
    expect(await node.ask('eth_getProof', worker, ['0x0'], 'pending')).toEqual(proved);
    expect(await node.ask('eth_getAccount', NOBODY, 'pending')).toMatchObject({ balance: quantity(ETHER) });
    expect(await node.ask('debug_accountInfoAt', 'pending', '0x1', NOBODY)).toMatchObject({ balance: quantity(ETHER) });
    expect(await node.ask('debug_storageRangeAt', 'pending', 1, worker, '0x', 10)).toMatchObject({
      storage: { [ZERO_SLOT]: { value: expect.stringMatching(/01$/u) } },
    });
  });

  it('calls, estimates, lists, traces and simulations run on it', async () => {
    const counter = { to: worker, data: data('counter') };
    const one = `0x${'1'.padStart(64, '0')}`;
    const two = `0x${'2'.padStart(64, '0')}`;
    const increment = { to: worker, data: data('increment') };
    expect(await node.ask('eth_call', counter, 'pending')).toBe(one);
    expect(await node.ask('eth_call', counter, 'latest')).toBe(`0x${'0'.repeat(64)}`);
    expect(await node.ask('eth_call', counter, { blockNumber: 'pending' })).toBe(one);
    expect(await node.ask('eth_call', counter, 'pending', { [NOBODY]: { balance: '0x1' } })).toBe(one);
    // a slot that is set costs less to change
    const [first, second] = await Promise.all(
      ['latest', 'pending'].map(async (tag) => BigInt(await node.ask('eth_estimateGas', increment, tag))),
    );
    expect(first).toBeGreaterThan((second ?? 0n) + 10_000n);
    const listed = async (tag: string) =>
      BigInt((await node.ask<{ gasUsed: string }>('eth_createAccessList', increment, tag)).gasUsed);
    expect(await listed('latest')).toBeGreaterThan((await listed('pending')) + 10_000n);
    const { height } = head(node.simulated);
    const simulated = await node.ask<{ number: string; calls: { returnData: string }[] }[]>(
      'eth_simulateV1',
      { blockStateCalls: [{ calls: [increment, counter] }] },
      'pending',
    );
    expect(simulated).toMatchObject([{ number: quantity(height + 2n), calls: [{}, { returnData: two }] }]);
    expect(
      await node.ask('eth_callMany', [{ transactions: [increment, counter] }], { blockNumber: 'pending' }),
    ).toEqual([[{ value: '0x' }, { value: two }]]);
    const tracer = { tracer: 'callTracer' };
    expect(await node.ask('debug_traceCall', counter, 'pending', tracer)).toMatchObject({ output: one });
    expect(await node.ask('debug_traceCall', counter, 'pending', { ...tracer, txIndex: '0x0' })).toMatchObject({
      output: `0x${'0'.repeat(64)}`,
    });
    const traces = await node.ask<{ txHash: string; result: object }[]>('debug_traceBlockByNumber', 'pending', tracer);
    expect(traces.map(({ txHash }) => txHash)).toEqual(waiting);
    expect(traces[1]?.result).toMatchObject({ to: NOBODY, value: quantity(ETHER) });
    expect(await node.ask<object[]>('trace_block', 'pending')).toHaveLength(3);
    expect(await node.ask<object[]>('trace_filter', { fromBlock: 'pending', toBlock: 'pending' })).toHaveLength(3);
    expect(await node.ask<object[]>('trace_replayBlockTransactions', 'pending', ['trace'])).toHaveLength(3);
    expect(await node.ask('trace_callMany', [[counter, ['trace']]], 'pending')).toMatchObject([{ output: one }]);
    expect(await node.ask('debug_getRawHeader', 'pending')).toMatch(/^0xf9/u);
    await expect(node.ask('eth_getLogs', { toBlock: 'pending' })).rejects.toThrow('pending logs are not supported');
  });

  it('a call sees its number, time, base fee and parent', async () => {
    const pending = await node.ask<Block & { baseFeePerGas: string; parentHash: string }>(
      'eth_getBlockByNumber',
      'pending',
      false,
    );
    const coinbase = (await node.ask<{ miner: string }>('eth_getBlockByNumber', 'latest', false)).miner;
    const told = encodeFunctionResult({
      abi: Worker.abi,
      functionName: 'facts',
      result: [
        BigInt(pending.number),
        BigInt(pending.timestamp),
        BigInt(await node.ask('eth_chainId')),
        BigInt(pending.baseFeePerGas),
        BigInt(pending.baseFeePerGas),
        coinbase,
        pending.parentHash,
      ],
    });
    const call = { to: worker, data: data('facts'), gasPrice: pending.baseFeePerGas, from: payer };
    expect(await node.ask('eth_call', call, 'pending')).toBe(told);
  });

  it('the history of fees ends with it', async () => {
    const { height } = head(node.simulated);
    const history = await node.ask<{ oldestBlock: string; baseFeePerGas: string[]; gasUsedRatio: number[] }>(
      'eth_feeHistory',
      '0x2',
      'pending',
      [],
    );
    const block = await node.ask<{ gasUsed: string; gasLimit: string }>('eth_getBlockByNumber', 'pending', false);
    expect(history.oldestBlock).toBe(quantity(height));
    expect(history.gasUsedRatio[1]).toBe(Number(block.gasUsed) / Number(block.gasLimit));
    expect(history.baseFeePerGas).toHaveLength(3);
  });

  it('it is the block that is then made', async () => {
    const pending = await node.ask<Block>('eth_getBlockByNumber', 'pending', false);
    const receipts = await node.ask<object[]>('eth_getBlockReceipts', 'pending');
    const balances = await Promise.all(node.senders.map((one) => node.ask('eth_getBalance', one, 'pending')));
    const fees = await node.ask<{ baseFeePerGas: string[] }>('eth_feeHistory', '0x1', 'pending', []);
    await node.mine();
    const made = await node.ask<Block>('eth_getBlockByNumber', 'latest', false);
    expect(undecided(made)).toEqual(undecided(pending));
    // so is the hash in them
    expect(await node.ask<object[]>('eth_getBlockReceipts', 'latest')).toEqual(receipts);
    expect(await Promise.all(node.senders.map((one) => node.ask('eth_getBalance', one, 'latest')))).toEqual(balances);
    expect(await node.ask('eth_feeHistory', '0x1', 'latest', [])).toMatchObject({ baseFeePerGas: fees.baseFeePerGas });
    // nothing waits any more
    const next = await node.ask<Block>('eth_getBlockByNumber', 'pending', false);
    expect(next).toMatchObject({ number: quantity(BigInt(made.number) + 1n), transactions: [] });
  });
});

it('under preset evmd it is the block that is then made, too', async () => {
  const node = await opened({ preset: 'evmd' });
  await node.mine();
  const created = await node.send(0, { data: Worker.bytecode, gas: '0x4c4b40' });
  await node.send(1, { to: NOBODY, value: quantity(ETHER) });
  const pending = await node.ask<Block>('eth_getBlockByNumber', 'pending', false);
  expect(pending).toMatchObject({ number: '0x2', hash: null, transactions: expect.arrayContaining([created]) });
  const [payer = ''] = node.senders;
  const facts = async (block: string): Promise<readonly unknown[]> => [
    await node.ask('eth_getBalance', NOBODY, block),
    await node.ask('eth_getBalance', payer, block),
    await node.ask('eth_getTransactionCount', payer, block),
    await node.ask('eth_call', { from: payer, to: NOBODY, value: quantity(ETHER) }, block),
  ];
  const then = await facts('pending');
  expect(then.slice(0, 1)).toEqual([quantity(ETHER)]);
  await node.mine();
  expect(undecided(await node.ask<Block>('eth_getBlockByNumber', 'latest', false))).toEqual(undecided(pending));
  expect(await facts('latest')).toEqual(then);
  await node.simulated.node.stop();
});

const ZERO_SLOT = '0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563';

it('its time is the one that was set, and its facts are those that were set', async () => {
  const node = await opened();
  const pending = () => node.ask<Block>('eth_getBlockByNumber', 'pending', false);
  // the first block has the time of the genesis
  await node.simulated.time.advance(3_000);
  const first = await pending();
  await node.mine();
  expect(undecided(await node.ask<Block>('eth_getBlockByNumber', 'latest', false))).toEqual(undecided(first));
  await node.mine();
  const second = head(node.simulated).time / 1_000_000_000n;
  // blocks that are made by commands have the current time
  expect((await pending()).timestamp).toBe(quantity(second));
  await node.simulated.time.advance(7_000);
  expect((await pending()).timestamp).toBe(quantity(second + 7n));
  await node.mine();
  expect(await node.ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ timestamp: quantity(second + 7n) });
  await node.ask('evm_setNextBlockTimestamp', quantity(second + 500n));
  expect((await pending()).timestamp).toBe(quantity(second + 500n));
  await node.ask('evm_setNextBlockTimestamp', quantity(second + 900n));
  await node.ask('anvil_setNextBlockBaseFeePerGas', quantity(77n));
  expect(await pending()).toMatchObject({ timestamp: quantity(second + 900n), baseFeePerGas: quantity(77n) });
  // asking for it takes nothing from the block that is made
  await node.mine();
  expect(await node.ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({
    timestamp: quantity(second + 900n),
    baseFeePerGas: quantity(77n),
  });
  await node.ask('evm_increaseTime', 1_000);
  const moved = BigInt((await pending()).timestamp);
  expect(moved).toBeGreaterThanOrEqual(second + 1_000n);
  await node.mine();
  expect(head(node.simulated).time / 1_000_000_000n).toBe(moved);
  await node.simulated.node.stop();
});

it('where blocks come by themselves, its time is that of the commit of the head, or the one that was set', async () => {
  const node = await opened({ mining: { kind: 'interval', intervalMs: 60_000 } });
  const latest = () => node.ask<Block>('eth_getBlockByNumber', 'latest', false);
  const pending = () => node.ask<Block>('eth_getBlockByNumber', 'pending', false);
  const facts = ({ number, timestamp }: Block) => ({ number, timestamp });
  await node.simulated.mineTo(2n);
  await node.simulated.time.advance(7_000);
  const expected = await pending();
  await node.simulated.mineTo(3n);
  expect(facts(await latest())).toEqual(facts(expected));
  const later = quantity(BigInt(expected.timestamp) + 500n);
  await node.ask('evm_setNextBlockTimestamp', later);
  expect(await pending()).toMatchObject({ number: '0x4', timestamp: later });
  await node.simulated.mineTo(4n);
  expect(facts(await latest())).toEqual({ number: '0x4', timestamp: later });
  await node.simulated.node.stop();
});

it('it follows an empty block of the same second', async () => {
  const node = await opened();
  await node.mine();
  const ask = async () => BigInt((await node.ask<Block>('eth_getBlockByNumber', 'pending', false)).number);
  const number = await ask();
  await node.mine();
  expect(await ask()).toBe(number + 1n);
  await node.simulated.node.stop();
});

it('what is replaced, dropped, reverted or sent later changes it', async () => {
  const node = await opened();
  const pending = async () => (await node.ask<Block>('eth_getBlockByNumber', 'pending', false)).transactions;
  const id = await node.ask('evm_snapshot');
  const first = await node.send(0, { to: NOBODY, value: '0x1', nonce: '0x0', gasPrice: quantity(3n * 10n ** 9n) });
  expect(await pending()).toEqual([first]);
  const better = await node.send(0, { to: NOBODY, value: '0x2', nonce: '0x0', gasPrice: quantity(9n * 10n ** 9n) });
  expect(await pending()).toEqual([better]);
  expect(await node.ask('eth_getBalance', NOBODY, 'pending')).toBe('0x2');
  const later = await node.send(0, { to: NOBODY, value: '0x3', nonce: '0x2' });
  expect(await pending()).toEqual([better]);
  const between = await node.send(0, { to: NOBODY, value: '0x4', nonce: '0x1' });
  expect(await pending()).toEqual([better, between, later]);
  await node.ask('anvil_dropTransaction', later);
  expect(await pending()).toEqual([better, between]);
  await node.mine();
  expect(await node.ask('eth_getBalance', NOBODY, 'pending')).toBe('0x6');
  await node.ask('evm_revert', id);
  expect(await node.ask('eth_getBalance', NOBODY, 'pending')).toBe('0x0');
  expect(await pending()).toEqual([]);
  await node.simulated.node.stop();
});

it.each(['first', 'next'] as const)('it holds what fits the %s block', async (which) => {
  const node = await opened();
  if (which === 'next') await node.mine();
  // the gas limits of all together are more than a block
  for (let nonce = 0; nonce < 40; nonce += 1)
    await node.send(0, { to: NOBODY, value: '0x1', nonce: quantity(BigInt(nonce)), gas: quantity(20_000_000n) });
  const pending = await node.ask<Block>('eth_getBlockByNumber', 'pending', false);
  await node.mine();
  const made = await node.ask<Block>('eth_getBlockByNumber', 'latest', false);
  expect(pending.transactions).toHaveLength(which === 'next' ? 40 : 1);
  expect(pending.transactions).toEqual(made.transactions);
  expect(undecided(made)).toEqual(undecided(pending));
  await node.simulated.node.stop();
});

it('it is made once for all who ask at a time, and its state goes to a thread once', async () => {
  let made = 0;
  let sent = 0;
  const node = await opened({
    wrapPool: (thread) => ({
      ...thread,
      ask(request, onMore) {
        if (request.kind === 'run' && request.task.kind === 'next-block') made += 1;
        if (request.kind === 'run' && request.changed?.writes !== undefined) sent += 1;
        return thread.ask(request, onMore);
      },
    }),
  });
  await node.mine();
  const ask = () => node.ask('eth_getBalance', NOBODY, 'pending');
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set(['0x0']));
  expect(made).toBe(1);
  const before = ask();
  await node.send(0, { to: NOBODY, value: '0x5' });
  expect(await before).toBe('0x0');
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set(['0x5']));
  expect(made).toBe(2);
  // the nonce is that of the pool, and makes no block
  await node.send(0, { to: NOBODY, value: '0x5' });
  expect(await node.ask('eth_getTransactionCount', node.senders[0], 'pending')).toBe('0x2');
  expect([made, sent]).toEqual([2, 0]);
  // SELFBALANCE, in a code of the call
  const call = [{ to: NOBODY }, 'pending', { [NOBODY]: { code: '0x475f5260205ff3' } }];
  for (let calls = 0; calls < 3; calls += 1) expect(BigInt(await node.ask('eth_call', ...call))).toBe(10n);
  expect([made, sent]).toEqual([3, 1]);
  await node.send(0, { to: NOBODY, value: '0x5' });
  expect(BigInt(await node.ask('eth_call', ...call))).toBe(15n);
  expect([made, sent]).toEqual([4, 2]);
  await node.simulated.node.stop();
});

it('one is made at a time, and those who ask meanwhile share the next', async () => {
  const waiting: (() => void)[] = [];
  const node = await opened({
    wrapPool: (thread) => ({
      ...thread,
      async ask(request, onMore) {
        if (request.kind === 'run' && request.task.kind === 'next-block')
          await new Promise<void>((resolve) => waiting.push(resolve));
        return thread.ask(request, onMore);
      },
    }),
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const ask = () => node.ask('eth_getBalance', NOBODY, 'pending');
  const first = ask();
  await node.send(0, { to: NOBODY, value: '0x5' });
  const others = Array.from({ length: 20 }, ask);
  await turn();
  expect(waiting).toHaveLength(1);
  waiting.shift()?.();
  expect(await first).toBe('0x0');
  await turn();
  expect(waiting).toHaveLength(1);
  waiting.shift()?.();
  expect(new Set(await Promise.all(others))).toEqual(new Set(['0x5']));
  expect(waiting).toHaveLength(0);
  await node.simulated.node.stop();
});

it('a block that cannot be made fails the call, and is tried again by the next', async () => {
  let failures = 2;
  const node = await opened({
    wrapPool: (thread) => ({
      ...thread,
      ask(request, onMore) {
        const isRefused = request.kind === 'run' && request.task.kind === 'next-block' && failures > 0;
        if (!isRefused) return thread.ask(request, onMore);
        failures -= 1;
        return Promise.resolve({ kind: 'interrupted' });
      },
    }),
  });
  await node.send(0, { to: NOBODY, value: '0x5' });
  await expect(node.ask('eth_getBalance', NOBODY, 'pending')).rejects.toThrow('timeout');
  expect(await node.ask('eth_getBalance', NOBODY, 'pending')).toBe('0x5');
  await node.simulated.node.stop();
});

it('it has the first of many that wait, as many as fit in its time, and the next block has all', async () => {
  let now = 0;
  // each look at the clock takes 100 ms: 40 of them are the time of the block
  const node = await opened({ poolElapsed: () => (now += 100) });
  await node.mine();
  const sent: string[] = [];
  for (let nonce = 0; nonce < 80; nonce += 1)
    sent.push(await node.send(0, { to: NOBODY, value: '0x1', nonce: quantity(BigInt(nonce)) }));
  const { transactions } = await node.ask<Block>('eth_getBlockByNumber', 'pending', false);
  const { length } = transactions;
  expect(length).toBeGreaterThan(20);
  expect(length).toBeLessThan(41);
  expect(transactions).toEqual(sent.slice(0, length));
  expect(await node.ask('eth_getBalance', NOBODY, 'pending')).toBe(quantity(BigInt(length)));
  expect(await node.ask('eth_getTransactionCount', node.senders[0], 'pending')).toBe(quantity(80n));
  await node.mine();
  expect(await node.ask('eth_getBalance', NOBODY, 'latest')).toBe(quantity(80n));
  await node.simulated.node.stop();
});

it('before an upgrade that is due none is made: the head is shown with the next base fee', async () => {
  let made = 0;
  const node = await opened({
    wrapPool: (thread) => ({
      ...thread,
      ask(request, onMore) {
        if (request.kind === 'run' && request.task.kind === 'next-block') made += 1;
        return thread.ask(request, onMore);
      },
    }),
  });
  const { height } = head(node.simulated);
  expect(await admit(node.simulated, plan('v9', height + 2n, 0n))).toBe(0);
  await node.mine();
  const latest = await node.ask<Block>('eth_getBlockByNumber', 'latest', false);
  expect(await node.ask('eth_getBlockByNumber', 'pending', false)).toMatchObject({
    number: quantity(height + 1n),
    hash: latest.hash,
  });
  await expect(node.ask('debug_traceCall', {}, 'pending')).rejects.toThrow('tracing on top of pending');
  expect(made).toBe(0);
  await node.simulated.node.stop();
});
