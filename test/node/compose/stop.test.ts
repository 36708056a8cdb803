/** The stop of a node: it waits for running writes of the log, and refuses every later command. */
import { expect, test } from 'vitest';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { MemoryStore } from '../../support/memory-store.js';
import { send, simulate } from '../simulated-node.js';

const STOPPING = { code: 'halted', reason: 'the node is stopping' };

test('a stop waits for an admission that is being written, then closes the store', async () => {
  const memory = new MemoryStore();
  const happened: string[] = [];
  let isHeld = false;
  let release = (): void => undefined;
  const store: KeyValueStore = {
    get: (key) => memory.get(key),
    range: (options) => memory.range(options),
    async commit(operations) {
      if (isHeld) await new Promise<void>((resolve) => (release = resolve));
      await memory.commit(operations);
    },
    close() {
      happened.push('closed');
      return memory.close();
    },
  };
  const simulated = await simulate({ store });
  await simulated.mineTo(1n);
  const { node } = simulated;
  isHeld = true;
  const admitted = node.api.commands.broadcastTx(send(0, 1, 5n, 0n)).then((answer) => {
    happened.push(answer.ok ? 'admitted' : answer.error.code);
  });
  const stopped = node.stop();
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(happened).toEqual([]);
  isHeld = false;
  release();
  await Promise.all([admitted, stopped]);
  expect(happened).toEqual(['admitted', 'closed']);
});

test('every actor refuses commands after the stop', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  await simulated.mineTo(1n);
  const { node } = simulated;
  const { registry } = node.subscriptions;
  const filters = node.ethereum?.api.filters;
  await node.stop();
  const refused = { ok: false, error: STOPPING };
  expect(await registry.subscribe({ face: 'ethereum' }, { kind: 'newHeads', fromBlock: undefined })).toEqual({
    ok: false,
    refusal: { code: 'failed', error: STOPPING },
  });
  expect(await node.mempool.broadcast(send(0, 1, 5n, 0n))).toEqual(refused);
  expect(await node.consensus.mine()).toEqual(refused);
  expect(await filters?.create({ kind: 'block' })).toEqual(refused);
});
