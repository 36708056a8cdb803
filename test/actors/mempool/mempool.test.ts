import { describe, expect, test } from 'vitest';
import type { MempoolView } from '../../../src/actors/mempool/mempool.js';
import { cosmos, ethereum, hashOf, NONCE_LOW, read } from '../../core/mempool/nonce-chain.js';
import { PoolNode, StorageFailure } from './harness.js';

async function started(options?: ConstructorParameters<typeof PoolNode>[0]): Promise<PoolNode> {
  const node = new PoolNode(options);
  await node.start();
  return node;
}

const ACCEPTED = { ok: true, value: { code: 0 } };
const ALL = { bytes: 1_000_000, gas: -1n };
const reaped = (view: MempoolView) => view.reap(ALL).map(({ tx }) => tx);

describe('a transaction that the mempool takes', () => {
  test('counts at once for nonces and blocks; it becomes visible, and its sender is answered, with its record', async () => {
    const node = await started();
    const tx = ethereum('a', 0);
    const { view } = node.mempool;
    let answer: unknown;
    const sent = node.send(tx).then((outcome) => (answer = outcome));
    await node.time.settle();
    expect([view.nextNonce('a'), reaped(view), node.available]).toEqual([1n, [tx], 1]);
    expect([answer, view.get(hashOf(tx)), view.entries('pending')]).toEqual([undefined, undefined, []]);
    await node.write();
    await sent;
    expect(answer).toMatchObject(ACCEPTED);
    expect(view.get(hashOf(tx))?.tx).toBe(tx);
    expect(view.entries('pending')).toHaveLength(1);
  });

  test('is answered at once and leaves no trace when CheckTx refuses it', async () => {
    const node = await started();
    await node.block();
    node.chain.nonces.set('a', 3);
    await node.block();
    expect(await node.send(ethereum('a', 1))).toMatchObject({ ok: true, value: { code: NONCE_LOW } });
    expect([node.appends, node.mempool.view.pending]).toEqual([[], 0]);
  });

  test('leaves the pool when the log refuses it, and the transaction that it replaced returns', async () => {
    const node = await started();
    const [cheap, next, dear] = [ethereum('a', 0, 10), ethereum('a', 1, 10), ethereum('a', 0, 20)];
    const admitted = [node.send(cheap), node.send(next)];
    await node.write();
    await Promise.all(admitted);
    node.busy = true;
    expect(await node.send(dear)).toEqual({ ok: false, error: { code: 'busy', what: 'the log' } });
    expect(await node.send(ethereum('b', 0))).toEqual({ ok: false, error: { code: 'busy', what: 'the log' } });
    node.busy = false;
    expect(reaped(node.mempool.view)).toEqual([cheap, next]);
    expect(node.mempool.view.nextNonce('b')).toBe(0n);
    // A refused transaction may be sent again.
    const again = node.send(dear);
    await node.write();
    expect(await again).toMatchObject(ACCEPTED);
    expect(await node.block()).toEqual([dear, next]);
  });

  test('names the replaced transaction in its TxAdmitted event', async () => {
    const node = await started();
    const [cheap, dear] = [ethereum('a', 0, 10), ethereum('a', 0, 20)];
    const sent = [node.send(cheap), node.send(dear)];
    await node.write();
    await Promise.all(sent);
    const hash = Uint8Array.from(Buffer.from(hashOf(cheap), 'hex'));
    expect(node.log).toEqual([
      { type: 'TxAdmitted', v: 2, data: { tx: cheap, left: [] } },
      { type: 'TxAdmitted', v: 2, data: { tx: dear, left: [hash] } },
    ]);
    expect(node.waiting.all().map(({ tx }) => tx)).toEqual([dear]);
  });

  test('is answered once with storage-failed when the log cannot write, and the supervisor sees the failure', async () => {
    const node = await started();
    const sent = node.send(ethereum('a', 0));
    const failure = new StorageFailure('full');
    for (const { reject } of node.appends.splice(0)) reject(failure);
    expect(await sent).toEqual({ ok: false, error: { code: 'storage-failed' } });
    await node.time.settle();
    expect(node.failures).toEqual([failure]);
  });

  test('is dropped in the log when it becomes invalid, with the next block if the log was busy', async () => {
    const node = await started();
    const sent = ['a', 'b', 'c'].map((account) => node.send(ethereum(account, 0, 10)));
    await node.write();
    await Promise.all(sent);
    node.chain.floor = 50;
    node.busy = true;
    await node.block(0n);
    await node.time.settle();
    node.busy = false;
    expect([node.mempool.view.pending, node.waiting.size]).toEqual([0, 3]);
    await node.block();
    await node.write();
    expect([node.mempool.view.pending, node.waiting.size]).toEqual([0, 0]);
    expect(node.log.at(-1)).toMatchObject({ type: 'TxDropped' });
  });
});

describe('the mempool in the modes of the node', () => {
  test('refuses new transactions with a reason while the node stops, and keeps pending ones', async () => {
    const node = await started();
    const sent = node.send(ethereum('a', 0));
    node.setMode({ kind: 'paused', error: { code: 'halted', reason: 'the node is stopping' } });
    expect(await node.send(ethereum('b', 0))).toEqual({
      ok: false,
      error: { code: 'halted', reason: 'the node is stopping' },
    });
    await node.write();
    expect(await sent).toMatchObject(ACCEPTED);
    expect(await node.block()).toHaveLength(1);
    await node.supervisor.restart('mempool');
    expect(await node.send(ethereum('b', 0))).toMatchObject({ ok: false, error: { code: 'halted' } });
    node.setMode({ kind: 'open' });
    const later = node.send(ethereum('b', 0));
    await node.write();
    expect(await later).toMatchObject(ACCEPTED);
  });

  test('queues new transactions during a revert, and checks them on the new branch in order of arrival', async () => {
    const node = await started();
    const before = node.send(ethereum('a', 0));
    await node.write();
    await before;
    await node.block();
    node.setMode({ kind: 'waiting' });
    const sent = [node.send(ethereum('a', 0)), node.send(cosmos('a', 1)), node.send(ethereum('a', 7))];
    await node.time.settle();
    expect([node.appends, node.mempool.view.nextNonce('a')]).toEqual([[], 1n]);
    node.chain.nonces.clear();
    node.goBack();
    await node.time.settle();
    expect(node.appends).toEqual([]);
    const restarted = node.supervisor.restart('mempool');
    node.setMode({ kind: 'open' });
    await restarted;
    sent.push(node.send(ethereum('a', 2)));
    await node.idle();
    expect(await Promise.all(sent)).toMatchObject([ACCEPTED, ACCEPTED, ACCEPTED, ACCEPTED]);
    expect(node.mempool.view.nextNonce('a')).toBe(3n);
    expect(await node.block()).toEqual([ethereum('a', 0), cosmos('a', 1), ethereum('a', 2)]);
  });

  test('refuses queued transactions beyond the inbox limit, and all of them when the node stops or halts', async () => {
    const node = await started();
    node.setMode({ kind: 'waiting' });
    const sent = Array.from({ length: 1_001 }, (_, nonce) => node.send(cosmos('a', nonce)));
    expect(await sent.at(-1)).toEqual({ ok: false, error: { code: 'busy', what: 'transactions to check' } });
    const error = { code: 'halted', reason: 'the node is stopping' } as const;
    node.setMode({ kind: 'paused', error });
    const refused = await Promise.all(sent.slice(0, -1));
    expect(refused.every((answer) => !answer.ok && answer.error === error)).toBe(true);
    node.setMode({ kind: 'waiting' });
    const last = node.send(cosmos('b', 0));
    node.mempool.end(error);
    expect(await last).toEqual({ ok: false, error });
  });

  test('is empty after a revert, and takes transactions of abandoned blocks again', async () => {
    const node = await started();
    const tx = ethereum('a', 0);
    const sent = [node.send(tx), node.send(cosmos('b', 0))];
    await node.write();
    await Promise.all(sent);
    await node.block(1n);
    node.chain.nonces.clear();
    node.goBack();
    expect([node.mempool.view.pending, node.mempool.view.nextNonce('a')]).toEqual([0, 0n]);
    const again = node.send(tx);
    await node.write();
    expect(await again).toMatchObject(ACCEPTED);
  });
});

describe('the recheck of a large pool after a block', () => {
  test('runs in steps, and admits nothing against a state that is not rechecked yet', async () => {
    const node = await started({ step: 4 });
    const sent = ['a', 'b', 'c', 'd'].flatMap((account) =>
      [0, 1, 2, 3].map((n) => node.send(ethereum(account, n, 10))),
    );
    await node.write();
    await Promise.all(sent);
    const before = node.available;
    node.chain.balances.set('d', 15);
    await node.block(2n);
    expect([node.mempool.view.hasIncludable(), node.available - before]).toEqual([false, 0]);
    // Pending nonces are available meanwhile, also for senders that are not rechecked yet.
    expect(['a', 'b', 'c'].map((account) => node.mempool.view.nextNonce(account))).toEqual([4n, 4n, 4n]);
    const late = node.send(ethereum('d', 4, 10));
    await node.time.settle();
    expect(node.appends).toEqual([]);
    await node.idle();
    expect(await late).toMatchObject(ACCEPTED);
    expect(node.mempool.view.entries('queued').map(({ tx }) => read(tx).nonce)).toEqual([2, 3, 4]);
    expect([node.mempool.view.hasIncludable(), node.available > before]).toEqual([true, true]);
  });

  test('is completed at once when a block is requested', async () => {
    const node = await started({ step: 1 });
    const sent = ['a', 'b', 'c', 'd'].map((account) => node.send(ethereum(account, 0, 10)));
    await node.idle();
    await Promise.all(sent);
    node.chain.floor = 20;
    await node.block(1n);
    expect(reaped(node.mempool.view)).toEqual([]);
    await node.idle();
    expect(node.waiting.size).toBe(0);
  });
});

describe('a requested stop of the mempool', () => {
  test('waits for the answers of the log', async () => {
    const node = await started();
    const sent = node.send(ethereum('a', 0));
    let stopped = false;
    const stop = node.supervisor.stop('mempool').then(() => (stopped = true));
    await node.time.settle();
    expect(stopped).toBe(false);
    await node.write();
    await stop;
    expect(await sent).toMatchObject(ACCEPTED);
    node.mempool.end({ code: 'halted', reason: 'the node is stopping' });
    expect(await node.send(ethereum('a', 1))).toMatchObject({ ok: false, error: { code: 'halted' } });
  });
});
