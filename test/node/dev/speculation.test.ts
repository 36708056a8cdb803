/** A command that makes many blocks: each is executed while the one before is written. */
import { expect, it } from 'vitest';
import { NODE_STOPPING } from '../../../src/core/errors.js';
import { toHeight, type Height } from '../../../src/core/primitives.js';
import { Speculation } from '../../../src/node/chain/speculation.js';
import { ExecutorLost, type Executor } from '../../../src/node/executor/executor.js';
import { crypto } from '../../core/app/support.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';
import { admit, blockAt, devOf, head, judge, reopenable, secondOf, value } from './support.js';

const BLOCKS = 12;

interface Watched {
  /** Heights that were executed while the block before was not shown yet, in order. */
  readonly early: Height[];
  /** Heights to which the executor was taken back. */
  readonly back: Height[];
}

/** A node whose executor is watched; `before` is called before each execution, and may throw in its place. */
async function watched(before: (height: Height, early: boolean, node: SimulatedNode) => Promise<void> | undefined) {
  const seen: Watched = { early: [], back: [] };
  const store = reopenable();
  let simulated: SimulatedNode | undefined;
  const wrap = (executor: Executor): Executor => ({
    ...executor,
    async execute(request) {
      const early = simulated !== undefined && head(simulated).height < request.height - 1n;
      if (early) seen.early.push(request.height);
      if (simulated !== undefined) await before(request.height, early, simulated);
      return executor.execute(request);
    },
    rollback(height) {
      seen.back.push(height);
      return executor.rollback(height);
    },
  });
  simulated = await simulate({ store, wrap });
  return { simulated, seen, store };
}

it('every further block of the command is executed before the one before is shown, and nothing beyond the last', async () => {
  const { simulated, seen, store } = await watched(() => undefined);
  await value(devOf(simulated).mine(BLOCKS, undefined));
  await value(devOf(simulated).mine(1, undefined));
  expect(head(simulated).height).toBe(BigInt(BLOCKS + 1));
  expect(seen).toEqual({ early: Array.from({ length: BLOCKS - 1 }, (_, index) => BigInt(index + 2)), back: [] });
  await simulated.node.stop();
  await judge(store);
});

it('blocks whose times are set are built when they begin', async () => {
  const { simulated, seen, store } = await watched(() => undefined);
  const dev = devOf(simulated);
  await value(dev.mine(2, undefined));
  seen.early.length = 0;
  await value(dev.mine(4, undefined, 60n));
  await value(dev.setTimestampInterval(30n));
  await value(dev.mine(4, undefined));
  expect(secondOf(simulated, 6n) - secondOf(simulated, 5n)).toBe(60n);
  expect(secondOf(simulated, 10n) - secondOf(simulated, 9n)).toBe(30n);
  expect(seen).toEqual({ early: [], back: [] });
  await simulated.node.stop();
  await judge(store);
});

it('a transaction that comes meanwhile is in one of the blocks: what was executed without it is taken back', async () => {
  let admitted: Promise<number> | undefined;
  const { simulated, seen, store } = await watched((height, early, node) => {
    if (!early || height !== 6n || admitted !== undefined) return undefined;
    admitted = admit(node, send(0, 1, 5n, 0n));
    return undefined;
  });
  await value(devOf(simulated).mine(BLOCKS, undefined));
  expect(await admitted).toBe(0);
  const holding = Array.from({ length: BLOCKS }, (_, index) => BigInt(index + 1)).filter(
    (height) => (blockAt(simulated, height)?.block.data?.txs.length ?? 0) > 0,
  );
  expect(holding).toHaveLength(1);
  expect(seen.back).toEqual(holding.map((height) => height - 1n));
  await simulated.node.stop();
  await judge(store);
});

it.each(['once', 'always'] as const)(
  'an executor that is lost %s while it runs ahead changes no block',
  async (times) => {
    let lost = 0;
    const { simulated, store } = await watched((height, early) => {
      if (!early || (times === 'once' ? height !== 6n : false)) return undefined;
      lost += 1;
      return Promise.reject(new ExecutorLost('by the test'));
    });
    await value(devOf(simulated).mine(BLOCKS, undefined));
    expect(lost).toBe(times === 'once' ? 1 : BLOCKS - 1);
    expect(head(simulated).height).toBe(BigInt(BLOCKS));
    await simulated.node.stop();
    await judge(store);
  },
);

it('a node that is stopped in the middle leaves a whole chain, which goes on', async () => {
  let stopping: Promise<void> | undefined;
  const { simulated, store } = await watched((height, early, { node }) => {
    if (early && height === 6n) stopping ??= node.stop();
    return undefined;
  });
  expect(await devOf(simulated).mine(BLOCKS, undefined)).toMatchObject({ ok: false, error: NODE_STOPPING });
  expect(stopping).toBeDefined();
  await stopping;
  await judge(store);
  const again = await simulate({ store });
  await value(devOf(again).mine(3, undefined));
  await again.node.stop();
  await judge(store);
});

it('a chain that was mined ahead goes back, and on in another branch', async () => {
  const { simulated, store } = await watched(() => undefined);
  const dev = devOf(simulated);
  await value(dev.mine(3, undefined));
  const snapshot = await value(dev.snapshot());
  await value(dev.mine(6, undefined));
  await value(dev.revert(snapshot));
  expect(head(simulated).height).toBe(3n);
  await value(dev.mine(6, undefined));
  expect(head(simulated).height).toBe(9n);
  await simulated.node.stop();
  await judge(store);
});

it('runs no block ahead of a checkpoint, of an upgrade, of waiting work, or unless one follows for certain', async () => {
  const store = reopenable();
  const simulated = await simulate({ store });
  await value(devOf(simulated).mine(2, undefined));
  await simulated.node.stop();
  const again = await simulate({ store });
  const { state } = again.node.chain;
  const options = { crypto, chainId: state.chainId, pool: { pending: 0 }, evidence: { isWaiting: false } };
  const built = (change: Partial<typeof options>, at = state, upgradeHeight?: Height, isFollowed = true) => {
    const speculation = new Speculation({ ...options, ...change, devClock: undefined });
    speculation.isFollowed = isFollowed;
    return speculation.after(at, upgradeHeight)?.block.header?.height;
  };
  expect(built({})).toBe(state.height + 1n);
  expect(built({}, state, undefined, false)).toBeUndefined();
  expect(built({ pool: { pending: 1 } })).toBeUndefined();
  expect(built({ evidence: { isWaiting: true } })).toBeUndefined();
  expect(built({}, { ...state, height: toHeight(1_000n) })).toBeUndefined();
  expect(built({}, state, toHeight(state.height + 1n))).toBeUndefined();
  expect(built({}, state, toHeight(state.height + 2n))).toBe(state.height + 1n);
  await again.node.stop();
});
