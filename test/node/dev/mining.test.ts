/** The mining mode and its heartbeat, changed by dev commands, over a whole simulated node. */
import { expect, it } from 'vitest';
import { simulate } from '../simulated-node.js';
import { devOf, head, value } from './support.js';
import { reopenable } from '../../support/reopenable.js';

it('instant mining keeps the heartbeat of the start, also after a change to manual mining and back', async () => {
  const simulated = await simulate({ store: reopenable(), mining: { kind: 'instant', heartbeatMs: 2_000 } });
  const dev = devOf(simulated);
  const blocksWithin = async (milliseconds: number): Promise<bigint> => {
    const before = head(simulated).height;
    await simulated.time.advance(milliseconds);
    return head(simulated).height - before;
  };
  expect(await blocksWithin(20_000)).toBe(10n);
  await value(dev.setMining({ kind: 'instant' }));
  expect(await blocksWithin(20_000)).toBe(10n);
  await value(dev.setMining({ kind: 'manual' }));
  expect(await blocksWithin(20_000)).toBe(0n);
  await value(dev.setMining({ kind: 'instant' }));
  expect(await blocksWithin(20_000), 'a block at once, and ten heartbeats').toBe(11n);
  await simulated.node.stop();
});

it.each([
  { kind: 'manual' },
  { kind: 'interval', intervalMs: 1_000 },
  { kind: 'instant', heartbeatMs: undefined },
] as const)('a node started with mining %j gets no heartbeat when a command sets instant mining', async (mining) => {
  const simulated = await simulate({ store: reopenable(), mining });
  await value(devOf(simulated).setMining({ kind: 'instant' }));
  const { height } = head(simulated);
  await simulated.time.advance(60_000);
  expect(head(simulated).height).toBe(height);
  await simulated.node.stop();
});

async function withHeartbeat(store = reopenable()) {
  const simulated = await simulate({ store, mining: { kind: 'instant', heartbeatMs: 2_000 } });
  const blocksWithin = async (milliseconds: number): Promise<bigint> => {
    const before = head(simulated).height;
    await simulated.time.advance(milliseconds);
    return head(simulated).height - before;
  };
  return { simulated, dev: devOf(simulated), blocksWithin };
}

it('evm_increaseTime does not change when the heartbeat comes', async () => {
  const { simulated, dev, blocksWithin } = await withHeartbeat();
  await value(dev.mine(2, undefined));
  for (const seconds of [1_000n, -500n]) {
    await value(dev.increaseTime(seconds));
    expect(await blocksWithin(1_800)).toBe(0n);
    expect(await blocksWithin(300)).toBe(1n);
  }
  await simulated.node.stop();
});

it('no heartbeat block comes while a timestamp or facts are set for the next block', async () => {
  const store = reopenable();
  const { simulated, dev, blocksWithin } = await withHeartbeat(store);
  await value(dev.mine(2, undefined));
  const second = head(simulated).time / 1_000_000_000n;
  await value(dev.setNextBlockTimestamp(second + 500n));
  expect(await blocksWithin(20_000)).toBe(0n);
  await value(dev.mine(1, undefined));
  expect(head(simulated).time).toBe((second + 500n) * 1_000_000_000n);
  expect(await blocksWithin(20_000)).toBe(10n);

  await value(dev.setBlockFacts({ nextPrevRandao: new Uint8Array(32).fill(1) }));
  expect(await blocksWithin(20_000)).toBe(0n);
  await value(dev.setBlockFacts({ nextBaseFee: 77n }));
  await simulated.node.stop();

  // The facts are in the state: a restart waits for the same block.
  const again = await withHeartbeat(store);
  expect(await again.blocksWithin(20_000)).toBe(0n);
  await value(again.dev.mine(1, undefined));
  const { height } = head(again.simulated);
  expect(again.simulated.node.ethereum?.api.block(height)).toMatchObject({
    baseFeePerGas: 77n,
    mixHash: new Uint8Array(32).fill(1),
  });
  expect(await again.blocksWithin(20_000)).toBe(10n);
  await again.simulated.node.stop();
});
