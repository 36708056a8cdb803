/** Rollback, reorganization and reset of a whole simulated node. */
import { expect, it } from 'vitest';
import type { DevSend } from '../../../src/core/ethereum/api.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { MemoryStore } from '../../support/memory-store.js';
import { crypto } from '../../core/app/support.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';
import { admit, blockAt, devOf, head, judge, secondOf, value } from './support.js';
import { reopenable } from '../../support/reopenable.js';

const ADDRESS = new Uint8Array(20).fill(7);

function balanceOf({ node }: SimulatedNode): unknown {
  const account = node.ethereum?.api.account(ADDRESS, node.api.queries.chain.head().height);
  return account?.ok === true ? account.value.balance : undefined;
}

it('a rollback deeper than a chain with a later initial height is refused with its number of blocks', async () => {
  const simulated = await simulate({ store: new MemoryStore(), initialHeight: toHeight(100n) });
  const dev = devOf(simulated);
  await value(dev.mine(1, undefined));
  const blocks = head(simulated).height - 99n;
  expect(await dev.rollback(blocks + 1n)).toEqual({
    ok: false,
    error: {
      code: 'invalid-params',
      message: `Rollback depth must not exceed the ${blocks} blocks from the first one on: current height ${blocks + 99n}, depth ${blocks + 1n}`,
    },
  });
  await simulated.node.stop();
});

it('a rollback removes blocks and the snapshots above its height', async () => {
  const store = reopenable();
  const simulated = await simulate({ store });
  const dev = devOf(simulated);
  await value(dev.mine(1, undefined));
  expect(await value(dev.snapshot())).toBe(1n);
  await value(dev.setBalance([ADDRESS], 9n));
  await value(dev.mine(1, undefined));
  expect(await value(dev.snapshot())).toBe(2n);
  await value(dev.mine(2, undefined));
  await value(dev.rollback(3n));
  expect([head(simulated).height, balanceOf(simulated)]).toEqual([2n, 9n]);
  expect(await value(dev.revert(2n))).toBe(false);
  expect(await value(dev.snapshot())).toBe(3n);
  await value(dev.rollback(1n));
  expect([head(simulated).height, balanceOf(simulated)]).toEqual([1n, 0n]);
  expect(await dev.rollback(2n)).toMatchObject({
    ok: false,
    error: { message: 'Rollback depth must not exceed current chain height: current height 1, depth 2' },
  });
  expect([...dev.facts().snapshots]).toEqual([[1n, 1n]]);
  await simulated.node.stop();
  await judge(store);
  const again = await simulate({ store });
  expect([...devOf(again).facts().snapshots]).toEqual([[1n, 1n]]);
  await again.node.stop();
});

it('a rollback to a height also removes blocks made while it waited', async () => {
  const simulated = await simulate({ store: reopenable() });
  const dev = devOf(simulated);
  await value(dev.mine(3, undefined));
  const mined = dev.mine(2, undefined);
  await value(dev.rollbackTo(2n));
  await value(mined);
  expect(head(simulated).height).toBe(2n);
  await value(dev.rollbackTo(2n));
  expect(head(simulated).height).toBe(2n);
  expect(await dev.rollbackTo(3n)).toMatchObject({ ok: false, error: { message: 'block #3 not found' } });
  await simulated.node.stop();
});

it('a reorganization replaces the removed blocks by as many new ones with the given transactions', async () => {
  const store = reopenable();
  const simulated = await simulate({ store, mining: { kind: 'instant', heartbeatMs: undefined } });
  const dev = devOf(simulated);
  await value(dev.mine(5, undefined));
  const { height } = head(simulated);
  const abandoned = blockAt(simulated, height)?.blockId.hash;
  const sends: DevSend[] = [0n, 1n].map((sequence) => async () => {
    const code = await admit(simulated, send(0, 1, 5n, sequence));
    return code === 0 ? { ok: true, value: code } : { ok: false, error: { code: 'busy', what: String(code) } };
  });
  await value(dev.reorganize(3, [[], sends]));
  expect(head(simulated).height).toBe(height);
  expect(blockAt(simulated, height)?.blockId.hash).not.toEqual(abandoned);
  const counts = [2n, 1n, 0n].map((below) => blockAt(simulated, height - below)?.block.data?.txs.length);
  expect(counts).toEqual([0, 2, 0]);
  expect(await dev.reorganize(9, [])).toMatchObject({ ok: false });
  await simulated.node.stop();
  await judge(store);
});

it('reset returns to the genesis and to the settings of the start', async () => {
  const store = reopenable();
  const key = { address: new Uint8Array(20).fill(0xde), privateKey: new Uint8Array(32).fill(1) };
  const simulated = await simulate({ store, devKeys: [key] });
  const dev = devOf(simulated);
  await value(dev.mine(3, undefined));
  await value(dev.setBalance([ADDRESS], 9n));
  await value(dev.snapshot());
  expect(dev.releaseKey(key.address)).toBe(true);
  dev.impersonation.start(ADDRESS);
  await value(dev.setTimestampInterval(60n));
  await value(dev.setMining({ kind: 'interval', intervalMs: 5_000 }));
  const { instanceId } = dev.facts();
  await value(dev.reset());
  expect(head(simulated).height).toBe(0n);
  expect(dev.mining()).toMatchObject({ kind: 'manual' });
  expect(dev.impersonation.has(ADDRESS)).toBe(false);
  expect(simulated.node.ethereum?.api.accounts()).toEqual([key.address]);
  expect(dev.facts().snapshots.size).toBe(0);
  expect(dev.facts().instanceId).not.toEqual(instanceId);
  await value(dev.mine(2, undefined));
  expect(balanceOf(simulated)).toBe(0n);
  await simulated.node.stop();
  await judge(store);
});

it('a restart and a revert keep the instance id; a reset changes it', async () => {
  const store = reopenable();
  const simulated = await simulate({ store });
  const dev = devOf(simulated);
  await value(dev.reset());
  await value(dev.mine(1, undefined));
  const { instanceId } = dev.facts();
  await value(dev.snapshot());
  await value(dev.mine(1, undefined));
  expect(await value(dev.revert(1n))).toBe(true);
  expect(dev.facts().instanceId).toEqual(instanceId);
  await simulated.node.stop();
  await judge(store);
  const again = await simulate({ store });
  expect(devOf(again).facts().instanceId).toEqual(instanceId);
  await value(devOf(again).reset());
  await value(devOf(again).mine(1, undefined));
  expect(devOf(again).facts().instanceId).not.toEqual(instanceId);
  await again.node.stop();
});

it('reset undoes evm_increaseTime', async () => {
  const store = reopenable();
  const simulated = await simulate({ store });
  const dev = devOf(simulated);
  await value(dev.mine(2, undefined));
  const second = secondOf(simulated, 2n);
  expect(await value(dev.increaseTime(1_000n))).toBe(1_000n);
  await value(dev.mine(2, undefined));
  expect(secondOf(simulated, 4n) - second).toBeGreaterThanOrEqual(1_000n);
  await value(dev.reset());
  await value(dev.mine(3, undefined));
  expect(secondOf(simulated, 3n) - second).toBeLessThan(100n);
  expect(await value(dev.increaseTime(10n))).toBe(10n);
  await simulated.node.stop();
  await judge(store);
});

it('a timestamp interval applies to every block until it is removed', async () => {
  const simulated = await simulate({ store: reopenable() });
  const dev = devOf(simulated);
  await value(dev.mine(1, undefined));
  expect(await value(dev.setTimestampInterval(100n))).toBe(false);
  await value(dev.mine(3, undefined));
  const times = [2n, 3n, 4n].map((height) => secondOf(simulated, height) - secondOf(simulated, height - 1n));
  expect(times).toEqual([100n, 100n, 100n]);
  await value(dev.setNextBlockTimestamp(secondOf(simulated, 4n) + 7n));
  await value(dev.mine(2, undefined));
  expect(secondOf(simulated, 5n) - secondOf(simulated, 4n)).toBe(7n);
  expect(secondOf(simulated, 6n) - secondOf(simulated, 5n)).toBe(100n);
  expect(await value(dev.setTimestampInterval(undefined))).toBe(true);
  await simulated.time.advance(3_000);
  await value(dev.mine(1, undefined));
  expect(secondOf(simulated, 7n) - secondOf(simulated, 6n)).toBe(3n);
  expect(await value(dev.setTimestampInterval(undefined))).toBe(false);
  await simulated.node.stop();
});

it('a timestamp interval keeps the shift of the clock, and moves the clock only when a block passes it', async () => {
  const simulated = await simulate({ store: reopenable() });
  const dev = devOf(simulated);
  await value(dev.mine(2, undefined));
  const second = secondOf(simulated, 2n);
  const shift = await value(dev.increaseTime(0n));
  await value(dev.setTimestampInterval(10n));
  expect(await value(dev.increaseTime(1_000n))).toBe(shift + 1_000n);
  await value(dev.mine(1, undefined));
  expect(secondOf(simulated, 3n)).toBe(second + 10n);
  await value(dev.setTimestampInterval(undefined));
  expect(await value(dev.increaseTime(0n))).toBe(shift + 1_000n);
  await simulated.time.advance(2_000);
  await value(dev.mine(1, undefined));
  expect(secondOf(simulated, 4n)).toBe(second + 1_002n);
  await value(dev.setTimestampInterval(500n));
  await value(dev.mine(1, undefined));
  await value(dev.setTimestampInterval(undefined));
  expect(await value(dev.increaseTime(0n))).toBe(shift + 1_500n);
  await simulated.node.stop();
});

it('the clock after a restart is never behind the head', async () => {
  const store = reopenable();
  const first = await simulate({ store });
  await value(devOf(first).mine(1, undefined));
  await value(devOf(first).setTimestampInterval(1_000n));
  await value(devOf(first).mine(3, undefined));
  await first.node.stop();
  const second = await simulate({ store });
  await second.time.advance(5_000);
  await value(devOf(second).mine(1, undefined));
  expect(secondOf(second, 5n) - secondOf(second, 4n)).toBe(5n);
  await second.node.stop();
});

it('a chain that is reset after a restart verifies before its index is written', async () => {
  const store = reopenable();
  const first = await simulate({ store });
  await value(devOf(first).mine(1, undefined));
  await first.node.stop();
  const again = await simulate({ store });
  await value(devOf(again).mine(1, undefined));
  await value(devOf(again).reset());
  await value(devOf(again).mine(1, undefined));
  await again.node.stop();
  const target = new MemoryStore();
  const { problems } = await verifyDatabase({ store, target, crypto, now: toTimeNs(0n), witnessed: undefined });
  expect(problems).toEqual([]);
});
