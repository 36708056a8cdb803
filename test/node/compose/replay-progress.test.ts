import { expect, test } from 'vitest';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { MemoryStore } from '../../support/memory-store.js';
import { simulate } from '../simulated-node.js';

test('a start reports each block that it replays, up to the head', async () => {
  const memory = new MemoryStore();
  // It outlives the nodes that close it.
  const store: KeyValueStore = {
    get: (key) => memory.get(key),
    range: (options) => memory.range(options),
    commit: (operations, options) => memory.commit(operations, options),
    close: () => Promise.resolve(),
  };
  const first = await simulate({ store });
  await first.mineTo(4n);
  await first.node.stop();
  const told: [bigint, bigint][] = [];
  const second = await simulate({ store, onReplay: (height, head) => told.push([height, head]) });
  expect(told).toEqual([
    [1n, 4n],
    [2n, 4n],
    [3n, 4n],
    [4n, 4n],
  ]);
  await second.node.stop();
});
