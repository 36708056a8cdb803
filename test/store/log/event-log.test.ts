import { describe, expect, it } from 'vitest';
import { hex } from '../../../src/core/bytes/hex.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toPosition } from '../../../src/core/primitives.js';
import { blockIndexRows } from '../../../src/store/log/block-index.js';
import { withPoisonRule, withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import { CommitUnknownError, CorruptionError, PoisonedError } from '../../../src/store/errors.js';
import { type Appending, type EventLog, openEventLog } from '../../../src/store/log/event-log.js';
import { LogBusyError } from '../../../src/store/errors.js';
import { OutOfOrderError } from '../../../src/store/log/head.js';
import { headKey, recordKey } from '../../../src/store/keys.js';
import { MemoryStore } from '../../support/memory-store.js';
import { latestKey } from '../../../src/store/state/tables.js';
import { showEvent } from '../../../src/store/log/show-log.js';
import {
  admitted,
  blockHash,
  chainStarted,
  collect,
  crypto,
  decided,
  executed,
  nodeStarted,
  steppingClock,
  text,
  txHash,
} from '../support.js';

const open = (store: KeyValueStore): Promise<EventLog> =>
  openEventLog({ store, crypto, clock: steppingClock(), sync: 'block' });
const block = (height: bigint): Appending[] => [{ event: decided(height) }, { event: executed(height) }];
const indexOf = (height: bigint) =>
  blockIndexRows({
    height: toHeight(height),
    blockHash: blockHash(height),
    txHashes: [[txHash(text(`tx-${height}`))]],
  });

/** Counts commits and can delay them. */
function observed(store: KeyValueStore) {
  const commits: { rows: number; sync: boolean }[] = [];
  let gate: Promise<void> = Promise.resolve();
  const wrapped: KeyValueStore = {
    get: (key) => store.get(key),
    range: (options) => store.range(options),
    async commit(operations, options) {
      commits.push({ rows: operations.length, sync: options.sync });
      await gate;
      await store.commit(operations, options);
    },
    close: () => store.close(),
  };
  return { store: wrapped, commits, hold: (until: Promise<void>): void => void (gate = until) };
}

describe('event log', () => {
  it('assigns gapless positions to events and reads the same events after reopening', async () => {
    const store = withRowChecksums(new MemoryStore());
    const log = await open(store);
    const one = await log.append([{ event: nodeStarted() }, { event: chainStarted(), cause: 'init' }]);
    const two = await log.append(block(1n), indexOf(1n));
    const three = await log.append([{ event: admitted('a'), cause: 'c1' }]);
    const all = [...one, ...two, ...three];
    expect(all.map(({ position }) => position)).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(all.map(({ stream, streamPosition }) => `${stream}${streamPosition}`)).toEqual([
      'node1',
      'chain1',
      'chain2',
      'chain3',
      'mempool1',
    ]);
    const again = await open(store);
    expect((await collect(again.read({ from: toPosition(1n) }))).flat()).toEqual(all);
    expect((await collect(again.read({ from: toPosition(4n), limit: 1 }))).flat()).toEqual([all[3]]);
    expect(again.head()).toEqual(log.head());
    expect(again.head()).toMatchObject({ position: 5n, record: 5n, decided: 1n, executed: 1n });
  });

  it('writes waiting blocks in one batch, each as a record of its own', async () => {
    const { store, commits } = observed(withRowChecksums(new MemoryStore()));
    const log = await open(store);
    await log.append([{ event: nodeStarted() }]);
    const heights = Array.from({ length: FIXED_LIMITS.blocksOfRun + 2 }, (_, index) => BigInt(index + 1));
    const records: bigint[] = [];
    log.listen(({ position }) => records.push(position));
    await Promise.all(heights.map((height) => log.append(block(height), indexOf(height))));
    expect(commits).toHaveLength(1 + 2);
    expect(commits.every(({ sync }) => sync)).toBe(true);
    expect(records).toEqual(heights.map((height) => 1n + 2n * height));
    expect(heights.map((height) => log.recordOf(toHeight(height))?.decided.record)).toEqual(
      heights.map((height) => 2n * height),
    );
    const again = await open(store);
    expect(again.head()).toEqual(log.head());
    expect((await again.verifyAll()).problems).toEqual([]);
    expect((await collect(again.read({ from: toPosition(1n) }))).map((events) => events.length)).toEqual([
      1,
      ...heights.map(() => 2),
    ]);
  });

  it('writes a latest-state row once for all blocks of a batch, with the value of the last block', async () => {
    const inner = new MemoryStore();
    const { store, commits } = observed(inner);
    const log = await open(store);
    const key = latestKey('bank', Uint8Array.of(1));
    const other = Uint8Array.of(250);
    const rows = (value: number) =>
      [key, other].map((of) => ({ type: 'put', key: of, value: Uint8Array.of(value) }) as const);
    await log.append(block(1n), rows(1));
    await Promise.all([log.append(block(2n), rows(2)), log.append(block(3n), rows(3))]);
    expect(inner.get(key)).toEqual(Uint8Array.of(3));
    expect(inner.get(other)).toEqual(Uint8Array.of(3));
    const [single, both] = commits;
    expect(both?.rows).toBe(2 * (single?.rows ?? 0) - 1);
  });

  it('writes rows without an event between two batches, and makes them when no other write is in progress', async () => {
    const inner = new MemoryStore();
    const { store, commits, hold } = observed(inner);
    const log = await open(store);
    const key = Uint8Array.of(250);
    let release: () => void = () => undefined;
    hold(new Promise((resolve) => (release = resolve)));
    const order: string[] = [];
    const first = log
      .append(block(1n), [...indexOf(1n), { type: 'put', key, value: Uint8Array.of(1) }])
      .then(() => order.push('first'));
    while (commits.length === 0) await Promise.resolve();
    const tended = log
      .writeRows(() => {
        order.push(`sees ${inner.get(key)?.join()}`);
        return [{ type: 'delete', key }];
      })
      .then(() => order.push('tended'));
    const second = log
      .append(block(2n), [...indexOf(2n), { type: 'put', key, value: Uint8Array.of(2) }])
      .then(() => order.push('second'));
    release();
    await Promise.all([first, tended, second]);
    expect(order).toEqual(['sees 1', 'first', 'tended', 'second']);
    expect(inner.get(key)).toEqual(Uint8Array.of(2));
    expect((await log.verifyAll()).problems).toEqual([]);
  });

  it('continues when rows without an event cannot be made, and is poisoned when they cannot be written', async () => {
    const log = await open(new MemoryStore());
    const broken = log.writeRows(() => {
      throw new CorruptionError('a damaged row');
    });
    await expect(broken).rejects.toThrow('a damaged row');
    await log.append(block(1n), indexOf(1n));
    await log.writeRows(() => []);

    const store = withPoisonRule({
      ...observed(new MemoryStore()).store,
      commit: (operations) => (operations.length === 1 ? Promise.reject(new Error('EIO')) : Promise.resolve()),
    });
    const failing = await open(store);
    const unknown = failing.writeRows(() => [{ type: 'delete', key: Uint8Array.of(250) }]);
    await expect(unknown).rejects.toThrow(CommitUnknownError);
    await expect(failing.append(block(1n))).rejects.toThrow(PoisonedError);
    await expect(failing.writeRows(() => [])).rejects.toThrow(PoisonedError);
  });

  it('keeps events other than blocks out of a batch of several blocks', async () => {
    const { store, commits } = observed(new MemoryStore());
    const log = await open(store);
    const all = await Promise.all([
      log.append(block(1n), indexOf(1n)),
      log.append(block(2n), indexOf(2n)),
      log.append([{ event: nodeStarted() }], [], { once: 'a' }),
      log.append(block(3n), indexOf(3n), { once: 'b' }),
      log.append([{ event: nodeStarted() }], [], { once: 'a' }),
    ]);
    expect(all.map(([first]) => first?.position)).toEqual([1n, 3n, 5n, 6n, 5n]);
    expect(commits).toHaveLength(2);
    expect((await log.verifyAll()).problems).toEqual([]);
  });

  it('finds a block by height and by hash, and a transaction by hash, without reading the state writes', async () => {
    const log = await open(new MemoryStore());
    await log.append(block(1n), indexOf(1n));
    const found = log.blockAt(toHeight(1n));
    expect(found?.decided.event).toEqual(decided(1n));
    expect(found?.executed?.event).toEqual({ ...executed(1n), data: { ...executed(1n).data, writes: [] } });
    expect(log.blockAt(toHeight(1n))).toBe(found);
  });

  it('reads no row of a block twice, as results may have megabytes', async () => {
    const store = withRowChecksums(new MemoryStore());
    await (await open(store)).append(block(1n));
    const read: string[] = [];
    const reopened = await open({
      ...observed(store).store,
      get(key) {
        read.push(hex(key));
        return store.get(key);
      },
    });
    read.length = 0;
    expect(reopened.blockAt(toHeight(1n))?.executed).toBeDefined();
    expect(read.length).toBeGreaterThan(2);
    expect(read).toEqual([...new Set(read)]);
  });

  it('returns a just published block exactly like a reopened log', async () => {
    const store = new MemoryStore();
    const log = await open(store);
    await log.append(block(1n), indexOf(1n));
    expect(log.blockAt(toHeight(1n))).toEqual((await open(store)).blockAt(toHeight(1n)));
  });

  it('finds heights by block hash and positions by transaction hash', async () => {
    const log = await open(new MemoryStore());
    await log.append(block(1n), indexOf(1n));
    expect(log.heightByHash(blockHash(1n))).toBe(1n);
    expect(log.txByHash(txHash(text('tx-1')))).toEqual({ height: 1n, index: 0 });
    expect(log.blockAt(toHeight(2n))).toBeUndefined();
    expect(log.heightByHash(blockHash(2n))).toBeUndefined();
  });

  it('returns a block as not executed until its execution is in the log', async () => {
    const log = await open(new MemoryStore());
    await log.append([{ event: decided(5n) }]);
    expect(log.blockAt(toHeight(5n))).toMatchObject({ executed: undefined });
    await log.append([{ event: executed(5n) }]);
    expect(log.blockAt(toHeight(5n))?.executed?.position).toBe(2n);
  });

  it('writes waiting appends in one batch, in the order of the calls', async () => {
    const { store, commits, hold } = observed(new MemoryStore());
    const log = await open(store);
    let release = (): void => undefined;
    hold(new Promise((resolve) => (release = resolve)));
    const first = log.append([{ event: admitted('0') }]);
    await Promise.resolve();
    await Promise.resolve();
    const waiting = [1, 2, 3, 4].map((number) => log.append([{ event: admitted(String(number)) }]));
    const synced = log.append(block(1n));
    release();
    const positions = (await Promise.all([first, ...waiting, synced])).flat().map(({ position }) => position);
    expect(positions).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n]);
    expect(commits.map(({ sync }) => sync)).toEqual([false, true]);
  });

  it('applies generated rows after the appends that were called earlier', async () => {
    const inner = new MemoryStore();
    const log = await open(inner);
    const key = Uint8Array.of(250);
    const row = (value: number) => ({ type: 'put', key, value: Uint8Array.of(value) }) as const;
    const earlier = log.append([{ event: admitted('1') }], [row(1)]);
    let seen: Uint8Array | undefined;
    function* made() {
      seen = inner.get(key);
      yield row(2);
    }
    const later = log.append([{ event: admitted('2') }], [], { before: made() });
    await Promise.all([earlier, later, log.append([{ event: admitted('3') }])]);
    expect([seen, inner.get(key)]).toEqual([Uint8Array.of(1), Uint8Array.of(2)]);
  });

  it('publishes nothing before the batch is committed', async () => {
    const memory = new MemoryStore();
    let release = (): void => undefined;
    const log = await open({
      get: (key) => memory.get(key),
      range: (options) => memory.range(options),
      async commit(operations) {
        await memory.commit(operations);
        await new Promise<void>((resolve) => (release = resolve));
      },
      close: () => memory.close(),
    });
    const pending = log.append(block(1n), indexOf(1n));
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(memory.get(headKey())).toBeDefined();
    expect(log.head().position).toBe(0n);
    expect(log.blockAt(toHeight(1n))).toBeUndefined();
    expect(log.heightByHash(blockHash(1n))).toBeUndefined();
    expect(log.txByHash(txHash(text('tx-1')))).toBeUndefined();
    release();
    await pending;
    expect(log.blockAt(toHeight(1n))).toBeDefined();
  });

  it('passes the position of the first event to the row maker; one that throws fails only its own append', async () => {
    const store = new MemoryStore();
    const log = await open(store);
    const seen: bigint[] = [];
    const rows = (first: bigint) => {
      seen.push(first);
      return [{ type: 'put' as const, key: text(`row-${first}`), value: text('x') }];
    };
    const results = await Promise.allSettled([
      log.append([{ event: admitted('a') }, { event: admitted('b') }], rows),
      log.append([{ event: admitted('bad') }], () => {
        throw new Error('no rows');
      }),
      log.append([{ event: admitted('c') }], rows),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual([1n, 3n]);
    expect(store.get(text('row-3'))).toEqual(text('x'));
    expect(log.head().position).toBe(3n);
  });

  it('refuses heights out of order and writes nothing for them', async () => {
    const log = await open(new MemoryStore());
    await log.append(block(1n));
    await expect(log.append([{ event: decided(1n) }])).rejects.toBeInstanceOf(OutOfOrderError);
    await expect(log.append([{ event: decided(3n) }])).rejects.toBeInstanceOf(OutOfOrderError);
    await expect(log.append([{ event: executed(2n) }])).rejects.toBeInstanceOf(OutOfOrderError);
    expect(log.head().position).toBe(2n);
    await log.append(block(2n));
  });

  it('appends a command once: within a batch, in later batches and after reopening', async () => {
    const store = new MemoryStore();
    const log = await open(store);
    const append = (target: EventLog) => target.append([{ event: admitted('a') }], [], { once: 'command-1' });
    const [one, same, other] = await Promise.all([append(log), append(log), log.append([{ event: admitted('b') }])]);
    expect(same).toEqual(one);
    expect(other?.[0]?.position).toBe(2n);
    expect(await append(log)).toEqual(one);
    const again = await open(store);
    expect(await append(again)).toEqual(one);
    expect(again.head().position).toBe(2n);
  });

  it('is unusable after the first failed commit: its outcome is unknown and nothing more is written', async () => {
    const memory = new MemoryStore();
    let commits = 0;
    const log = await open(
      withPoisonRule({
        get: (key) => memory.get(key),
        range: (options) => memory.range(options),
        async commit() {
          commits += 1;
          throw new Error('EIO');
        },
        close: () => memory.close(),
      }),
    );
    await expect(log.append([{ event: admitted('a') }])).rejects.toBeInstanceOf(CommitUnknownError);
    await expect(log.append([{ event: admitted('b') }])).rejects.toBeInstanceOf(PoisonedError);
    expect(commits).toBe(1);
    expect(log.head().position).toBe(0n);
  });

  it('limits the number of waiting appends', async () => {
    const log = await openEventLog({ store: new MemoryStore(), crypto, clock: steppingClock(), sync: 'os' });
    const { waitingAppends } = FIXED_LIMITS;
    const appends = Array.from({ length: waitingAppends + 1 }, (_, index) =>
      log.append([{ event: admitted(`tx ${index}`) }]),
    );
    const results = await Promise.allSettled(appends);
    expect(results.findIndex(({ status }) => status === 'rejected')).toBe(waitingAppends);
    expect(results[waitingAppends]).toMatchObject({ reason: expect.any(LogBusyError) });
  });

  it('refuses to open when a record of the tail is missing, changed or above the head', async () => {
    for (const harm of ['missing', 'changed', 'beyond'] as const) {
      const store = new MemoryStore();
      const log = await open(store);
      for (const tx of ['a', 'b', 'c']) await log.append([{ event: admitted(tx) }]);
      if (harm === 'missing') await store.commit([{ type: 'delete', key: recordKey(toPosition(2n), 0) }]);
      if (harm === 'changed')
        await store.commit([{ type: 'put', key: recordKey(toPosition(2n), 6), value: text('evil') }]);
      if (harm === 'beyond')
        await store.commit([{ type: 'put', key: recordKey(toPosition(4n), 0), value: text('evil') }]);
      await expect(open(store)).rejects.toBeInstanceOf(CorruptionError);
    }
  });

  it('reaches its fail points in order: before the batch, after it, after publication', async () => {
    const hits: string[] = [];
    const heads: bigint[] = [];
    const failPoints = { hit: (name: string) => void (hits.push(name), heads.push(log.head().position)) };
    const log = await openEventLog({
      store: new MemoryStore(),
      crypto,
      clock: steppingClock(),
      sync: 'block',
      failPoints,
    });
    await log.append([{ event: admitted('a') }]);
    expect(hits).toEqual(['log-before-batch', 'log-after-batch', 'log-after-publish']);
    expect(heads).toEqual([0n, 0n, 1n]);
  });

  it('moves its checkpoint, so that opening reads only later records', async () => {
    const store = new MemoryStore();
    const log = await open(store);
    const many = Array.from({ length: 1_500 }, (_, index) => ({ event: admitted(String(index)) }));
    for (let round = 0; round < 4; round += 1) await log.append(many);
    await store.commit([{ type: 'put', key: recordKey(toPosition(1n), 6), value: text('damaged long ago') }]);
    const again = await open(store);
    expect(again.head().position).toBe(6_000n);
    expect((await again.verifyAll()).problems).toMatchObject([
      { position: 1n, problem: expect.stringMatching(/digest of section other differs/) },
    ]);
  });

  it('prints events as JSON with decimal heights and hex bytes, truncated on request', async () => {
    const log = await open(new MemoryStore());
    await log.append([{ event: admitted('a longer transaction'), cause: 'c1' }, { event: decided(1n) }]);
    const events = (await collect(log.read({ from: toPosition(1n), limit: 2 }))).flat();
    const shown = events.map((event) => showEvent(event, {}, 4));
    expect(shown[0]).toMatchObject({
      position: '1',
      stream: 'mempool',
      cause: 'c1',
      type: 'TxAdmitted',
      v: 2,
      data: { tx: '61206c6f... (20 bytes)', left: [] },
    });
    expect(shown[1]).toMatchObject({ position: '2', data: { height: '1', trace: [{ type: 'NewRound' }] } });
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
  });
});
