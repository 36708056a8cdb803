/** A reader of an anchor's snapshot holds a few of its parts at a time, however many there are. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import { concat } from '../../../src/core/bytes/bytes.js';
import type { KeyValueStore, StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { pruneRecords } from '../../../src/runtime/rebuild/anchor-of-log.js';
import { deriveDatabase, wholeLogOf } from '../../../src/runtime/rebuild/derive-database.js';
import { readHostRows } from '../../../src/runtime/rebuild/host-rows.js';
import { pruneBlocks } from '../../../src/runtime/pruning/prune-blocks.js';
import { reExecute } from '../../../src/runtime/re-execution/re-execute-log.js';
import { scanLog } from '../../../src/runtime/chain/scanned-parts.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { anchorEvents, anchorHeight, encodeAnchor, partRow } from '../../../src/store/log/anchor.js';
import { blocksFloor } from '../../../src/store/log/blocks-floor.js';
import { withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import { openEventLog, type EventLog } from '../../../src/store/log/event-log.js';
import { anchorPartKey, PREFIX, recordKey } from '../../../src/store/keys.js';
import { positionAfter, readAnchor } from '../../../src/store/log/read-records.js';
import { pruneState } from '../../../src/store/state/prune.js';
import { verifyLog } from '../../../src/store/log/verify-log.js';
import { readHead } from '../../../src/store/log/verify-tail.js';
import { crypto } from '../../core/app/support.js';
import { send, simulate } from '../../node/simulated-node.js';
import { MemoryStore } from '../../support/memory-store.js';
import { reopenable } from '../../support/reopenable.js';

const HEAD = 72n;
const AT_ONCE = 10_000;
const PARTS = 60;
/** Number of part reads between two measurements of memory: a garbage collection takes long. */
const LOOK = 15;
/** Number of parts that one reader holds: the unpacked one, the waiting one, and the one just read. */
const HELD = 5;
const EVERYTHING = { start: Uint8Array.of(0), end: Uint8Array.of(255, 255, 255), limit: 100_000 };
const NOW = toTimeNs(0n);

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

const disk = new MemoryStore();
let parts = 0;

const opened = (memory: MemoryStore): KeyValueStore => reopenable(withRowChecksums(memory));
const logOf = (store: KeyValueStore): Promise<EventLog> =>
  openEventLog({ store, crypto, clock: { now: () => NOW }, sync: 'os' });
const withScratch = <Value>(use: (scratch: KeyValueStore) => Promise<Value>): Promise<Value> =>
  use(withRowChecksums(new MemoryStore()));

beforeAll(async () => {
  await grow(disk, HEAD);
  await anchor(opened(disk), HEAD);
  parts = await recut(opened(disk));
});

async function grow(memory: MemoryStore, to: bigint): Promise<void> {
  const simulated = await simulate({ store: opened(memory), crypto });
  await simulated.node.api.commands.broadcastTx(send(0, 2, 5n, to === HEAD ? 0n : 1n));
  await simulated.mineTo(to);
  await simulated.time.advance(1_000);
  await simulated.node.stop();
}

async function anchor(store: KeyValueStore, to: bigint): Promise<unknown> {
  const head = readHead(store);
  await pruneState(store, { first: toHeight(0n), floor: toHeight(to - 20n), rows: AT_ONCE });
  await pruneBlocks({ store, crypto, head: () => head, first: toHeight(1n) }, toHeight(to - 5n), AT_ONCE);
  return pruneRecords({ store, log: await logOf(store), crypto, withScratch }, AT_ONCE);
}

/** Cuts the snapshot of the anchor into many parts; returns their number. */
async function recut(store: KeyValueStore): Promise<number> {
  const header = readAnchor(store, crypto);
  if (header === undefined) throw new Error('the log was pruned');
  const height = anchorHeight(header.anchor);
  const [restored, started] = anchorEvents(header.anchor);
  if (started.event.type !== 'NodeStarted') throw new Error('an anchor names its process');
  const before = header.anchor.parts.map((_, index) => anchorPartKey(height, index));
  const whole = concat(...before.map((key) => store.get(key) ?? new Uint8Array()));
  const size = Math.ceil(whole.length / PARTS);
  const cut = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
    whole.slice(index * size, (index + 1) * size),
  );
  const { streams, history } = header.anchor;
  const value = encodeAnchor({
    next: positionAfter(header),
    previousHash: header.previousHash,
    hash: header.hash,
    streams,
    time: started.time,
    history,
    parts: cut.map((part) => crypto.sha256(part)),
    restored: restored.event.data,
    started: started.event.data,
  });
  const rows = [...cut.entries()].map(([index, part]) => partRow(height, index, part));
  await store.commit([{ type: 'put', key: recordKey(header.first, 0), value }, ...rows], { sync: true });
  return cut.length;
}

async function copy(): Promise<MemoryStore> {
  const memory = new MemoryStore();
  await memory.commit((await disk.range(EVERYTHING)).map((row): StoreOperation => ({ type: 'put', ...row })));
  return memory;
}

/** A database that counts the parts that it returned and that are still held when the next one is read. */
function counted(store: KeyValueStore): {
  readonly store: KeyValueStore;
  readonly counts: { read: number; most: number };
} {
  const given: WeakRef<Uint8Array>[] = [];
  const counts = { read: 0, most: 0 };
  return {
    counts,
    store: {
      ...store,
      get: (key) => store.get(key),
      async range(options) {
        const rows = await store.range(options);
        if (options.start[0] !== PREFIX.anchor) return rows;
        counts.read += rows.length;
        if (counts.read % LOOK === 0) {
          await setImmediate();
          if (typeof collectGarbage === 'function') collectGarbage();
          const held = given.filter((one) => one.deref() !== undefined).length;
          counts.most = Math.max(counts.most, held + rows.length);
        }
        const fresh = rows.map(({ key, value }) => ({ key, value: value.slice() }));
        for (const { value } of fresh) given.push(new WeakRef(value));
        return fresh;
      },
    },
  };
}

describe('the parts of an anchor that are held in memory', () => {
  test.each<readonly [string, (store: KeyValueStore) => Promise<unknown>]>([
    [
      'log verify',
      async (store) => {
        const target = new MemoryStore();
        const { problems } = await verifyDatabase({ store, crypto, witnessed: undefined, target, now: NOW });
        expect(problems).toEqual([]);
      },
    ],
    ['log verify of a damaged log', async (store) => expect((await verifyLog(store, crypto)).problems).toEqual([])],
    [
      'log verify --execute',
      async (store) => {
        const events = (await logOf(store)).read({ from: toPosition(1n) });
        const { disagreements } = await reExecute(events, crypto, 0, blocksFloor(store).before);
        expect(disagreements).toEqual([]);
      },
    ],
    [
      'log rebuild',
      async (store) => {
        const made = new MemoryStore();
        const log = await wholeLogOf({ store, crypto, witnessed: undefined });
        await deriveDatabase({ log, host: readHostRows(store, NOW), target: opened(made), crypto });
        const target = new MemoryStore();
        const { problems } = await verifyDatabase({
          store: opened(made),
          crypto,
          witnessed: undefined,
          target,
          now: NOW,
        });
        expect(problems).toEqual([]);
      },
    ],
    [
      'a start without a checkpoint',
      async (store) => {
        const simulated = await simulate({ store, crypto });
        await simulated.mineTo(HEAD + 2n);
        expect(simulated.errors).toEqual([]);
        await simulated.node.stop();
      },
    ],
    [
      'the scan of a running node',
      async (store) => {
        let slices = 0;
        for await (const _ of scanLog({ store, crypto, log: await logOf(store), isReverting: () => false }))
          slices += 1;
        // Each part is a slice of its own.
        expect(slices).toBeGreaterThan(parts);
      },
    ],
  ])('are few during %s', async (_, use) => {
    const { store, counts } = counted(opened(await copy()));
    await use(store);
    expect(counts.read).toBeGreaterThanOrEqual(parts);
    expect(counts.most).toBeLessThanOrEqual(HELD);
  });

  test('are few during pruning at a later anchor', async () => {
    const memory = await copy();
    await grow(memory, HEAD + 40n);
    const { store, counts } = counted(opened(memory));
    expect(await anchor(store, HEAD + 40n)).toBe(HEAD + 19n);
    expect(counts.read).toBeGreaterThanOrEqual(parts);
    expect(counts.most).toBeLessThanOrEqual(HELD);
  });
});

describe('a scan of an anchor with a missing part', () => {
  /** Scans a log whose last part is deleted while the first ones are read; `also` runs after the deletion. */
  async function scanned(also: (store: KeyValueStore) => Promise<unknown>): Promise<void> {
    const store = opened(await copy());
    const scan = scanLog({ store, crypto, log: await logOf(store), isReverting: () => false });
    for (let slice = 0; slice < 3; slice += 1) await scan.next();
    const header = readAnchor(store, crypto);
    if (header === undefined) throw new Error('the log was pruned');
    const key = anchorPartKey(anchorHeight(header.anchor), parts - 1);
    await store.commit([{ type: 'delete', key }], { sync: true });
    await also(store);
    while ((await scan.next()).done !== true);
  }

  test('reports damage', async () => {
    await expect(scanned(() => Promise.resolve())).rejects.toThrow(`part ${parts - 1} of the snapshot is missing`);
  });

  test('continues when a later anchor has replaced the one that it reads', async () => {
    await scanned(async (store) => {
      const key = recordKey(toPosition(2n), 0);
      const row = store.get(key)?.slice() ?? new Uint8Array();
      // The hash in the next record.
      row[46] = (row[46] ?? 0) ^ 1;
      await store.commit([{ type: 'put', key, value: row }], { sync: true });
    });
  });
});
