/** `log verify` and the trees of a log that is read once, over the logs of simulated nodes. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { BlockExecuted, LogEvent, Recorded } from '../../../src/core/log-events.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { ReplayMismatch } from '../../../src/runtime/rebuild/rebuild-trees.js';
import { TreesOfLog } from '../../../src/runtime/rebuild/trees-of-log.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { checkpointRows, readCheckpoint } from '../../../src/store/checkpoints/checkpoints.js';
import { PREFIX } from '../../../src/store/keys.js';
import { crypto } from '../../core/app/support.js';
import { devOf, firing } from '../../node/dev/support.js';
import { simulate } from '../../node/simulated-node.js';
import { MemoryStore } from '../../support/memory-store.js';
import { reopenable } from '../../support/reopenable.js';

const BLOCKS = 30n;
const recorded: Recorded[] = [];
const store = new MemoryStore();

beforeAll(async () => {
  const simulated = await simulate({ store });
  await simulated.mineTo(BLOCKS);
  for await (const events of simulated.node.eventLog.read({ from: toPosition(1n) })) recorded.push(...events);
});

async function treesOf(change: (event: LogEvent) => LogEvent): Promise<TreesOfLog> {
  const trees = new TreesOfLog({ crypto, checkpoint: undefined });
  for (const { event } of recorded) await trees.apply({ event: change(event) });
  return trees;
}

function withoutFirstWrite<Event extends BlockExecuted>(event: Event): Event {
  return { ...event, data: { ...event.data, writes: event.data.writes.slice(1) } };
}

describe('trees that are built from a log', () => {
  it('have the app hash of each header', async () => {
    expect((await treesOf((event) => event)).covers(undefined)).toBe(true);
    const lost = treesOf((event) =>
      event.type === 'BlockExecuted' && event.data.height === 3n ? withoutFirstWrite(event) : event,
    );
    await expect(lost).rejects.toBeInstanceOf(ReplayMismatch);
  });

  it.each([2, 4] as const)('have the app hash that was given to an external engine, in version %i', async (v) => {
    const trees = treesOf((event) =>
      event.type === 'BlockExecuted' && event.data.height === 3n
        ? { ...event, v, data: { ...event.data, appHash: new Uint8Array(32) } }
        : event,
    );
    await expect(trees).rejects.toMatchObject({ name: 'ReplayMismatch', height: 4n });
  });

  it('are given up at a revert', async () => {
    const trees = new TreesOfLog({ crypto, checkpoint: undefined });
    for (const one of recorded) await trees.apply(one);
    await trees.apply({ event: { type: 'Reverted', v: 1, data: { toHeight: toHeight(1n), snapshot: 0n } } });
    expect(trees.covers(undefined)).toBe(false);
  });
});

it('verification reads the records once, and writes none of them', async () => {
  const stored = await store.range({ start: Uint8Array.of(0), end: Uint8Array.of(255), limit: 100_000 });
  let read = 0;
  const written = new Set<number | undefined>();
  const target = new MemoryStore();
  const verified = await verifyDatabase({
    store: {
      get: (key) => store.get(key),
      commit: (operations) => store.commit(operations),
      close: () => store.close(),
      async range(options) {
        const rows = await store.range(options);
        read += rows.filter(({ key }) => key[0] === PREFIX.record).length;
        return rows;
      },
    },
    target: {
      get: (key) => target.get(key),
      range: (options) => target.range(options),
      close: () => target.close(),
      commit(operations) {
        for (const { key } of operations) written.add(key[0]);
        return target.commit(operations);
      },
    },
    crypto,
    now: toTimeNs(0n),
    witnessed: undefined,
  });
  const records = stored.filter(({ key }) => key[0] === PREFIX.record).length;
  // One step of the read ends inside a record; the tail is read before.
  expect([verified.problems, verified.rows]).toEqual([[], stored.length]);
  expect(read).toBeLessThan(2.5 * records);
  expect([written.has(PREFIX.record), written.has(PREFIX.height)]).toEqual([false, true]);
});

describe("verification of the trees' checkpoint", () => {
  const height = toHeight(20n);

  /** Problems of the home with a checkpoint whose bytes are changed. */
  async function problemsOf(format: number, change: (bytes: Uint8Array) => Uint8Array): Promise<readonly unknown[]> {
    const trees = new TreesOfLog({ crypto, checkpoint: height, checkpointFormat: format });
    for (const one of recorded) await trees.apply(one);
    const home = new MemoryStore();
    const all = await store.range({ start: Uint8Array.of(0), end: Uint8Array.of(255), limit: 100_000 });
    await home.commit(all.map((row) => ({ type: 'put', ...row })));
    const bytes = change(trees.image?.bytes ?? new Uint8Array());
    await home.commit(checkpointRows(home, { height, bytes }));
    const target = new MemoryStore();
    return (await verifyDatabase({ store: home, target, crypto, now: toTimeNs(0n), witnessed: undefined })).problems;
  }

  it.each([1, 2])('accepts an unchanged checkpoint in format %i', async (format) => {
    expect(await problemsOf(format, (bytes) => bytes)).toEqual([]);
  });

  it('makes the checkpoint in its format when the trees are built again, after a revert', async () => {
    const home = new MemoryStore();
    const simulated = await simulate({ store: reopenable(home) });
    await simulated.mineTo(2n);
    await firing(simulated, devOf(simulated).snapshot());
    await simulated.mineTo(6n);
    expect(await firing(simulated, devOf(simulated).revert(1n))).toBe(true);
    await simulated.mineTo(8n);
    await simulated.node.stop();
    const verify = async (bytes: Uint8Array) => {
      await home.commit(checkpointRows(home, { height: toHeight(5n), bytes }));
      const target = new MemoryStore();
      const { problems } = await verifyDatabase({
        store: home,
        target,
        crypto,
        now: toTimeNs(0n),
        witnessed: undefined,
      });
      return { problems, made: readCheckpoint(target)?.bytes ?? new Uint8Array() };
    };
    const { problems, made } = await verify(Uint8Array.of(1, 2, 3));
    expect([problems.length, made[0]]).toEqual([1, 1]);
    expect((await verify(made)).problems).toEqual([]);
  });

  it.each([
    ['of format 1 with another byte', 1, 100],
    ['of format 2 with another byte', 2, 100],
    ['of an unknown format', 2, 0],
  ])('reports a checkpoint %s', async (_, format, at) => {
    const problems = await problemsOf(format, (bytes) => bytes.with(at, (bytes[at] ?? 0) ^ 0x40));
    expect(problems).toMatchObject([{ table: 'checkpoint of the trees' }]);
  });
});
