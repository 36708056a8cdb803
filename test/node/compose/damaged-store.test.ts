/** Damage that a running node reads: the node stops at once and reports that it is draining. */
import { expect, test } from 'vitest';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import { CorruptionError } from '../../../src/store/errors.js';
import { MemoryStore } from '../../support/memory-store.js';
import { simulate } from '../simulated-node.js';

test('a read of a row with a wrong checksum fails the node, not only the request', async () => {
  const memory = new MemoryStore();
  let isDamaged = false;
  const flipping: KeyValueStore = {
    get(key) {
      const value = memory.get(key);
      if (!isDamaged || value === undefined) return value;
      const flipped = value.slice();
      flipped[flipped.length - 1] = (flipped[flipped.length - 1] ?? 0) ^ 1;
      return flipped;
    },
    range: (options) => memory.range(options),
    commit: (operations, options) => memory.commit(operations, options),
    close: () => memory.close(),
  };
  const simulated = await simulate({
    store: flipping,
    openStore: (store, onDamage) => withRowChecksums(store, onDamage),
  });
  await simulated.mineTo(3n);
  const { node } = simulated;
  expect(node.supervisor.mode()).toBe('running');
  isDamaged = true;
  // A hash that no cache has: its row is read.
  expect(() =>
    node.eventLog.heightByHash(
      node.api.queries.chain.block(node.api.queries.chain.head().height)?.blockId.hash ?? new Uint8Array(),
    ),
  ).toThrow(CorruptionError);
  expect(await node.failed).toBeInstanceOf(CorruptionError);
  expect(node.supervisor.mode()).toBe('draining');
  await node.stop().catch(() => undefined);
});

test('a handler error whose cause is a corruption fails the node; any other error does not', async () => {
  const { node } = await simulate({ store: new MemoryStore() });
  let failure: unknown;
  void node.failed.then((reason) => (failure = reason));
  node.noticed(new TypeError('a defect'));
  await Promise.resolve();
  expect(failure).toBeUndefined();
  const wrapped = new Error('a query failed', { cause: new CorruptionError('row checksum differs') });
  node.noticed(wrapped);
  expect(await node.failed).toBe(wrapped);
  await node.stop().catch(() => undefined);
});
