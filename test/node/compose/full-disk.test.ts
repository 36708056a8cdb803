/**
 * A disk with too little space: blocks and admission stop with a reason, reads continue, and the chain resumes
 * later.
 */
import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { DISK_FULL } from '../../../src/core/errors.js';
import { ExecutorLost } from '../../../src/runtime/executor/executor.js';
import { PoisonedError } from '../../../src/store/errors.js';
import { unhandledRejections } from '../../support/unhandled-rejections.js';
import { MemoryStore } from '../../support/memory-store.js';
import { send, simulate } from '../simulated-node.js';

const SIZE = 1n << 40n;

test('a full disk stops blocks and admission until space is free again', async () => {
  let free = SIZE;
  const simulated = await simulate({
    store: new MemoryStore(),
    diskSpace: () => Promise.resolve({ free, size: SIZE }),
    mining: { kind: 'interval', intervalMs: 100 },
  });
  const { node, time, errors } = simulated;
  const head = (): bigint => node.api.queries.chain.head().height;
  const look = async (): Promise<void> => {
    await time.advance(FIXED_LIMITS.diskWatchMs);
    for (let turn = 0; turn < 50; turn += 1) await time.advance(0);
  };
  await simulated.mineTo(2n);

  free = FIXED_LIMITS.diskReserveBytes - 1n;
  await look();
  await look();
  const stopped = head();
  expect(node.supervisor.mode()).toBe('diskFull');
  expect(errors).toEqual([expect.stringContaining('the disk is full')]);
  const refused = { ok: false, error: DISK_FULL };
  expect(await node.api.commands.broadcastTx(send(0, 1, 5n, 0n))).toEqual(refused);
  expect(await node.consensus.mine()).toEqual(refused);
  expect(await node.consensus.pause()).toEqual(refused);
  await look();
  expect(head()).toBe(stopped);

  // A little more than the reserve is not enough: the node would soon stop again.
  free = FIXED_LIMITS.diskReserveBytes + 1n;
  await look();
  expect(node.supervisor.mode()).toBe('diskFull');

  free = 2n * FIXED_LIMITS.diskReserveBytes;
  await look();
  expect(node.supervisor.mode()).toBe('running');
  expect(await node.api.commands.broadcastTx(send(0, 1, 5n, 0n))).toMatchObject({ ok: true, value: { code: 0 } });
  await simulated.mineTo(stopped + 2n);
  await node.stop();
});

test('a write that fails with ENOSPC is reported as a full disk', async () => {
  const store = new MemoryStore();
  let isFull = false;
  const noSpace = Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' });
  const simulated = await simulate({
    store,
    openStore: (opened) => ({
      get: (key) => opened.get(key),
      range: (options) => opened.range(options),
      commit: (operations, options) => (isFull ? Promise.reject(noSpace) : opened.commit(operations, options)),
      close: () => opened.close(),
    }),
  });
  const { node } = simulated;
  isFull = true;
  const full = { ok: false, error: { code: 'halted', reason: expect.stringContaining('the disk is full') } };
  expect(await node.api.commands.broadcastTx(send(0, 1, 5n, 0n))).toEqual(full);
  expect(await node.failed).toBeInstanceOf(Error);
  await node.stop().catch(() => undefined);
});

test('a store failure before a block is written stops the node without an unhandled rejection', async () => {
  let isFull = false;
  let rejectAll: (error: Error) => void = () => undefined;
  const simulated = await simulate({
    store: new MemoryStore(),
    openStore: (opened) => ({
      get(key) {
        if (isFull) throw new PoisonedError(new Error('File too large'));
        return opened.get(key);
      },
      range: (options) => opened.range(options),
      commit: (operations, options) => opened.commit(operations, options),
      close: () => opened.close(),
    }),
    wrap: (executor) => ({
      ...executor,
      // the thread answers after the main thread met the failed store
      commit(height) {
        if (height < 3n) return executor.commit(height);
        isFull = true;
        return new Promise((_, reject) => (rejectAll = reject));
      },
      async stop() {
        rejectAll(new ExecutorLost('executor lost: stopped'));
        await executor.stop();
      },
    }),
  });
  const { node } = simulated;
  await simulated.mineTo(2n);
  const unhandled = await unhandledRejections(async () => {
    await expect(simulated.mineTo(3n)).rejects.toBeInstanceOf(PoisonedError);
    await node.stop().catch(() => undefined);
  });
  expect(unhandled).toEqual([]);
});

test('a small disk keeps an eighth of itself free', async () => {
  const size = 64n << 20n;
  let free = size / 8n;
  const simulated = await simulate({ store: new MemoryStore(), diskSpace: () => Promise.resolve({ free, size }) });
  const { node, time } = simulated;
  const look = async (): Promise<void> => {
    await time.advance(FIXED_LIMITS.diskWatchMs);
    for (let turn = 0; turn < 50; turn += 1) await time.advance(0);
  };
  await look();
  expect(node.supervisor.mode()).toBe('running');
  free -= 1n;
  await look();
  expect(node.supervisor.mode()).toBe('diskFull');
  await node.stop();
});
