/**
 * Reverting: state rows are compared with a store that never had the abandoned blocks; the log continues after a
 * Reverted event.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeyValue } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toPosition } from '../../../src/core/primitives.js';
import type { StateWrite } from '../../../src/core/state/state.js';
import { blockIndexRows, deleteBlockIndexRows } from '../../../src/store/log/block-index.js';
import { type EventLog, openEventLog } from '../../../src/store/log/event-log.js';
import { OutOfOrderError } from '../../../src/store/log/head.js';
import { blockHashKey, heightKey } from '../../../src/store/keys.js';
import { MemoryStore } from '../../support/memory-store.js';
import { createStateReader, HeightPruned, stateRows } from '../../../src/store/state/latest.js';
import { pruneState } from '../../../src/store/state/prune.js';
import { abandonedHeights, StateRevert } from '../../../src/store/state/revert.js';
import {
  blockHash,
  chainStarted,
  collect,
  crypto,
  decided,
  executed,
  reverted,
  steppingClock,
  text,
  txHash,
} from '../support.js';

const write: fc.Arbitrary<StateWrite> = fc.record({
  store: fc.constantFrom('acc', 'bank'),
  key: fc.integer({ min: 0, max: 5 }).map((key) => Uint8Array.of(key)),
  value: fc.option(fc.uint8Array({ maxLength: 2 }), { nil: undefined, freq: 2 }),
});
const block = fc.uniqueArray(write, { maxLength: 6, selector: ({ store, key }) => `${store}${key[0]}` });
const blocks = fc.array(block, { maxLength: 6 });

async function all(store: MemoryStore): Promise<readonly string[]> {
  const rows: readonly KeyValue[] = await store.range({
    start: Uint8Array.of(0),
    end: Uint8Array.of(0xff),
    limit: 100_000,
  });
  return rows.map(({ key, value }) => `${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`);
}

describe('the state after a revert', () => {
  it('has the rows of a store that never had the abandoned blocks, whatever was pruned', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, blocks, blocks, fc.nat(6), async (before, abandoned, after, floor) => {
        const life = async (branch: readonly (readonly StateWrite[])[]): Promise<readonly string[]> => {
          const store = new MemoryStore();
          const add = async (from: number, added: readonly (readonly StateWrite[])[]): Promise<void> => {
            for (const [index, writes] of added.entries())
              await store.commit(stateRows(toHeight(BigInt(from + index + 1)), writes, (key) => store.get(key)));
          };
          await add(0, before);
          await add(before.length, branch);
          await pruneState(store, {
            first: toHeight(0n),
            floor: toHeight(BigInt(Math.min(floor, before.length))),
            rows: 100,
          });
          const to = toHeight(BigInt(before.length));
          const revert = new StateRevert(store, to);
          const heights = [...abandonedHeights(toHeight(BigInt(before.length + branch.length)), to)];
          for (const height of heights) expect([...revert.rows(height)]).toHaveLength(revert.count(height));
          await store.commit(heights.flatMap((height) => [...revert.rows(height)]));
          await add(before.length, after);
          return all(store);
        };
        expect(await life(abandoned)).toEqual(await life([]));
      }),
    );
  });

  it('must be of a height whose undo pages are kept', async () => {
    const store = new MemoryStore();
    for (const height of [1n, 2n, 3n])
      await store.commit(
        stateRows(toHeight(height), [{ store: 'acc', key: text('k'), value: text(`${height}`) }], (key) =>
          store.get(key),
        ),
      );
    await pruneState(store, { first: toHeight(0n), floor: toHeight(2n), rows: 100 });
    expect(() => new StateRevert(store, toHeight(1n))).toThrow(HeightPruned);
    expect(createStateReader(store, 'latest').get('acc', text('k'))).toEqual(text('3'));
  });
});

describe('a log with a Reverted event', () => {
  async function withBranch(): Promise<{ store: MemoryStore; log: EventLog }> {
    const store = new MemoryStore();
    const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'block' });
    await log.append([{ event: chainStarted() }]);
    const index = (height: bigint, name: string) =>
      blockIndexRows({ height: toHeight(height), blockHash: blockHash(height), txHashes: [[txHash(text(name))]] });
    const add = (height: bigint, name: string) =>
      log.append([{ event: decided(height, [text(name)]) }, { event: executed(height) }], index(height, name));
    for (const height of [1n, 2n, 3n, 4n]) await add(height, `old-${height}`);
    log.blockAt(toHeight(4n));
    await log.append(
      [{ event: reverted(2n) }],
      [4n, 3n].flatMap((height) => [...deleteBlockIndexRows(store, index(height, `old-${height}`), toHeight(2n))]),
    );
    return { store, log };
  }
  const next = (log: EventLog, name: string) =>
    log.append(
      [{ event: decided(3n, [text(name)]) }, { event: executed(3n) }],
      blockIndexRows({ height: toHeight(3n), blockHash: blockHash(30n), txHashes: [[txHash(text(name))]] }),
    );

  it('continues at its height: abandoned blocks are not found, and are not on the branch', async () => {
    const { store, log } = await withBranch();
    expect(log.head()).toMatchObject({ decided: 2n, executed: 2n, position: 10n });
    expect([3n, 4n].map((height) => log.blockAt(toHeight(height)))).toEqual([undefined, undefined]);
    expect([
      store.get(heightKey(toHeight(3n))),
      log.heightByHash(blockHash(4n)),
      log.txByHash(txHash(text('old-3'))),
    ]).toEqual([undefined, undefined, undefined]);
    await expect(log.append([{ event: decided(5n) }])).rejects.toThrow(OutOfOrderError);
    await next(log, 'new-3');
    expect(log.txByHash(txHash(text('new-3')))).toEqual({ height: 3n, index: 0 });
    for (const each of [log, await openEventLog({ store, crypto, clock: steppingClock(), sync: 'block' })]) {
      const whole = (await collect(each.read({ from: toPosition(1n) }))).flat();
      expect(
        whole.filter(({ event }) => event.type === 'BlockExecuted').map((event) => each.isOnBranch(event)),
      ).toEqual([true, true, false, false, true]);
      expect((await each.verifyAll()).problems).toEqual([]);
    }
  });

  it('is refused for a height that was not executed', async () => {
    const { log } = await withBranch();
    await expect(log.append([{ event: reverted(3n) }])).rejects.toThrow(OutOfOrderError);
  });

  it('is verified: lost rows of the current branch and leftover rows of the abandoned one are reported', async () => {
    for (const damage of [heightKey(toHeight(2n)), heightKey(toHeight(3n)), blockHashKey(blockHash(30n))]) {
      const { store, log } = await withBranch();
      await next(log, 'new-3');
      await store.commit([{ type: 'delete', key: damage }]);
      expect((await log.verifyAll()).problems.length).toBeGreaterThan(0);
    }
    const { store, log } = await withBranch();
    await next(log, 'new-3');
    await store.commit(blockIndexRows({ height: toHeight(3n), blockHash: blockHash(3n), txHashes: [] }));
    expect((await log.verifyAll()).problems.map(({ problem }) => problem)).toEqual(['4 block hash rows for 3 blocks']);
    await store.commit(blockIndexRows({ height: toHeight(4n), blockHash: blockHash(3n), txHashes: [] }));
    expect((await log.verifyAll()).problems.map(({ problem }) => problem)).toContainEqual(
      expect.stringContaining('names a height that is not there'),
    );
  });

  it('keeps the index row of an abandoned transaction that a kept block contains, too', async () => {
    const { store, log } = await withBranch();
    await next(log, 'old-1');
    const row = blockIndexRows({
      height: toHeight(3n),
      blockHash: blockHash(30n),
      txHashes: [[txHash(text('old-2'))]],
    });
    expect([...deleteBlockIndexRows(store, row, toHeight(2n))].map(({ type, key }) => [type, key])).toEqual([
      ['delete', blockHashKey(blockHash(30n))],
    ]);
  });
});
