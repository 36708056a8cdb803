/**
 * Snapshots and reverts of a whole simulated node: the chain continues as if the abandoned blocks had never existed.
 */
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toPosition } from '../../../src/core/primitives.js';
import { cursorAfter } from '../../../src/core/subscriptions/index.js';
import { crypto } from '../../core/app/support.js';
import { send, simulate } from '../simulated-node.js';
import { admit, blockAt, devOf, firing, head, judge, shown, transfer, value } from './support.js';
import { WHOLE } from '../../support/whole-search.js';
import { reopenable } from '../../support/reopenable.js';

/** Heights whose trees the executor keeps: those that can be proved, and those of runs that are not written yet. */
const TREES_KEPT = DEFAULT_LIMITS.provableHeights + FIXED_LIMITS.blocksOfRun * (FIXED_LIMITS.runsRequested + 1);

const ADDRESS = new Uint8Array(20).fill(7);

describe('evm_revert', () => {
  it('reverts a second time, to a snapshot below that of the first revert', async () => {
    const store = reopenable();
    const simulated = await simulate({ store });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    expect(await value(dev.snapshot())).toBe(1n);
    await transfer(simulated, 0n);
    await value(dev.mine(3, undefined));
    expect(await value(dev.snapshot())).toBe(2n);
    await value(dev.mine(4, undefined));
    expect(await value(dev.revert(2n))).toBe(true);
    await value(dev.mine(1, undefined));
    expect(await value(dev.revert(1n))).toBe(true);
    await transfer(simulated, 0n, 7n);
    await simulated.node.stop();
    await judge(store);
  });

  it('restores what clients saw, and the same commands make the same blocks again', async () => {
    const store = reopenable();
    const simulated = await simulate({ store });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    await transfer(simulated, 0n);
    const before = await shown(simulated);
    expect(await value(dev.snapshot())).toBe(1n);
    await transfer(simulated, 1n, 77n);
    await value(dev.setBalance([ADDRESS], 10n ** 18n));
    await value(dev.mine(3, undefined));
    const branch = await shown(simulated);
    expect(await value(dev.revert(1n))).toBe(true);
    expect(await shown(simulated)).toBe(before);
    expect(blockAt(simulated, 3n)).toBeUndefined();
    await transfer(simulated, 1n, 77n);
    await value(dev.setBalance([ADDRESS], 10n ** 18n));
    await value(dev.mine(3, undefined));
    expect(JSON.parse(await shown(simulated))[1]).toBe(JSON.parse(branch)[1]);
    await simulated.node.stop();
    await judge(store);
  });

  it('removes its snapshot and all later ones, and answers false for an unknown id', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    for (const id of [1n, 2n, 3n]) {
      await value(dev.mine(1, undefined));
      expect(await value(dev.snapshot())).toBe(id);
    }
    await value(dev.mine(2, undefined));
    expect(await value(dev.revert(9n))).toBe(false);
    expect(await value(dev.revert(2n))).toBe(true);
    expect(head(simulated).height).toBe(2n);
    expect([await value(dev.revert(2n)), await value(dev.revert(3n))]).toEqual([false, false]);
    expect(await value(dev.snapshot())).toBe(4n);
    expect(await value(dev.revert(1n))).toBe(true);
    expect(head(simulated).height).toBe(1n);
    expect(await value(dev.revert(4n))).toBe(false);
    await simulated.node.stop();
  });

  it('drops pending transactions, and admits again those committed on the abandoned branch', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    await value(dev.snapshot());
    const committed = await transfer(simulated, 0n);
    expect(await admit(simulated, send(0, 1, 5n, 1n))).toBe(0);
    await value(dev.revert(1n));
    expect(simulated.node.mempool.view.pending).toBe(0);
    expect(await admit(simulated, committed)).toBe(0);
    await value(dev.mine(1, undefined));
    expect(simulated.node.api.queries.chain.tx(crypto.sha256(committed))).toMatchObject({
      height: 2n,
      result: { code: 0 },
    });
    await simulated.node.stop();
  });

  it('returns to the state before the first block', async () => {
    const store = reopenable();
    const simulated = await simulate({ store });
    const dev = devOf(simulated);
    await value(dev.snapshot());
    await value(dev.mine(3, undefined));
    expect(await value(dev.revert(1n))).toBe(true);
    expect(head(simulated).height).toBe(0n);
    await value(dev.mine(2, undefined));
    await transfer(simulated, 0n);
    await simulated.node.stop();
    await judge(store);
    const again = await simulate({ store });
    await value(devOf(again).mine(1, undefined));
    expect(head(again).height).toBe(4n);
    await again.node.stop();
  });

  it('restarts the executor from the log when the height is older than the kept trees', async () => {
    const store = reopenable();
    let executors = 0;
    const simulated = await simulate({
      store,
      wrap: (executor) => {
        executors += 1;
        return executor;
      },
    });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    await transfer(simulated, 0n);
    await value(dev.snapshot());
    const before = await shown(simulated);
    await value(dev.setBalance([ADDRESS], 1n));
    await value(dev.mine(TREES_KEPT + 6, undefined));
    expect(executors).toBe(1);
    expect(await firing(simulated, dev.revert(1n))).toBe(true);
    expect(await shown(simulated)).toBe(before);
    expect(executors).toBe(2);
    // A requested revert is not reported as an error.
    expect(simulated.errors).toEqual([]);
    await transfer(simulated, 1n);
    await simulated.node.stop();
    await judge(store);
  });

  it('leaves no rows of abandoned blocks in the index, also when searches run during it', async () => {
    const store = reopenable();
    const searches: Promise<unknown>[] = [];
    let search: (() => Promise<unknown>) | undefined;
    const simulated = await simulate({
      store,
      openStore: (opened) => ({
        ...opened,
        commit: (rows, options) => {
          if (search !== undefined) searches.push(search());
          return opened.commit(rows, options);
        },
      }),
    });
    const dev = devOf(simulated);
    await value(dev.mine(1, undefined));
    await value(dev.snapshot());
    await transfer(simulated, 0n);
    // windows of blocks wait for the index
    await value(dev.mine(100, undefined));
    search = () => simulated.node.api.queries.chain.searchTxs('tx.height > 0', WHOLE);
    expect(await firing(simulated, dev.revert(1n))).toBe(true);
    search = undefined;
    expect(searches.length).toBeGreaterThan(1);
    await Promise.all(searches);
    expect(await simulated.node.api.queries.chain.searchTxs('tx.height > 0', WHOLE)).toEqual({
      ok: true,
      value: { total: 0, items: [] },
    });
    await value(dev.mine(2, undefined));
    await simulated.node.stop();
    await judge(store);
  });

  it('sets the clock to the time of the new head, as anvil does', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    await value(dev.mine(2, undefined));
    await value(dev.snapshot());
    await value(dev.increaseTime(86_400n));
    await simulated.time.advance(10_000);
    await value(dev.mine(1, undefined));
    await value(dev.revert(1n));
    const back = blockAt(simulated, 2n)?.block.header?.time?.seconds ?? 0n;
    await simulated.time.advance(3_000);
    await value(dev.mine(1, undefined));
    expect(blockAt(simulated, 3n)?.block.header?.time?.seconds).toBe(back + 3n);
    await simulated.node.stop();
  });
});

describe('a cursor after a revert', () => {
  it('is refused if its block was abandoned, and otherwise continues with the blocks of the current branch', async () => {
    const simulated = await simulate({ store: reopenable() });
    const dev = devOf(simulated);
    const live: { readonly position: bigint; readonly height: bigint | undefined }[] = [];
    simulated.node.api.feeds.onCommit(({ position, events }) => live.push({ position, height: events.at(-1)?.height }));
    await value(dev.mine(3, undefined));
    await value(dev.snapshot());
    await value(dev.mine(4, undefined));
    const cursors = live.map(({ position }) => position);
    await value(dev.revert(1n));
    const reverted = simulated.node.eventLog.head().position;
    await value(dev.mine(2, undefined));
    expect(live.map(({ height }) => height)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 4n, 5n]);
    const { history } = simulated.node.subscriptions;
    const after = async (from: bigint): Promise<readonly bigint[] | string> => {
      const refusal = await history.judge(cursorAfter(toPosition(from)));
      if (refusal !== undefined) return refusal.code;
      const heights: bigint[] = [];
      for await (const input of history.read('commits', { after: toPosition(from) })) {
        const event = input.kind === 'commits' ? input.events().at(-1) : undefined;
        if (event !== undefined) heights.push(event.height);
      }
      return heights;
    };
    expect(await after(0n)).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(await after(cursors[1] ?? 0n)).toEqual([3n, 4n, 5n]);
    expect(await after(cursors[2] ?? 0n)).toEqual([4n, 5n]);
    for (const abandoned of [3, 4, 6]) expect(await after(cursors[abandoned] ?? 0n)).toBe('cursor-abandoned');
    expect(await after(reverted)).toEqual([4n, 5n]);
    expect(await after(live.at(-2)?.position ?? 0n)).toEqual([5n]);
    await simulated.node.stop();
  });
});
