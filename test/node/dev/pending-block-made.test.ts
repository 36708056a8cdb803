/** How the block `pending` is built: its time, its transactions, and how often it is built. */
import { expect, it } from 'vitest';
import { plan } from '../simulated-node.js';
import { admit, head } from './support.js';
import { NOBODY, type Block, opened, quantity, undecided } from './pending-node.js';

it('the pending block has the timestamp and facts that were set, else the current time', async () => {
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

it("with interval mining, the pending block has the time of the head's commit or the set timestamp", async () => {
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

it('the number of the pending block rises after an empty block of the same second', async () => {
  const node = await opened();
  await node.mine();
  const ask = async () => BigInt((await node.ask<Block>('eth_getBlockByNumber', 'pending', false)).number);
  const number = await ask();
  await node.mine();
  expect(await ask()).toBe(number + 1n);
  await node.simulated.node.stop();
});

it('replacing, dropping, sending or reverting transactions changes the pending block', async () => {
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

it.each(['first', 'next'] as const)(
  'the pending block holds the transactions that fit into the %s block',
  async (which) => {
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
  },
);

it('concurrent reads share one pending block, and its state is sent to a thread once', async () => {
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
  // the nonce comes from the pool, without building a block
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

it('one pending block is built at a time; reads during the build share the next one', async () => {
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

it('a pending block that cannot be built fails its call, and the next call tries again', async () => {
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

it('the pending block stops at its time limit; the mined block has all transactions', async () => {
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

it('no pending block is built before a due upgrade; the head is shown in its place', async () => {
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
