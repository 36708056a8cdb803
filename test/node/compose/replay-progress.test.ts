import { expect, test } from 'vitest';
import { reopenable } from '../../support/reopenable.js';
import { simulate } from '../simulated-node.js';

test('a start reports each block that it replays, up to the head', async () => {
  const store = reopenable();
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
