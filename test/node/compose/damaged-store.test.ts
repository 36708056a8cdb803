/** Damage that a read of a running node finds: the node ends at once, and says so from that moment on. */
import { expect, test } from 'vitest';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import { CorruptionError } from '../../../src/store/errors.js';
import { MemoryStore } from '../../support/memory-store.js';
import { simulate } from '../simulated-node.js';

test('a row that differs from its checksum fails the node, and not only the request that reads it', async () => {
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

test('an error of a handler that wraps damage fails the node; another one does not', async () => {
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
