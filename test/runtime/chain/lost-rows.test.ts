/** Rows that are lost or changed in the storage of a running node, below its own checksums. */
import { describe, expect, test } from 'vitest';
import type { KeyValue, StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { onFirstCall } from '../../../src/core/on-first-call.js';
import { toHeight, type Height } from '../../../src/core/primitives.js';
import type { Checked } from '../../../src/core/multistore/check-values.js';
import { blockEvents } from '../../../src/runtime/chain/indexer.js';
import { scanHistory, scanLog, scanState } from '../../../src/runtime/chain/scanned-parts.js';
import { revertIndex } from '../../../src/store/index-rows/index-revert.js';
import { PREFIX } from '../../../src/store/keys.js';
import { CorruptionError } from '../../../src/store/errors.js';
import { MemoryStore } from '../../support/memory-store.js';
import { devOf, firing, value } from '../../node/dev/support.js';
import { accounts, send, simulate, type SimulatedNode } from '../../node/simulated-node.js';
import { reopenable } from '../../support/reopenable.js';

async function rowsOf(store: MemoryStore, prefix: number): Promise<readonly KeyValue[]> {
  return store.range({ start: Uint8Array.of(prefix), end: Uint8Array.of(prefix + 1), limit: 100_000 });
}

/** The row with the balance of the third account, which has not been read yet. */
async function balanceRow(store: MemoryStore): Promise<KeyValue> {
  const address = Buffer.from(accounts[2]?.hex.slice(2) ?? '', 'hex');
  const rows = (await rowsOf(store, PREFIX.state)).filter(
    ({ key }) =>
      Buffer.from(key.subarray(2, 6)).toString() === 'bank' && key[6] === 2 && Buffer.from(key).includes(address),
  );
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`${rows.length} rows of a balance`);
  return row;
}

const removed = ({ key }: KeyValue): StoreOperation => ({ type: 'delete', key });
/** Changes the last byte of the value: a digit of the amount. */
const changed = ({ key, value }: KeyValue): StoreOperation => {
  const other = Uint8Array.from(value);
  other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
  return { type: 'put', key, value: other };
};

/** Reads of the storage may fail as well: the node has stopped. */
async function stopped({ node }: SimulatedNode): Promise<void> {
  await node.stop().catch(() => undefined);
}

describe('the executor of blocks', () => {
  test.each([
    ['lost', removed, 'row is missing'],
    ['changed', changed, 'row differs from the trees'],
  ] as const)('does not execute on a state row that was %s', async (_, damage, problem) => {
    const store = new MemoryStore();
    const simulated = await simulate({ store });
    await simulated.mineTo(2n);
    await store.commit([damage(await balanceRow(store))]);
    const { node } = simulated;
    const before = node.eventLog.head().executed;
    void node.api.commands.broadcastTx(send(0, 2, 5n, 0n));
    await expect(simulated.mineTo(before + 2n)).rejects.toThrow(`table state: ${problem}`);
    expect(await node.failed).toBeInstanceOf(CorruptionError);
    // The last block does not contain the transaction, and no later one is in the log.
    expect(node.eventLog.head().executed).toBeLessThanOrEqual(before + 1n);
    expect(node.supervisor.mode()).toBe('draining');
    await stopped(simulated);
  });
});

/** Rows of a stopped node with a transaction and 31 blocks; made once. */
const lived = onFirstCall(async (): Promise<readonly StoreOperation[]> => {
  const store = new MemoryStore();
  const simulated = await simulate({ store: reopenable(store) });
  await simulated.mineTo(2n);
  void simulated.node.api.commands.broadcastTx(send(0, 1, 5n, 0n));
  await simulated.mineTo(31n);
  await simulated.node.stop();
  const rows = await store.range({ start: Uint8Array.of(0), end: Uint8Array.of(255, 255), limit: 100_000 });
  return rows.map((row) => ({ type: 'put', ...row }));
});

describe('the background scan of the storage', () => {
  test('reports a row of validators as lost when its key still exists at a second look', async () => {
    const key = Uint8Array.of(1);
    const scan = async (isForgotten: boolean): Promise<void> => {
      let keys = [key];
      for await (const _ of scanHistory(
        { get: () => undefined },
        () => keys,
        () => false,
      ))
        if (isForgotten) keys = [];
    };
    // An anchor deletes rows before their keys are forgotten.
    await scan(true);
    await expect(scan(false)).rejects.toThrow('row is missing');
  });

  const tables: readonly (readonly [string, number, RegExp])[] = [
    ['state', PREFIX.state, /table state: row is missing/],
    ['blocks by height', PREFIX.height, /row of height \d+ is missing|height row/],
    ['blocks by hash', PREFIX.blockHash, /table blocks by hash: row is missing/],
    ['transactions by hash', PREFIX.txHash, /table transactions by hash: row is missing/],
    ['undo pages', PREFIX.state + 1, /table undo pages of the state: row is missing/],
    ['transaction events', PREFIX.index, /table transaction events: row is missing/],
    ['block events', PREFIX.index + 1, /table block events: row is missing/],
    ['validators', PREFIX.history, /table validators and parameters by height: row is missing/],
    ['records', PREFIX.record, /missing/],
  ];
  test.each(tables)('finds a lost row of the table %s that no request reads', async (_, prefix, problem) => {
    const store = new MemoryStore();
    await store.commit(await lived());
    // A node indexes its chain after its first block, and block events at the end of 32 heights.
    const simulated = await simulate({ store: reopenable(store) });
    const { node, time } = simulated;
    await simulated.mineTo(32n);
    let failure: unknown;
    void node.failed.then((reason) => (failure = reason));
    // Two complete scans of a sound storage.
    await time.advance(60_000);
    expect(failure).toBeUndefined();
    const rows = prefix === PREFIX.state ? [await balanceRow(store)] : await rowsOf(store, prefix);
    const [row] = rows.slice(Math.floor(rows.length / 2));
    if (row === undefined) throw new Error('the table has rows');
    await store.commit([removed(row)]);
    for (let second = 0; second < 120 && failure === undefined; second += 1) await time.advance(1_000);
    expect(failure).toBeInstanceOf(CorruptionError);
    expect(String(failure)).toMatch(problem);
    await stopped(simulated);
  });

  test('passes over a reverting chain, however long the batch takes, and finds damage afterwards', async () => {
    const store = new MemoryStore();
    let written: Promise<void> | undefined;
    // Readers still see the rows while their batch is being written.
    const slow = reopenable({
      get: (key) => store.get(key),
      range: (options) => store.range(options),
      close: () => store.close(),
      async commit(operations) {
        await store.commit(operations);
        await written;
      },
    });
    const simulated = await simulate({ store: slow });
    const { node, time } = simulated;
    const dev = devOf(simulated);
    let failure: unknown;
    void node.failed.then((reason) => (failure = reason));
    await value(dev.mine(2, undefined));
    await value(dev.snapshot());
    void node.api.commands.broadcastTx(send(0, 1, 5n, 0n));
    await simulated.mineTo(6n);
    let finish: () => void = () => undefined;
    written = new Promise((resolve) => (finish = resolve));
    const reverting = dev.revert(1n);
    for (let second = 0; second < 30; second += 1) await time.advance(1_000);
    expect([failure, node.api.queries.chain.head().height]).toEqual([undefined, 6n]);
    finish();
    written = undefined;
    expect(await firing(simulated, reverting)).toBe(true);
    for (let second = 0; second < 30; second += 1) await time.advance(1_000);
    expect([failure, node.api.queries.chain.head().height]).toEqual([undefined, 2n]);
    await store.commit([removed(await balanceRow(store))]);
    for (let second = 0; second < 120 && failure === undefined; second += 1) await time.advance(1_000);
    expect(failure).toBeInstanceOf(CorruptionError);
    await stopped(simulated);
  });

  test('reports a lost row of a block as damage, unless a revert may be removing it', async () => {
    const store = new MemoryStore();
    const simulated = await simulate({ store });
    await simulated.mineTo(3n);
    const { crypto, eventLog: log } = simulated.node;
    const [row] = await rowsOf(store, PREFIX.blockHash);
    if (row === undefined) throw new Error('the table has rows');
    await store.commit([removed(row)]);
    const scan = async (isReverting: boolean): Promise<void> => {
      for await (const _ of scanLog({ store, crypto, log, isReverting: () => isReverting }));
    };
    await scan(true);
    await expect(scan(false)).rejects.toThrow('table blocks by hash: row is missing');
    await stopped(simulated);
  });

  test('finds no damage when a revert of the index ends within one of its pauses', async () => {
    const indexed = new MemoryStore();
    const simulated = await simulate({ store: indexed });
    await simulated.mineTo(40n);
    await simulated.time.advance(10_000);
    const { crypto, eventLog: log } = simulated.node;
    const rows = await indexed.range({ start: Uint8Array.of(0), end: Uint8Array.of(255, 255), limit: 100_000 });
    const first = toHeight(1n);
    let isOver = false;
    let gone = 0;
    for (let pauses = 1; !isOver; pauses += 1) {
      const store = new MemoryStore();
      await store.commit(rows.map((row) => ({ type: 'put', ...row })));
      const scan = scanLog({ store, crypto, log, isReverting: () => false });
      for (let taken = 0; taken < pauses && !isOver; taken += 1) isOver = (await scan.next()).done === true;
      const before = (await rowsOf(store, PREFIX.index + 1)).length;
      // The heights 1 to 20 share rows with later ones of their window, which the revert deletes.
      const events = (height: Height) => blockEvents(log, height);
      await revertIndex({ store, first, to: toHeight(20n), events, pause: () => Promise.resolve() });
      gone += before - (await rowsOf(store, PREFIX.index + 1)).length;
      for await (const _ of scan);
    }
    expect(gone).toBeGreaterThan(0);
    await stopped(simulated);
  });

  test('reports a difference as damage only when it is still there after the next pause', async () => {
    const at = { store: 'bank', key: Uint8Array.of(1) };
    const damaged: Checked = { kind: 'damaged', at, damage: 'missing' };
    const scan = async (...answers: readonly Checked[]): Promise<number> => {
      const left = [...answers];
      let pauses = 0;
      for await (const _ of scanState({ check: () => Promise.resolve(left.shift()) }, () => toHeight(1n))) pauses += 1;
      return pauses;
    };
    const sound: Checked = { kind: 'sound', next: at };
    // The chain is reverted between the slices.
    expect(await scan(damaged, sound, damaged, sound, { kind: 'sound', next: undefined })).toBe(5);
    await expect(scan(sound, damaged, damaged)).rejects.toThrow('table state: row is missing');
  });

  test('stops with the node', async () => {
    const simulated = await simulate({ store: new MemoryStore() });
    await simulated.mineTo(3n);
    await simulated.time.advance(3_000);
    await simulated.node.stop();
    expect(simulated.time.waiting).toBe(0);
  });
});
