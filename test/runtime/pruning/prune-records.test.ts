/**
 * Pruning of the log's records before an anchor, in stopped databases: the log still proves itself, wherever it is
 * cut.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Filter } from '../../../src/core/filters/index.js';
import { CommittedTrees } from '../../../src/core/chain/committed-trees.js';
import type { KeyValueStore, StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toPosition, toTimeNs, type Height } from '../../../src/core/primitives.js';
import { decodedMembers } from '../../../src/node/inspection/decoded-event.js';
import { plainNames } from '../../../src/node/inspection/answer-names.js';
import { pruneRecords } from '../../../src/runtime/rebuild/anchor-of-log.js';
import { deriveDatabase, wholeLogOf } from '../../../src/runtime/rebuild/derive-database.js';
import { readHostRows } from '../../../src/runtime/rebuild/host-rows.js';
import { pruneBlocks } from '../../../src/runtime/pruning/prune-blocks.js';
import { rebuildTrees } from '../../../src/runtime/rebuild/rebuild-trees.js';
import { reExecute } from '../../../src/runtime/re-execution/re-execute-log.js';
import { scanLog, type ScannedLog } from '../../../src/runtime/chain/scanned-parts.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { loadVersionOf } from '../../../src/runtime/load-preset.js';
import { ANCHOR_POSITION } from '../../../src/store/log/anchor.js';
import { blocksFloor } from '../../../src/store/log/blocks-floor.js';
import { withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import { checkpointRows } from '../../../src/store/checkpoints/checkpoints.js';
import { openEventLog, type EventLog } from '../../../src/store/log/event-log.js';
import { filterRow } from '../../../src/store/filters/filters.js';
import { anchorPartKey, heightKey, nextAnchorKey, PREFIX, recordBound, recordKey } from '../../../src/store/keys.js';
import { moveCheckpoint } from '../../../src/store/pool/pool-checkpoint.js';
import { prunedPosition } from '../../../src/store/log/pruned-position.js';
import { readRecords } from '../../../src/store/log/read-records.js';
import { encodeRecord, NO_HASH } from '../../../src/store/log/record.js';
import { pruneState } from '../../../src/store/state/prune.js';
import { readHead } from '../../../src/store/log/verify-tail.js';
import { crypto } from '../../core/app/support.js';
import { devOf, value } from '../../node/dev/support.js';
import { send, simulate, type SimulatedNode } from '../../node/simulated-node.js';
import { MemoryStore } from '../../support/memory-store.js';
import { reopenable } from '../../support/reopenable.js';

const HEAD = 40n;
/** The first block whose record is kept: states are kept from height 20 on, blocks from 32. */
const FROM = toHeight(19n);
const EVERYTHING = { start: Uint8Array.of(0), end: Uint8Array.of(255, 255, 255), limit: 100_000 };
/** More rows than exist. */
const AT_ONCE = 10_000;

/** Rows are packed as on a disk. */
const disk = new MemoryStore();
/** A copy of the home with states and blocks pruned. */
const prunedDisk = new MemoryStore();

beforeAll(async () => {
  let sequence = 0n;
  for (const heights of [
    [4n, 10n, 16n],
    [22n, 28n, HEAD],
  ]) {
    const simulated = await simulate({ store: reopenable(withRowChecksums(disk)), crypto });
    for (const height of heights) {
      await simulated.node.api.commands.broadcastTx(send(0, 2, 5n, sequence));
      sequence += 1n;
      await simulated.mineTo(height);
    }
    await simulated.time.advance(1_000);
    await simulated.node.stop();
  }
  await copy(disk, prunedDisk);
  await pruneBelow(withRowChecksums(prunedDisk), HEAD);
});

async function copy(from: MemoryStore, to: MemoryStore): Promise<void> {
  await to.commit((await from.range(EVERYTHING)).map((row): StoreOperation => ({ type: 'put', ...row })));
}

/** Keeps the states of 20 blocks and the blocks of the last window. */
async function pruneBelow(store: KeyValueStore, to: bigint): Promise<void> {
  const head = readHead(store);
  await pruneState(store, { first: toHeight(0n), floor: toHeight(to - 20n), rows: AT_ONCE });
  await pruneBlocks({ store, crypto, head: () => head, first: toHeight(1n) }, toHeight(to - 5n), AT_ONCE);
}

/** The database on a disk, as a new process opens it. */
const opened = (memory: MemoryStore): KeyValueStore => reopenable(withRowChecksums(memory));

async function prunedCopy(): Promise<MemoryStore> {
  const memory = new MemoryStore();
  await copy(prunedDisk, memory);
  return memory;
}

function logOf(store: KeyValueStore): Promise<EventLog> {
  return openEventLog({ store, crypto, clock: { now: () => toTimeNs(0n) }, sync: 'os' });
}

function withScratch<Value>(use: (scratch: KeyValueStore) => Promise<Value>): Promise<Value> {
  return use(withRowChecksums(new MemoryStore()));
}

async function anchored(memory: MemoryStore, rows = AT_ONCE): Promise<Height | undefined> {
  const store = opened(memory);
  return pruneRecords({ store, log: await logOf(store), crypto, withScratch }, rows);
}

/** A home whose records were pruned. */
async function anchoredCopy(): Promise<MemoryStore> {
  const memory = await prunedCopy();
  expect(await anchored(memory)).toBe(FROM);
  return memory;
}

function verified(memory: MemoryStore) {
  const options = { crypto, witnessed: undefined, target: new MemoryStore(), now: toTimeNs(0n) };
  return verifyDatabase({ ...options, store: opened(memory) });
}

async function problemsOf(memory: MemoryStore): Promise<readonly string[]> {
  return (await verified(memory)).problems.map(({ problem }) => problem);
}

describe('a log pruned behind an anchor', () => {
  test('is verified, executed again and rebuilt from the anchor on', async () => {
    const memory = await anchoredCopy();
    expect(await verified(memory)).toMatchObject({ problems: [], logFrom: FROM, blocksFrom: 32n, statesFrom: 20n });
    const store = opened(memory);
    const log = await logOf(store);
    const { before } = blocksFloor(store);
    const again = await reExecute(log.read({ from: toPosition(1n) }), crypto, 0, before);
    expect([again.blocks, again.disagreements]).toEqual([22, []]);
    const made = new MemoryStore();
    await deriveDatabase({
      log: await wholeLogOf({ store, crypto, witnessed: undefined }),
      host: readHostRows(store, toTimeNs(0n)),
      target: opened(made),
      crypto,
    });
    expect(await verified(made)).toMatchObject({ problems: [], logFrom: FROM });
    const node = await simulate({ store: opened(made), crypto });
    await node.mineTo(HEAD + 3n);
    expect(node.errors).toEqual([]);
    await node.node.stop();
  });

  test('has no earlier rows, and can be read from its first kept position on', async () => {
    const store = opened(await anchoredCopy());
    const log = await logOf(store);
    const kept = log.keptFrom();
    expect(kept).toBe(log.recordOf(FROM)?.decided.record);
    expect(await store.range({ start: recordBound(3n), end: recordBound(kept), limit: 1 })).toEqual([]);
    const heights = { start: heightKey(toHeight(0n)), end: heightKey(FROM), limit: 1 };
    expect(await store.range(heights)).toEqual([]);
    expect([2n, 3n, kept - 1n, kept].map((from) => prunedPosition(log, from) !== undefined)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    const read = async (from: bigint, limit: number): Promise<readonly bigint[]> => {
      const found: bigint[] = [];
      for await (const events of log.read({ from: toPosition(from), limit }))
        found.push(...events.map(({ position }) => position));
      return found;
    };
    // Positions count, not events.
    expect(await read(1n, Number(kept))).toEqual([1n, 2n, 3n, kept]);
    expect(await read(10n, 5)).toEqual([]);
    expect(await read(10n, Number(kept - 9n))).toEqual([kept]);
  });

  test('is pruned again at a later anchor', async () => {
    const memory = await anchoredCopy();
    const node = await simulate({ store: opened(memory), crypto });
    await node.mineTo(HEAD + 40n);
    await node.time.advance(1_000);
    await node.node.stop();
    await pruneBelow(opened(memory), HEAD + 40n);
    expect(await anchored(memory, 50)).toBe(HEAD + 19n);
    expect(await verified(memory)).toMatchObject({ problems: [], logFrom: HEAD + 19n });
    const parts = await opened(memory).range({
      start: Uint8Array.of(PREFIX.anchor),
      end: Uint8Array.of(PREFIX.anchor + 1),
      limit: 10,
    });
    expect(parts.map(({ key }) => key)).toEqual([anchorPartKey(toHeight(HEAD + 18n), 0)]);
  });
});

test('an anchor is shown without chunks, and cannot be encoded as a record again', async () => {
  const log = await logOf(opened(await anchoredCopy()));
  for (const isBrief of [true, false]) {
    const [recorded] = (await log.read({ from: ANCHOR_POSITION, limit: 1, isBrief }).next()).value ?? [];
    if (recorded?.event.type !== 'SnapshotRestored') throw new Error('an anchor follows the genesis');
    expect(decodedMembers(recorded.event, crypto, plainNames(crypto))).toEqual({ chunks: undefined });
    if (isBrief) continue;
    expect(() => encodeRecord([recorded], NO_HASH, crypto)).toThrow('no record holds the chunks of an anchor');
  }
});

test('a kill between any two batches leaves a home that verifies, and pruning it again gives the same rows', async () => {
  const ROWS = 24;
  const whole = await prunedCopy();
  await anchored(whole, ROWS);
  const rowsOf = async (memory: MemoryStore): Promise<readonly unknown[]> =>
    (await opened(memory).range({ ...EVERYTHING, end: Uint8Array.of(255, 255) })).filter(
      ({ key }) => key[0] !== PREFIX.verified,
    );
  const expected = await rowsOf(whole);
  const before = await problemsOf(whole);
  expect(before).toEqual([]);
  let cuts = 0;
  for (let commits = 1; ; commits += commits < 5 ? 1 : 2) {
    const memory = await prunedCopy();
    const store = opened(memory);
    let left = commits;
    const dying: KeyValueStore = {
      ...store,
      async commit(operations, options) {
        if (left === 0) throw new Error('killed');
        left -= 1;
        return store.commit(operations, options);
      },
    };
    const log = await logOf(store);
    const isOver = await pruneRecords({ store: dying, log, crypto, withScratch }, ROWS).then(
      () => true,
      () => false,
    );
    if (isOver) break;
    cuts += 1;
    const checked = new MemoryStore();
    await copy(memory, checked);
    expect(await problemsOf(checked), `after ${commits} commits`).toEqual([]);
    await anchored(memory, ROWS);
    expect(await rowsOf(memory), `after ${commits} commits`).toEqual(expected);
  }
  expect(cuts).toBeGreaterThan(6);
}, 120_000);

test('a reader whose next record is pruned meanwhile continues after the anchor', async () => {
  const store = opened(await anchoredCopy());
  const { position, record } = readHead(store);
  const found: bigint[] = [];
  for await (const { header } of readRecords(store, crypto, { first: 20n, through: position, previousHash: NO_HASH }))
    found.push(header.first);
  expect([found[0], found.at(-1)]).toEqual([(await logOf(store)).keptFrom(), record]);
});

test('a scan that has just read a record continues when an anchor replaces the record', async () => {
  const [before, after] = [opened(await prunedCopy()), opened(await anchoredCopy())];
  const store: ScannedLog['store'] = { get: (key) => after.get(key), range: (options) => before.range(options) };
  const slices: unknown[] = [];
  const scan = scanLog({ store, crypto, log: await logOf(after), isReverting: () => false });
  for await (const slice of scan) slices.push(slice);
  expect(slices.length).toBeGreaterThan(0);
});

test('a rebuild of trees begins again from an anchor that replaces the records to be read', async () => {
  const memory = await prunedCopy();
  const store = opened(memory);
  const log = await logOf(store);
  const through = log.head().executed;
  const [first] = (await log.read({ from: toPosition(1n), limit: 1 }).next()).value ?? [];
  if (first?.event.type !== 'ChainStarted') throw new Error('the log begins with the chain');
  const { data } = first.event;
  const version = await loadVersionOf(data);
  const fresh = () => new CommittedTrees({ version, crypto, provableHeights: 1 });
  let trees = fresh();
  const replayed: Height[] = [];
  const appHash = await rebuildTrees({
    log: {
      async *read(options) {
        let { from } = options;
        for await (const events of log.read(options)) {
          yield events;
          if (replayed.length === 10) break;
          from = toPosition((events.at(-1)?.position ?? from) + 1n);
        }
        if (replayed.length !== 10) return;
        expect(await anchored(memory)).toBe(FROM);
        log.anchored();
        yield* log.read({ ...options, from: toPosition(from + 1n) });
      },
      recordOf: (height) => log.recordOf(height),
      isOnBranch: (recorded) => log.isOnBranch(recorded),
      restored: () => log.restored(),
      keptFrom: () => log.keptFrom(),
    },
    store: { get: () => undefined, commit: () => Promise.resolve() },
    crypto,
    open: async () => void (trees = fresh()),
    executor: {
      genesis: async (writes) => trees.genesis(writes),
      async replay(height, writes) {
        replayed.push(height);
        return trees.commit(height, writes);
      },
      checkpoint: async () => undefined,
      restore: async (from) => (typeof from === 'bigint' ? undefined : trees.multistore.restore(from)?.appHash),
    },
    genesisWrites: data.writes,
    through,
    checkpoint: undefined,
  });
  expect([replayed.slice(8, 12), replayed.at(-1)]).toEqual([[9n, 10n, FROM, FROM + 1n], through]);
  expect(appHash).toEqual(trees.multistore.latest?.appHash);
});

describe('a damaged anchor', () => {
  const height = toHeight(FROM - 1n);

  test.each([
    ['part 0 of the snapshot is missing', { type: 'delete', key: anchorPartKey(height, 0) }],
    ['part 0 of the snapshot differs', { type: 'put', key: anchorPartKey(height, 0), value: Uint8Array.of(1) }],
  ] as const)('is reported by verification: %s', async (problem, operation) => {
    const memory = await anchoredCopy();
    await opened(memory).commit([operation], { sync: true });
    expect(await problemsOf(memory)).toContainEqual(expect.stringContaining(problem));
  });

  test.each([
    ['the first kept position', 12, true, true],
    ['the hash of the first record', 14, true, true],
    ['the hash in the next record', 46, true, true],
    ['the end of a stream', 79, true, false],
    ['a validator', 160, true, false],
    ['an event', -200, false, true],
    ['the process that made the next block', -1, true, true],
  ])(
    'with a change of %s: at byte %i, found by verification %s, by re-execution %s',
    async (_, at, isVerified, isExecuted) => {
      const memory = await anchoredCopy();
      const store = opened(memory);
      const key = recordKey(ANCHOR_POSITION, 0);
      const value = store.get(key) ?? new Uint8Array();
      const index = at < 0 ? value.length + at : at;
      value[index] = (value[index] ?? 0) ^ 1;
      await store.commit([{ type: 'put', key, value }], { sync: true });
      const problems = await problemsOf(memory);
      const read = (await logOf(opened(memory))).read({ from: toPosition(1n) });
      const executed = await reExecute(read, crypto, 0, blocksFloor(store).before).then(
        ({ disagreements }) => disagreements.length > 0,
        () => true,
      );
      expect([problems.length > 0, executed]).toEqual([isVerified, isExecuted]);
    },
  );
});

describe('records are not pruned', () => {
  test('when a snapshot would take more space than they do', async () => {
    const memory = await prunedCopy();
    const store = opened(memory);
    const image = { height: toHeight(28n), bytes: new Uint8Array(30_000) };
    await store.commit(checkpointRows(store, image), { sync: true });
    expect(await anchored(memory)).toBeUndefined();
    expect(store.get(nextAnchorKey())).toBeUndefined();
  });

  test('when states or blocks are not pruned', async () => {
    const memory = new MemoryStore();
    await copy(disk, memory);
    expect(await anchored(memory)).toBeUndefined();
  });
});

test('clock and snapshots of dev mode from before the anchor are kept only in rows of the home', async () => {
  const disk = new MemoryStore();
  const rules = { retained: { blocks: 30n, seconds: undefined }, anchorBlocks: 24 } as const;
  const pruning = { strategy: 'custom', keepRecent: 20n, interval: 10n } as const;
  const begun = (): Promise<SimulatedNode> => simulate({ store: opened(disk), crypto, ...rules, pruning });
  const first = await begun();
  const grow = async (simulated: SimulatedNode, to: bigint): Promise<void> => {
    await simulated.mineTo(to);
    await simulated.time.advance(20_000);
  };
  await value(devOf(first).increaseTime(86_400n));
  await value(devOf(first).snapshot());
  for (const height of [24n, 40n]) await grow(first, height);
  await value(devOf(first).snapshot());
  for (const height of [64n, 96n]) await grow(first, height);
  expect([first.errors, first.node.eventLog.keptFrom() > 1n]).toEqual([[], true]);
  const timeOf = ({ node }: SimulatedNode) => node.api.queries.chain.head().time;
  const before = timeOf(first);
  await first.node.stop();
  expect(await problemsOf(disk)).toEqual([]);

  const second = await begun();
  const dev = devOf(second);
  await second.mineTo(97n);
  expect(timeOf(second)).toBeGreaterThan(before);
  expect(await value(dev.snapshot())).toBe(3n);
  expect(await dev.revert(1n)).toMatchObject({ ok: false, error: { code: 'height-pruned' } });
  await second.node.stop();
  expect(await problemsOf(disk)).toEqual([]);
});

describe('pending transactions and filters from before the anchor', () => {
  const filter: Filter = {
    id: '07'.repeat(16),
    criteria: { kind: 'block' },
    height: toHeight(HEAD),
    position: toPosition(30n),
    deadline: toTimeNs(9n),
  };

  test('are kept only in rows of the home', async () => {
    const memory = await anchoredCopy();
    const store = opened(memory);
    const { position } = readHead(store);
    const tx = send(1, 2, 5n, 0n);
    await store.commit([...moveCheckpoint(position, [{ position: toPosition(9n), tx }], []), filterRow(filter)], {
      sync: true,
    });
    expect(await problemsOf(memory)).toEqual([]);
    const waiting = [{ position, tx }];
    await store.commit(moveCheckpoint(position, waiting, [toPosition(9n)]), { sync: true });
    // After the anchor the log has the admissions.
    expect(await problemsOf(memory)).toContain('row does not follow from the log');
  });
});
