import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import type { StateRange } from '../../../src/core/state/state.js';
import { MemoryStore } from '../../support/memory-store.js';
import { createStateReader, stateRows } from '../../../src/store/state/latest.js';
import { pruneState } from '../../../src/store/state/prune.js';
import { readStateAt } from '../../../src/store/state/query-reader.js';
import { rangeAt } from '../../../src/store/state/range.js';

const KEYS = [
  Uint8Array.of(),
  Uint8Array.of(0),
  Uint8Array.of(0, 0),
  Uint8Array.of(1),
  Uint8Array.of(0xff),
  Uint8Array.of(0xff, 0xff),
];
const STORES = ['a', 'ab', 'b'];
const write = fc.record({
  store: fc.constantFrom(...STORES),
  key: fc.constantFrom(...KEYS),
  value: fc.option(fc.uint8Array({ maxLength: 2 }), { nil: undefined }),
});
const block = fc.uniqueArray(write, { maxLength: 8, selector: ({ store, key }) => `${store}/${key.join()}` });
const idOf = (key: Uint8Array): string => key.join();

describe('versions of a state key', () => {
  it('are read at every height from the floor on as they were, also after pruning', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { maxLength: 8 }),
        fc.nat(8),
        fc.integer({ min: 1, max: 4 }),
        async (blocks, floor, limit) => {
          const store = new MemoryStore();
          const states = [new Map<string, Map<string, Uint8Array>>(STORES.map((name) => [name, new Map()]))];
          for (const [index, writes] of blocks.entries()) {
            await store.commit(stateRows(toHeight(BigInt(index + 1)), writes, (key) => store.get(key)));
            const next = new Map([...(states[index] ?? [])].map(([name, entries]) => [name, new Map(entries)]));
            for (const { store: name, key, value } of writes) {
              if (value === undefined) next.get(name)?.delete(idOf(key));
              else next.get(name)?.set(idOf(key), value);
            }
            states.push(next);
          }
          const lowest = toHeight(BigInt(Math.min(floor, blocks.length)));
          await pruneState(store, { first: toHeight(0n), floor: lowest, rows: 2 });
          for (const [at, state] of states.entries()) {
            const height = toHeight(BigInt(at));
            if (height < lowest) {
              expect(await readStateAt(store, height, () => 0, { rangeRows: 1, searchRows: 1 })).toEqual({
                ok: false,
                error: { code: 'state-pruned', height, lowest },
              });
              await expect(rangeAt(store, 'a', height, { limit })).rejects.toMatchObject({ name: 'HeightPruned' });
              expect(() => createStateReader(store, height).get('a', Uint8Array.of(7))).toThrow(/pruned/u);
              continue;
            }
            const reader = createStateReader(store, height);
            for (const name of STORES) {
              for (const key of KEYS) expect(reader.get(name, key)).toEqual(state.get(name)?.get(idOf(key)));
              const sorted = KEYS.flatMap((key) => (state.get(name)?.get(idOf(key)) === undefined ? [] : [idOf(key)]));
              for (const reverse of [false, true]) {
                const found: string[] = [];
                for (let rest: StateRange | undefined = { reverse }; rest !== undefined;) {
                  const page = await rangeAt(store, name, height, { ...rest, limit });
                  found.push(...page.entries.map(({ key }) => idOf(key)));
                  rest = page.rest;
                }
                expect(found).toEqual(reverse ? [...sorted].reverse() : sorted);
              }
            }
          }
        },
      ),
    );
  });

  it('are written at rising heights only', () => {
    const rows = new Map<string, Uint8Array>();
    const writes = [{ store: 'a', key: Uint8Array.of(1), value: Uint8Array.of(1) }];
    for (const operation of stateRows(toHeight(5n), writes, () => undefined))
      if (operation.type === 'put') rows.set(idOf(operation.key), operation.value);
    const again = (height: bigint) => stateRows(toHeight(height), writes, (key) => rows.get(idOf(key)));
    for (const height of [4n, 5n])
      expect(() => again(height)).toThrow(`state of height ${height} is written after height 5`);
    expect(again(6n)).not.toEqual([]);
  });
});
