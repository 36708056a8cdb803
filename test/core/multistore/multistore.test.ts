import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMultistore, type Multistore } from '../../../src/core/multistore/multistore.js';
import type { ValueReader } from '../../../src/core/multistore/tree-reader.js';
import { toHeight } from '../../../src/core/primitives.js';
import { mergeWrites } from '../../../src/core/state/merge-writes.js';
import type { StateWrite } from '../../../src/core/state/state.js';
import { hasGolden } from '../../support/golden.js';
import { crypto, hex, newRecordedState, recordedHeights } from '../iavl/golden.js';
import { verifyOps } from '../iavl/verify.js';

const at = (height: number): ReturnType<typeof toHeight> => toHeight(BigInt(height));
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const write: fc.Arbitrary<StateWrite> = fc.record({
  store: fc.constantFrom('bank', 'acc', 'empty-mostly'),
  key: fc.uint8Array({ maxLength: 2 }),
  value: fc.option(fc.uint8Array({ maxLength: 3 }), { nil: undefined, freq: 3 }),
});
const blocks = fc.array(fc.array(write, { maxLength: 20 }), { minLength: 1, maxLength: 8 });

function play(multistore: Multistore, sequence: readonly (readonly StateWrite[])[], from: number): string {
  sequence.forEach((writes, index) => {
    multistore.apply(writes);
    multistore.commit(at(from + index));
  });
  return hex(multistore.latest?.appHash ?? new Uint8Array());
}

const empty = (): Multistore =>
  createMultistore({ stores: ['bank', 'acc', 'empty-mostly'], crypto, provableHeights: 3 });

describe('a restored multistore', () => {
  test('has the app hash of its checkpoint and the same hashes in later blocks', () => {
    fc.assert(
      fc.property(blocks, blocks, (before, after) => {
        const original = empty();
        const appHash = play(original, before, 1);
        const restored = createMultistore({ stores: [], crypto, provableHeights: 3 });
        const checkpoint = hex(original.snapshotBytes());
        expect(hex(restored.restore(original.snapshotBytes())?.appHash ?? new Uint8Array())).toBe(appHash);
        expect(play(restored, after, before.length + 1)).toBe(play(original, after, before.length + 1));
        expect(hex(restored.snapshotBytes())).toBe(hex(original.snapshotBytes()));
        // The checkpoint of an earlier height does not change while the height is in memory.
        const earlier = original.snapshotBytesOf(at(before.length));
        expect(earlier && hex(earlier)).toBe(after.length < 3 ? checkpoint : undefined);
      }),
      { numRuns: 150 },
    );
  });

  test('is undefined for a checkpoint with a changed or missing byte', () => {
    const original = empty();
    play(original, [[{ store: 'bank', key: text('a'), value: text('1') }]], 1);
    const checkpoint = original.snapshotBytes();
    for (let index = 0; index < checkpoint.length; index += 1) {
      const damaged = checkpoint.slice();
      damaged[index] = (damaged[index] ?? 0) ^ 1;
      expect(empty().restore(damaged)).toBeUndefined();
      expect(empty().restore(checkpoint.subarray(0, index))).toBeUndefined();
    }
  });

  test.skipIf(!hasGolden)("continues the recorded chain from its middle with the Go node's app hashes", () => {
    const heights = recordedHeights();
    const stores = Object.keys(heights[0]?.roots ?? {});
    const first = newRecordedState(stores, 100);
    for (const recorded of heights.slice(0, 150)) first.play(recorded);
    const second = createMultistore({ stores, crypto });
    second.restore(first.multistore.snapshotBytes());
    for (const recorded of heights.slice(150, 300)) {
      second.apply(recorded.writes);
      expect(hex(second.commit(at(recorded.height)).appHash).toUpperCase()).toBe(recorded.appHash);
    }
  });
});

describe('the store roots of a commit', () => {
  test('are reused for unchanged stores, and correct after a rollback', () => {
    const multistore = empty();
    const roots = (height: number) =>
      multistore.commitOf(at(height))?.roots.map(({ name, root }) => `${name} ${hex(root)}`);
    play(
      multistore,
      [[{ store: 'bank', key: text('a'), value: text('1') }], [{ store: 'acc', key: text('b'), value: text('1') }]],
      1,
    );
    const [first, second] = [multistore.commitOf(at(1)), multistore.commitOf(at(2))];
    expect(second?.roots.map((root, index) => root === first?.roots[index])).toEqual([false, true, true]);
    const before = roots(1);
    multistore.rollback(at(1));
    play(multistore, [[]], 2);
    expect(roots(2)).toEqual(before);
    const anew = empty();
    play(anew, [[{ store: 'bank', key: text('a'), value: text('1') }], []], 1);
    expect(roots(2)).toEqual(anew.commitOf(at(2))?.roots.map(({ name, root }) => `${name} ${hex(root)}`));
  });
});

describe('a reader of the multistore', () => {
  test('iterates keys of the tree with values from the caller, at the head and at a committed height', () => {
    const multistore = empty();
    const values: ValueReader = (_, key) => (key.length === 0 ? undefined : key);
    play(
      multistore,
      [[{ store: 'bank', key: text('b'), value: text('1') }], [{ store: 'bank', key: text('a'), value: text('1') }]],
      1,
    );
    const keys = (range: Iterable<{ readonly key: Uint8Array }> | undefined): readonly string[] =>
      [...(range ?? [])].map(({ key }) => new TextDecoder().decode(key));
    expect(keys(multistore.reader(values).range('bank', { reverse: true }))).toEqual(['b', 'a']);
    expect(keys(multistore.readerAt(at(1), values)?.range('bank', {}))).toEqual(['b']);
    expect(multistore.readerAt(at(9), values)).toBeUndefined();
  });
});

describe('a store upgrade', () => {
  const values = new Map<string, Uint8Array>();
  const commitWrites = (multistore: Multistore, height: number, writes: readonly StateWrite[]): void => {
    for (const { store, key, value } of writes) {
      if (value === undefined) values.delete(`${store}/${hex(key)}`);
      else values.set(`${store}/${hex(key)}`, value);
    }
    multistore.apply(writes);
    multistore.commit(at(height));
  };
  const writesTo = (store: string): readonly StateWrite[] =>
    Array.from({ length: 50 }, (_, index) => ({ store, key: Uint8Array.of(index), value: Uint8Array.of(index, 1) }));

  test('renames stores, adds empty stores, and deletes stores with all their nodes', () => {
    values.clear();
    const multistore = createMultistore({ stores: ['acc', 'old', 'gone'], crypto, provableHeights: 2 });
    commitWrites(multistore, 1, [...writesTo('old'), ...writesTo('gone'), ...writesTo('acc')]);
    const oldValues = new Map(values);
    const gone = (store: string): StateWrite[] => writesTo(store).map(({ key }) => ({ store, key, value: undefined }));
    const written = [...gone('gone'), ...writesTo('new'), ...gone('old')];
    multistore.applyUpgrade({ added: ['fresh'], renamed: [{ from: 'old', to: 'new' }], deleted: ['gone'] }, written);
    multistore.commit(at(2));

    const expected = createMultistore({ stores: ['acc', 'fresh', 'new'], crypto, provableHeights: 2 });
    expected.apply(writesTo('acc'));
    expected.commit(at(1));
    expected.apply(writesTo('new'));
    expect(hex(multistore.latest?.appHash ?? new Uint8Array())).toBe(hex(expected.commit(at(2)).appHash));
    expect(multistore.stores).toEqual(['acc', 'fresh', 'new']);

    const proved = multistore.prove('gone', Uint8Array.of(7), at(1), (store, key) =>
      oldValues.get(`${store}/${hex(key)}`),
    );
    const appHash = multistore.commitOf(at(1))?.appHash ?? new Uint8Array();
    expect(proved.ok && verifyOps(proved.ops, appHash, 'gone', Uint8Array.of(7), Uint8Array.of(7, 1))).toBe('verified');
    multistore.commit(at(3));
    expected.commit(at(3));
    expect(multistore.slab.liveNodes).toBe(expected.slab.liveNodes);
  });

  test("applies the block's own writes to a renamed store after the rename, as the SDK does", () => {
    const rename = { added: [], renamed: [{ from: 'old', to: 'new' }], deleted: [] };
    const old = writesTo('old').filter((_, index) => index % 2 === 0);
    const deletions = old.map(({ key }): StateWrite => ({ store: 'old', key, value: undefined }));
    const multistore = createMultistore({ stores: ['old'], crypto, provableHeights: 2 });
    commitWrites(multistore, 1, old);
    // One block moves all keys, adds a key between them, changes one and deletes one.
    const own: readonly StateWrite[] = [
      { store: 'new', key: Uint8Array.of(4), value: undefined },
      { store: 'new', key: Uint8Array.of(6), value: text('changed') },
      { store: 'new', key: Uint8Array.of(7), value: text('added') },
    ];
    multistore.applyUpgrade(
      rename,
      mergeWrites(
        old.map((write) => ({ ...write, store: 'new' })),
        [...own, ...deletions],
      ),
    );
    const expected = createMultistore({ stores: ['new'], crypto, provableHeights: 2 });
    expected.commit(at(1));
    expected.apply(old.map((write) => ({ ...write, store: 'new' })));
    expected.apply(own);
    expect(hex(multistore.commit(at(2)).appHash)).toBe(hex(expected.commit(at(2)).appHash));
    expect(() => createMultistore({ stores: ['old'], crypto }).applyUpgrade(rename, [])).not.toThrow();
    const incomplete = createMultistore({ stores: ['old'], crypto });
    commitWrites(incomplete, 1, old);
    expect(() => incomplete.applyUpgrade(rename, deletions)).toThrow(/renames old/);
  });
});
