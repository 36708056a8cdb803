import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CachedState } from '../../../src/core/state/cached-state.js';
import { toOrderedString } from '../../../src/core/bytes/key-order.js';
import type { StateWrite } from '../../../src/core/state/state.js';

/** A committed state that counts its reads. */
function committedState() {
  const rows = new Map<string, Uint8Array>();
  const name = (store: string, key: Uint8Array) => `${store}/${toOrderedString(key)}`;
  let reads = 0;
  return {
    get(store: string, key: Uint8Array) {
      reads += 1;
      return rows.get(name(store, key));
    },
    apply(writes: readonly StateWrite[]) {
      for (const { store, key, value } of writes) {
        if (value === undefined) rows.delete(name(store, key));
        else rows.set(name(store, key), value);
      }
    },
    reads: () => reads,
  };
}

const write = fc.record({
  store: fc.constantFrom('acc', 'bank'),
  key: fc.uint8Array({ minLength: 1, maxLength: 2, max: 3 }),
  value: fc.option(fc.uint8Array({ maxLength: 3 }), { nil: undefined }),
});

test('cached reads equal reads of the state after random writes, evictions and deletions', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(write, { maxLength: 6 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 8 }),
      (blocks, maximum) => {
        const state = committedState();
        const cached = new CachedState(state, maximum);
        for (const writes of blocks) {
          for (const { store, key } of writes) expect(cached.get(store, key)).toEqual(state.get(store, key));
          state.apply(writes);
          cached.committed(writes);
          for (const { store, key } of blocks.flat()) expect(cached.get(store, key)).toEqual(state.get(store, key));
        }
      },
    ),
  );
});

test('the state cache reads a value once, also an absent one, and returns the same object until a write', () => {
  const state = committedState();
  const key = Uint8Array.of(1);
  state.apply([{ store: 'acc', key, value: Uint8Array.of(7) }]);
  const cached = new CachedState(state, 100);
  expect(cached.get('acc', key)).toBe(cached.get('acc', Uint8Array.of(1)));
  expect(cached.get('acc', Uint8Array.of(2))).toBeUndefined();
  expect(cached.get('acc', Uint8Array.of(2))).toBeUndefined();
  expect(state.reads()).toBe(2);
  const value = Uint8Array.of(8);
  cached.committed([{ store: 'acc', key, value }]);
  expect(cached.get('acc', key)).toBe(value);
  cached.forget();
  expect(cached.get('acc', key)).toEqual(Uint8Array.of(7));
});

test('the state cache copies a written value that is a view of a larger buffer', () => {
  const cached = new CachedState(committedState(), 100);
  const key = Uint8Array.of(1);
  const message = new Uint8Array(1_000_000).fill(5);
  cached.committed([{ store: 'acc', key, value: message.subarray(10, 42) }]);
  const kept = cached.get('acc', key);
  expect(kept).toEqual(new Uint8Array(32).fill(5));
  expect(kept?.buffer.byteLength).toBe(32);
});

test("the state cache returns the newest block's writes before the state has them, despite evictions", () => {
  const state = committedState();
  const cached = new CachedState(state, 8);
  const written = [1, 2].map((key) => ({ store: 'acc', key: Uint8Array.of(key), value: Uint8Array.of(7) }));
  cached.committed(written);
  for (let key = 10; key < 60; key += 1) expect(cached.get('acc', Uint8Array.of(key))).toBeUndefined();
  for (const { key, value } of written) expect(cached.get('acc', key)).toBe(value);
  state.apply(written);
  cached.committed([{ store: 'acc', key: Uint8Array.of(3), value: undefined }]);
  for (let key = 10; key < 60; key += 1) cached.get('acc', Uint8Array.of(key));
  expect(cached.get('acc', Uint8Array.of(1))).toEqual(Uint8Array.of(7));
  expect(cached.get('acc', Uint8Array.of(3))).toBeUndefined();
  cached.forget();
  expect(cached.get('acc', Uint8Array.of(3))).toBeUndefined();
});

test('the state cache protects the writes of the newest blocks, up to their configured number', () => {
  const state = committedState();
  const cached = new CachedState(state, 8, 2);
  const writes = (key: number) => [{ store: 'acc', key: Uint8Array.of(key), value: Uint8Array.of(key + 100) }];
  for (const key of [1, 2, 3]) cached.committed(writes(key));
  const read = (key: number) => cached.get('acc', Uint8Array.of(key))?.[0];
  for (let key = 10; key < 60; key += 1) read(key);
  expect([read(1), read(2), read(3)]).toEqual([undefined, 102, 103]);
});
