/** The mining mode, changed by command, over a whole simulated node. */
import { expect, it } from 'vitest';
import { simulate } from '../simulated-node.js';
import { devOf, head, reopenable, value } from './support.js';

it('blocks at once keep the heartbeat that the node was started with, also after another rule', async () => {
  const simulated = await simulate({ store: reopenable(), mining: { kind: 'instant', heartbeatMs: 2_000 } });
  const dev = devOf(simulated);
  const blocksWithin = async (milliseconds: number): Promise<bigint> => {
    const before = head(simulated).height;
    await simulated.time.advance(milliseconds);
    return head(simulated).height - before;
  };
  expect(await blocksWithin(20_000)).toBeGreaterThan(8n);
  await value(dev.setMining({ kind: 'instant' }));
  expect(await blocksWithin(20_000)).toBeGreaterThan(8n);
  await value(dev.setMining({ kind: 'manual' }));
  expect(await blocksWithin(20_000)).toBe(0n);
  await value(dev.setMining({ kind: 'instant' }));
  expect(await blocksWithin(20_000)).toBeGreaterThan(8n);
  await simulated.node.stop();
});

it.each([
  { kind: 'manual' },
  { kind: 'interval', intervalMs: 1_000 },
  { kind: 'instant', heartbeatMs: undefined },
] as const)('a node that was started with %j gets no heartbeat by a command', async (mining) => {
  const simulated = await simulate({ store: reopenable(), mining });
  await value(devOf(simulated).setMining({ kind: 'instant' }));
  const { height } = head(simulated);
  await simulated.time.advance(60_000);
  expect(head(simulated).height).toBe(height);
  await simulated.node.stop();
});
