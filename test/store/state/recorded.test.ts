import { beforeAll, describe, expect, it } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import type { StateEntry, StateRange } from '../../../src/core/state/state.js';
import { MemoryStore } from '../../support/memory-store.js';
import { createStateReader, lowestHeight, stateRows } from '../../../src/store/state/latest.js';
import { pruneState } from '../../../src/store/state/prune.js';
import { rangeAt } from '../../../src/store/state/range.js';
import { hasGolden } from '../../support/golden.js';
import { readRecordedChain, readRecordedState } from '../../support/recorded-chain.js';

const shown = ({ key, value }: StateEntry): string =>
  `${Buffer.from(key).toString('hex')}=${Buffer.from(value).toString('hex')}`;

async function wholeStore(
  store: MemoryStore,
  name: string,
  height: bigint,
  limit: number,
  reverse = false,
): Promise<string[]> {
  const entries: StateEntry[] = [];
  for (let rest: StateRange | undefined = { reverse }; rest !== undefined;) {
    const page = await rangeAt(store, name, toHeight(height), { ...rest, limit });
    entries.push(...page.entries);
    rest = page.rest;
  }
  return entries.map(shown);
}

describe.skipIf(!hasGolden)('state tables over the recorded chain', () => {
  const store = new MemoryStore();

  beforeAll(async () => {
    for (const { height, writes } of readRecordedChain())
      await store.commit(stateRows(height, writes, (key) => store.get(key)));
  });

  it.each([1, 2, 10, 40, 224])(
    'reads every store as it was after height %i, forwards and backwards',
    async (height) => {
      for (const [name, entries] of readRecordedState(height)) {
        const expected = entries.map(shown);
        expect(await wholeStore(store, name, BigInt(height), 37), name).toEqual(expected);
        expect(await wholeStore(store, name, BigInt(height), 1_000, true), name).toEqual(expected.reverse());
      }
    },
  );

  it.each([1, 2, 10, 40, 224])('reads every key as it was after height %i', (height) => {
    const reader = createStateReader(store, toHeight(BigInt(height)));
    const later = readRecordedState(224);
    for (const [name, entries] of readRecordedState(height)) {
      const values = new Map(entries.map(({ key, value }) => [Buffer.from(key).toString('hex'), value]));
      for (const { key } of [...entries, ...(later.get(name) ?? [])]) {
        expect(reader.get(name, key)).toEqual(values.get(Buffer.from(key).toString('hex')));
      }
    }
  });

  it('reads nothing before the first height, and the newest values as latest', async () => {
    expect(await wholeStore(store, 'bank', 0n, 1_000)).toEqual([]);
    const last = readRecordedChain().at(-1);
    const reader = createStateReader(store, 'latest');
    for (const { store: name, key, value } of last?.writes ?? []) expect(reader.get(name, key)).toEqual(value);
  });

  it('keeps every height from the floor on when undo pages below it are pruned', async () => {
    const floor = toHeight(40n);
    expect(await pruneState(store, { first: toHeight(0n), floor, rows: 7 })).toBeGreaterThan(40);
    expect(lowestHeight(store)).toBe(floor);
    expect(await pruneState(store, { first: toHeight(0n), floor, rows: 7 })).toBe(0);
    for (const height of [40, 224]) {
      for (const [name, entries] of readRecordedState(height)) {
        expect(await wholeStore(store, name, BigInt(height), 500), name).toEqual(entries.map(shown));
      }
    }
    await expect(wholeStore(store, 'bank', 39n, 500)).rejects.toMatchObject({ name: 'HeightPruned', lowest: floor });
  });
});
