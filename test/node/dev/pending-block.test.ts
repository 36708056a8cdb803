/** The block `pending` over the JSON-RPC of a whole simulated node: the block that would come next. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeFunctionData, encodeFunctionResult } from 'viem';
import { Worker } from '../../contracts/index.js';
import { send } from '../simulated-node.js';
import { admit, head } from './support.js';
import { ETHER, NOBODY, type Block, type Node, opened, quantity, undecided } from './pending-node.js';

const ZERO_SLOT = '0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563';

describe('the pending block with waiting transactions', () => {
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

  it('has the header, transaction count and receipts of the next block', async () => {
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
    // a pending transaction is in no mined block
    expect(await node.ask('eth_getTransactionByHash', waiting[0])).toMatchObject({
      blockHash: null,
      blockNumber: null,
    });
    expect(await node.ask('eth_getTransactionReceipt', waiting[0])).toBeNull();
    expect(await node.ask('eth_getBlockByNumber', pending.number, false)).toBeNull();
    expect(await node.ask('eth_blockNumber')).toBe(quantity(height));
  });

  it('answers accounts, code, storage and proofs as they are after it', async () => {
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

  it('runs calls, estimates, access lists, traces and simulations on its state', async () => {
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

  it('gives calls its number, time, base fee and parent hash', async () => {
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

  it('is the last block of eth_feeHistory', async () => {
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

  it('equals the block that is mined next', async () => {
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

it('the pending block under preset evmd equals the block that is mined next', async () => {
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
