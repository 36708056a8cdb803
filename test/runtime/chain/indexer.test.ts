import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { toHeight, type Height } from '../../../src/core/primitives.js';
import { EventSchema, ExecTxResultSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { Indexer } from '../../../src/runtime/chain/indexer.js';
import { withPoisonRule } from '../../../src/store/leveldb/checked-store.js';
import { type EventLog, openEventLog } from '../../../src/store/log/event-log.js';
import { indexedThrough } from '../../../src/store/index-rows/index-rows.js';
import { MemoryStore } from '../../support/memory-store.js';
import { chainStarted, crypto, decided, executed, steppingClock } from '../../store/support.js';

/** Results of a block of `txs` transactions, each with an event that names the height and `word`. */
function resultsOf(height: bigint, txs: number, word = 'a'): EncodedResults {
  return EncodedResults.of({
    events: [],
    validatorUpdates: [],
    txResults: Array.from({ length: txs }, (_, index) =>
      create(ExecTxResultSchema, {
        events: [
          create(EventSchema, {
            type: 'app',
            attributes: [{ key: 'of', value: `${word}${height}/${index}`, index: true }],
          }),
        ],
      }),
    ),
  });
}

/** A log with blocks of these numbers of transactions, and the heights that the indexer read from the log. */
async function chainOf(sizes: readonly number[]) {
  const store = new MemoryStore();
  const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'os' });
  await log.append([{ event: chainStarted() }]);
  const add = async (height: bigint, results: EncodedResults): Promise<void> => {
    const { data, ...rest } = executed(height);
    await log.append([{ event: decided(height) }, { event: { ...rest, data: { ...data, results: results.bytes } } }]);
  };
  for (const [index, size] of sizes.entries()) await add(BigInt(index + 1), resultsOf(BigInt(index + 1), size));
  const read: bigint[] = [];
  const blockAt = log.blockAt.bind(log);
  log.blockAt = (height: Height): ReturnType<EventLog['blockAt']> => {
    read.push(height);
    return blockAt(height);
  };
  // Work that the indexer defers until the chain is idle.
  let planned: (() => void) | undefined;
  const turns = { count: 0 };
  const timers = {
    after: (_milliseconds: number, run: () => void) => {
      planned = run;
      return () => {
        if (planned === run) planned = undefined;
      };
    },
    yield: async () => void (turns.count += 1),
  };
  const indexer = new Indexer({ store, log, first: () => toHeight(1n), timers, limits: { indexBacklogTxs: 500 } });
  const rests = (): boolean => planned !== undefined;
  const rest = (): void => planned?.();
  return { store, log, read, indexer, rests, rest, turns };
}

async function rowsOf(store: KeyValueStore): Promise<readonly string[]> {
  const rows = await store.range({ start: Uint8Array.of(0), end: Uint8Array.of(0xff), limit: 100_000 });
  return rows.map(({ key, value }) => `${Buffer.from(key).toString('hex')}=${Buffer.from(value).toString('hex')}`);
}

describe('the indexer of blocks', () => {
  it('writes the same rows from results in memory as from the log, and then does not read the log', async () => {
    const sizes = [30, 0, 1, 2, 40];
    const [fromLog, atHand] = [await chainOf(sizes), await chainOf(sizes)];
    fromLog.indexer.follow(toHeight(5n));
    await fromLog.indexer.idle();
    for (const [index, size] of sizes.entries())
      atHand.indexer.follow(toHeight(BigInt(index + 1)), resultsOf(BigInt(index + 1), size));
    await atHand.indexer.idle();
    expect(indexedThrough(atHand.store)).toBe(5n);
    expect(await rowsOf(atHand.store)).toEqual(await rowsOf(fromLog.store));
    expect(fromLog.read).toContain(3n);
    expect(atHand.read.filter((height) => height <= 5n)).toEqual([]);
  });

  it('waits for an idle chain after the last block of a window', async () => {
    const { store, indexer, rests, rest } = await chainOf(Array.from({ length: 70 }, () => 0));
    const follow = async (height: bigint): Promise<readonly [Height | undefined, boolean]> => {
      indexer.follow(toHeight(height), resultsOf(height, 0));
      await Promise.resolve();
      if (!rests()) await indexer.idle();
      return [indexedThrough(store), rests()];
    };
    expect(await follow(1n)).toEqual([1n, false]);
    for (let height = 2n; height < 31n; height += 1n) expect(await follow(height)).toEqual([1n, false]);
    expect(await follow(31n)).toEqual([1n, true]);
    expect(await follow(32n)).toEqual([1n, true]);
    rest();
    await indexer.idle();
    expect(indexedThrough(store)).toBe(32n);
    for (let height = 33n; height < 63n; height += 1n) expect(await follow(height)).toEqual([32n, false]);
    await indexer.caughtUp();
    expect(indexedThrough(store)).toBe(32n);
    expect(await follow(63n)).toEqual([32n, true]);
    await indexer.caughtUp();
    expect(indexedThrough(store)).toBe(63n);
  });

  it('writes at once at the end of the first window', async () => {
    const { store, indexer, rests } = await chainOf(Array.from({ length: 31 }, () => 0));
    // The chain has no block yet.
    indexer.follow(toHeight(0n));
    await indexer.idle();
    for (let height = 1n; height < 31n; height += 1n) indexer.follow(toHeight(height), resultsOf(height, 0));
    expect([indexedThrough(store), rests()]).toEqual([undefined, false]);
    indexer.follow(toHeight(31n), resultsOf(31n, 0));
    await indexer.idle();
    expect([indexedThrough(store), rests()]).toEqual([31n, false]);
  });

  it('writes at once when its backlog of blocks is full', async () => {
    const backlog = Number(FIXED_LIMITS.indexBacklogBlocks);
    const { store, indexer, rests } = await chainOf(Array.from({ length: backlog + 1 }, () => 0));
    indexer.follow(toHeight(1n), resultsOf(1n, 0));
    await indexer.idle();
    for (let height = 2n; height <= backlog; height += 1n) indexer.follow(toHeight(height), resultsOf(height, 0));
    await Promise.resolve();
    expect([indexedThrough(store), rests()]).toEqual([1n, true]);
    indexer.follow(toHeight(BigInt(backlog + 1)), resultsOf(BigInt(backlog + 1), 0));
    await indexer.idle();
    expect([indexedThrough(store), rests()]).toEqual([BigInt(backlog + 1), false]);
  });

  it('waits for many transactions, or for a full backlog of transactions', async () => {
    const { store, indexer, rests } = await chainOf([1, 30, 33, 1, 436, 500]);
    const follow = async (height: bigint, txs: number): Promise<Height | undefined> => {
      indexer.follow(toHeight(height), resultsOf(height, txs));
      await Promise.resolve();
      if (!rests()) await indexer.idle();
      return indexedThrough(store);
    };
    expect(await follow(1n, 1)).toBe(1n);
    expect(await follow(2n, 30)).toBe(1n);
    expect(rests()).toBe(false);
    expect(await follow(3n, 33)).toBe(1n);
    expect(await follow(4n, 1)).toBe(1n);
    expect(rests()).toBe(true);
    expect(await follow(5n, 436)).toBe(5n);
    expect(rests()).toBe(false);
    expect(await follow(6n, 500)).toBe(6n);
  });

  it('writes when the chain is idle and when a search requests it, but not after its stop', async () => {
    const { store, indexer, rests, rest } = await chainOf([1, 70, 70, 3, 70]);
    indexer.follow(toHeight(1n), resultsOf(1n, 1));
    await indexer.idle();
    indexer.follow(toHeight(2n), resultsOf(2n, 70));
    expect(indexedThrough(store)).toBe(1n);
    rest();
    await indexer.idle();
    expect(indexedThrough(store)).toBe(2n);
    indexer.follow(toHeight(3n), resultsOf(3n, 70));
    await indexer.caughtUp();
    expect(indexedThrough(store)).toBe(3n);
    expect(rests()).toBe(false);
    indexer.follow(toHeight(4n), resultsOf(4n, 3));
    await indexer.caughtUp();
    expect(indexedThrough(store)).toBe(3n);
    indexer.follow(toHeight(5n), resultsOf(5n, 70));
    await indexer.idle();
    expect([rests(), indexedThrough(store)]).toEqual([false, 3n]);
  });

  it('makes the rows of a block of many transactions in steps, with a turn of the event loop between them', async () => {
    const txs = 4 * FIXED_LIMITS.indexTxsPerStep;
    const { store, indexer, turns } = await chainOf([txs]);
    indexer.follow(toHeight(1n), resultsOf(1n, txs));
    await indexer.caughtUp();
    expect(indexedThrough(store)).toBe(1n);
    expect(turns.count).toBeGreaterThanOrEqual(4);
  });

  it('ends silently when the store failed before it began: the next block reports the failure', async () => {
    const { store, log } = await chainOf([1]);
    const poisoned = withPoisonRule({
      get: (key) => store.get(key),
      range: (options) => store.range(options),
      commit: () => Promise.reject(new Error('the disk is full')),
      close: () => store.close(),
    });
    await expect(poisoned.commit([], { sync: false })).rejects.toThrow('the disk is full');
    const timers = { after: () => () => undefined, yield: () => Promise.resolve() };
    const limits = { indexBacklogTxs: 500 };
    const indexer = new Indexer({ store: poisoned, log, first: () => toHeight(1n), timers, limits });
    indexer.follow(toHeight(1n));
    await expect(indexer.idle()).resolves.toBeUndefined();
  });

  it('discards results of blocks that a revert abandons', async () => {
    const { store, indexer } = await chainOf([1, 1]);
    indexer.follow(toHeight(1n), resultsOf(1n, 1));
    await indexer.idle();
    indexer.follow(toHeight(2n), resultsOf(2n, 1, 'gone'));
    indexer.reverted(toHeight(1n));
    indexer.follow(toHeight(2n), resultsOf(2n, 64, 'new'));
    await indexer.caughtUp();
    const rows = (await rowsOf(store)).join('\n');
    expect(rows).toContain(Buffer.from('new2/63').toString('hex'));
    expect(rows).not.toContain(Buffer.from('gone').toString('hex'));
  });

  it('writes nothing between hold and the end of a revert', async () => {
    const { store, indexer, rest } = await chainOf(Array.from({ length: 40 }, () => 1));
    indexer.follow(toHeight(1n), resultsOf(1n, 1));
    await indexer.idle();
    for (let height = 2n; height <= 40n; height += 1n) indexer.follow(toHeight(height), resultsOf(height, 1));
    await indexer.hold();
    let isSearched = false;
    const searched = indexer.caughtUp().then(() => (isSearched = true));
    indexer.follow(toHeight(40n));
    rest();
    await new Promise((resolve) => setImmediate(resolve));
    expect([indexedThrough(store), isSearched]).toEqual([1n, false]);
    indexer.reverted(toHeight(1n));
    indexer.release();
    await searched;
    await indexer.idle();
    expect(indexedThrough(store)).toBe(1n);
  });
});
