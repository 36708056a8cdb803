/** Reads of old heights: their results, also over rows of an earlier build, and how many rows they read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeBe64 } from '../../../src/core/bytes/big-endian.js';
import type { StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { toHeight } from '../../../src/core/primitives.js';
import type { StateWrite } from '../../../src/core/state/state.js';
import { compareRows } from '../../../src/store/log/compare-rows.js';
import { createStateReader, stateRows } from '../../../src/store/state/latest.js';
import { rangeAt } from '../../../src/store/state/range.js';
import { StateRevert } from '../../../src/store/state/revert.js';
import { latestKey, undoKey } from '../../../src/store/state/tables.js';
import { encodeUndoPage, undoEntries } from '../../../src/store/state/undo.js';
import { decodeVersion } from '../../../src/store/state/version-row.js';
import { countedStore } from '../../support/counted-store.js';
import { MemoryStore } from '../../support/memory-store.js';

const STORE = 's';
const keyOf = (index: number): Uint8Array => Uint8Array.of(index);
const valueOf = (height: number, index: number): Uint8Array => Uint8Array.of(height >> 8, height & 255, index);

interface Life {
  /** Number of blocks between two changes of the key, height of its first change, and whether it is ever deleted. */
  readonly period: number;
  readonly first: number;
  readonly isDeleted: boolean;
}

const life = fc.record({
  period: fc.oneof(fc.constantFrom(1, 1, 2, 3, 16, 17, 100), fc.integer({ min: 1, max: 400 })),
  first: fc.integer({ min: 0, max: 300 }),
  isDeleted: fc.boolean(),
});

/** Writes of a block: every third change of a deletable key deletes it. */
function writesAt(lives: readonly Life[], height: number): readonly StateWrite[] {
  return lives.flatMap(({ period, first, isDeleted }, index) => {
    if (height < first || (height - first) % period !== 0) return [];
    const value = isDeleted && ((height - first) / period) % 3 === 2 ? undefined : valueOf(height, index);
    return [{ store: STORE, key: keyOf(index), value }];
  });
}

/** Value of a key after a block. */
function heldAt({ period, first, isDeleted }: Life, index: number, height: number): Uint8Array | undefined {
  if (height < first) return undefined;
  const change = Math.floor((height - first) / period);
  return isDeleted && change % 3 === 2 ? undefined : valueOf(first + change * period, index);
}

/** A version row in the format of builds before spans. */
function earlierRow(row: Uint8Array): Uint8Array {
  const { height, previous, value } = decodeVersion(row);
  const bytes = new Uint8Array(17 + (value?.length ?? 0));
  writeBe64(bytes, 0, height);
  if (previous !== undefined) writeBe64(bytes, 8, previous + 1n);
  if (value !== undefined) {
    bytes[16] = 1;
    bytes.set(value, 17);
  }
  return bytes;
}

/** The rows of a block as an earlier build wrote them. */
function asEarlier(height: number, rows: readonly StoreOperation[]): readonly StoreOperation[] {
  const page = undoKey(toHeight(BigInt(height)));
  return rows.map((row) => {
    if (row.type === 'delete') return row;
    if (Buffer.compare(row.key, page) !== 0) return { ...row, value: earlierRow(row.value) };
    const images = [...undoEntries(row.value)].map(({ key, row: before }) => ({
      key,
      row: before && earlierRow(before),
    }));
    return { ...row, value: encodeUndoPage(images) };
  });
}

async function write(
  store: MemoryStore,
  height: number,
  writes: readonly StateWrite[],
  isEarlier = false,
): Promise<void> {
  const rows = stateRows(toHeight(BigInt(height)), writes, (key) => store.get(key));
  await store.commit(isEarlier ? asEarlier(height, rows) : rows);
}

const shown = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('hex');

async function expectHeld(store: MemoryStore, lives: readonly Life[], height: number): Promise<void> {
  const at = toHeight(BigInt(height));
  const reader = createStateReader(store, at);
  const held = lives.map((one, index) => heldAt(one, index, height));
  expect(lives.map((_, index) => shown(reader.get(STORE, keyOf(index))))).toEqual(held.map(shown));
  const expected = held.flatMap((value, index) => (value === undefined ? [] : [[shown(keyOf(index)), shown(value)]]));
  const { entries } = await rangeAt(store, STORE, at, { limit: 100 });
  expect(entries.map(({ key, value }) => [shown(key), shown(value)])).toEqual(expected);
}

describe('state at an old height', () => {
  it('is read as it was, over rows of this and an earlier build, and after a revert', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(life, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 0, max: 200 }),
        fc.nat(600),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 }),
        async (lives, head, earlier, to, places) => {
          const store = new MemoryStore();
          for (let height = 0; height <= head; height += 1)
            await write(store, height, writesAt(lives, height), height < earlier);
          const kept = Math.min(to, head);
          const revert = new StateRevert(store, toHeight(BigInt(kept)));
          for (let height = head; height > kept; height -= 1)
            await store.commit([...revert.rows(toHeight(BigInt(height)))]);
          for (let height = kept + 1; height <= head; height += 1) await write(store, height, writesAt(lives, height));
          for (const place of places) await expectHeld(store, lives, Math.round(place * head));
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('number of rows read by a range at an old height', () => {
  const OLD = 100;
  const KEYS = 8;
  /** The number of rows read with the given numbers of blocks above. */
  const read = async (lives: readonly Life[], above: readonly number[]): Promise<readonly number[]> => {
    const store = new MemoryStore();
    const counts: number[] = [];
    for (let height = 0; height <= OLD + Math.max(...above); height += 1) {
      const writes = writesAt(lives, height);
      if (writes.length > 0) await write(store, height, writes);
      if (!above.includes(height - OLD)) continue;
      const { store: watched, taken } = countedStore(store);
      await rangeAt(watched, STORE, toHeight(BigInt(OLD)), { limit: 100 });
      counts.push(taken());
    }
    return counts;
  };
  const keys = (period: number): readonly Life[] =>
    Array.from({ length: KEYS }, (_, index) => ({ period, first: index % period, isDeleted: false }));

  it('is the same with eight times the blocks above, when every block changes the keys', async () => {
    // The keys, the lowest kept height, and the undo page of the next block.
    expect(await read(keys(1), [250, 2_000])).toEqual([KEYS + 2, KEYS + 2]);
  });

  it('grows little with eight times the blocks above, when each key changes at its own heights', async () => {
    const [few = 0, many = 0] = await read(keys(64), [2_000, 16_000]);
    // Each key changed 31 times, and then 250 times: at most three more steps for each power of 4 in between.
    expect(many).toBeLessThanOrEqual(few + KEYS * 3 * 2);
  });
});

describe('comparison of state rows with the log', () => {
  const lives: readonly Life[] = [
    { period: 1, first: 0, isDeleted: false },
    // Changed at heights 0, 5, ... 40: the ninth change is a deletion.
    { period: 5, first: 0, isDeleted: true },
  ];
  const chain = async (earlier: number): Promise<MemoryStore> => {
    const store = new MemoryStore();
    for (let height = 0; height <= 40; height += 1)
      await write(store, height, writesAt(lives, height), height < earlier);
    return store;
  };
  const problems = async (stored: MemoryStore): Promise<readonly string[]> => {
    const found: string[] = [];
    await compareRows(stored, await chain(0), ({ problem }) => void found.push(problem));
    return found;
  };

  it('accepts rows of an earlier build, and rows that this build wrote over them', async () => {
    for (const earlier of [0, 7, 40, 41]) expect(await problems(await chain(earlier))).toEqual([]);
  });

  it('detects a row with another value or with other versions', async () => {
    const key = undoKey(toHeight(20n));
    const altered = async (change: (row: Uint8Array) => Uint8Array): Promise<readonly string[]> => {
      const stored = await chain(0);
      const images = [...undoEntries(stored.get(key) ?? new Uint8Array(4))];
      const value = encodeUndoPage(images.map(({ key: of, row }) => ({ key: of, row: row && change(row) })));
      await stored.commit([{ type: 'put', key, value }]);
      return problems(stored);
    };
    const differs = ['row differs from what the log gives'];
    expect(await altered((row) => row.with(-1, 77))).toEqual(differs);
    expect(await altered((row) => earlierRow(row).with(7, 3))).toEqual(differs);
    expect(await altered((row) => row.slice(0, 2))).toEqual(differs);
    expect(await altered((row) => row.with(0, (row[0] ?? 0) ^ 1))).toEqual(differs);
    const deletion = latestKey(STORE, keyOf(1));
    for (const earlier of [0, 41]) {
      const stored = await chain(earlier);
      const row = stored.get(deletion) ?? new Uint8Array();
      await stored.commit([{ type: 'put', key: deletion, value: Uint8Array.of(...row, 0) }]);
      expect(await problems(stored)).toEqual(differs);
    }
  });
});
