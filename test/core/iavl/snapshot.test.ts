/** Snapshots of the IAVL trees in the SDK's snapshot format. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat } from '../../../src/core/bytes/bytes.js';
import { VarintWriter } from '../../../src/core/iavl/varint-stream.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { createMultistore, type Multistore } from '../../../src/core/multistore/multistore.js';
import type { ValueReader } from '../../../src/core/multistore/tree-reader.js';
import { readItems, SnapshotRefused, writeItem } from '../../../src/core/multistore/snapshot-items.js';
import type { SnapshotCursor } from '../../../src/core/multistore/snapshot-slice.js';
import { readSnapshot, type SnapshotLimits } from '../../../src/core/multistore/snapshot-trees.js';
import { toHeight, type Height } from '../../../src/core/primitives.js';
import type { StateWrite } from '../../../src/core/state/state.js';
import { hasGolden } from '../../support/golden.js';
import { crypto, hex, newRecordedState, recordedHeights } from './golden.js';

const at = (height: number): Height => toHeight(BigInt(height));
const STORES = ['acc', 'bank', 'empty-mostly'];

const write: fc.Arbitrary<StateWrite> = fc.record({
  store: fc.constantFrom(...STORES),
  key: fc.uint8Array({ maxLength: 2 }),
  value: fc.option(fc.uint8Array({ maxLength: 3 }), { nil: undefined, freq: 3 }),
});
const blocks = fc.array(fc.array(write, { maxLength: 20 }), { minLength: 1, maxLength: 8 });

/** The trees after these blocks, and the values of their keys. */
function played(sequence: readonly (readonly StateWrite[])[]): {
  readonly trees: Multistore;
  readonly values: ValueReader;
} {
  const trees = createMultistore({ stores: STORES, crypto, provableHeights: 3 });
  const values = new Map<string, Uint8Array>();
  sequence.forEach((writes, index) => {
    for (const { store, key, value } of writes) {
      if (value === undefined) values.delete(`${store}/${hex(key)}`);
      else values.set(`${store}/${hex(key)}`, value);
    }
    trees.apply(writes);
    trees.commit(at(index + 1));
  });
  return { trees, values: (store, key) => values.get(`${store}/${hex(key)}`) };
}

/** The whole snapshot stream of a height, made in slices of `leaves` leaves. */
function streamOf(trees: Multistore, height: Height, valueOf: ValueReader, leaves: number): Uint8Array {
  const slices: Uint8Array[] = [];
  let from: SnapshotCursor | undefined;
  do {
    const slice = trees.snapshotSlice(height, from, leaves, valueOf);
    if (slice === undefined) throw new Error('the height is not in memory');
    slices.push(slice.items);
    from = slice.next;
  } while (from !== undefined);
  return concat(...slices);
}

const appHashOf = (trees: Multistore): Uint8Array => trees.latest?.appHash ?? new Uint8Array();

describe('a state snapshot', () => {
  test('restores every tree and every value, whatever the size of its slices', () => {
    fc.assert(
      fc.property(blocks, fc.integer({ min: 1, max: 60 }), (sequence, leaves) => {
        const { trees, values } = played(sequence);
        const height = at(sequence.length);
        const stream = streamOf(trees, height, values, leaves);
        expect(hex(stream)).toBe(hex(streamOf(trees, height, values, 1_000)));
        const content = readSnapshot(crypto, height, appHashOf(trees), stream);
        expect(hex(content.checkpoint)).toBe(hex(trees.snapshotBytes()));
        for (const { store, key, value } of content.values) expect(value).toEqual(values(store, key));
        const restored = createMultistore({ stores: [], crypto, provableHeights: 3 });
        expect(restored.restore(content.checkpoint)?.appHash).toEqual(appHashOf(trees));
        expect(restored.stores).toEqual(STORES);
      }),
      { numRuns: 150 },
    );
  });

  test('is refused after any change of a relevant bit, or when truncated', () => {
    const key = (letter: number) => Uint8Array.of(letter);
    const sets = [1, 2, 3, 4].map((letter) => ({ store: 'bank', key: key(letter), value: key(letter) }));
    const { trees, values } = played([sets, [{ store: 'acc', key: key(9), value: key(7) }]]);
    const stream = streamOf(trees, at(2), values, 100);
    const appHash = appHashOf(trees);
    const whole = readSnapshot(crypto, at(2), appHash, stream);
    let refused = 0;
    for (let index = 0; index < stream.length; index += 1) {
      for (const bit of [1, 0x80]) {
        const damaged = stream.slice();
        damaged[index] = (damaged[index] ?? 0) ^ bit;
        try {
          // The key of an inner node is not hashed; restoring ignores it.
          expect(readSnapshot(crypto, at(2), appHash, damaged)).toEqual(whole);
        } catch (error) {
          expect(error).toBeInstanceOf(SnapshotRefused);
          refused += 1;
        }
      }
      expect(() => readSnapshot(crypto, at(2), appHash, stream.subarray(0, index))).toThrow(SnapshotRefused);
    }
    expect(refused).toBeGreaterThan(stream.length);
    expect(() => readSnapshot(crypto, at(1), appHash, stream)).toThrow('a node of height 2');
    expect(() => readSnapshot(crypto, at(2), appHash.toReversed(), stream)).toThrow('app hash of its height');
  });

  test('is refused as soon as it exceeds the limit of values or stores', () => {
    const sets = [1, 2, 3, 4].map((letter) => ({
      store: 'bank',
      key: Uint8Array.of(letter),
      value: Uint8Array.of(letter),
    }));
    const { trees, values } = played([sets]);
    const stream = streamOf(trees, at(1), values, 100);
    const read = (limits: SnapshotLimits) => () => readSnapshot(crypto, at(1), appHashOf(trees), stream, limits);
    const exact = { snapshotValues: 4, snapshotStores: STORES.length };
    expect(read(exact)().values).toHaveLength(4);
    expect(read({ ...exact, snapshotValues: 3 })).toThrow('more than 3 values (limit snapshotValues)');
    expect(read({ ...exact, snapshotStores: 2 })).toThrow('more than 2 stores (limit snapshotStores)');
    // The limit applies before the end of the stream, so that a peer cannot send endless small leaves.
    const bomb = concat(stream, Uint8Array.of(0xff));
    expect(() => readSnapshot(crypto, at(1), new Uint8Array(32), bomb, { ...exact, snapshotValues: 3 })).toThrow(
      'limit snapshotValues',
    );
  });

  test('drops unknown fields of its items', () => {
    // Field 15 of an item, and field 15 of the store in it.
    const item = Uint8Array.of(0x78, 0, 0x0a, 5, 0x0a, 1, 97, 0x78, 0);
    const [read] = readItems(Uint8Array.of(item.length, ...item));
    expect(read).toMatchObject({ case: 'store', value: { name: 'a' } });
    expect(read?.value?.$unknown).toBeUndefined();
  });

  test('is refused with a reason when an item is out of place', () => {
    const items = (...write: ((output: VarintWriter) => void)[]): Uint8Array => {
      const output = new VarintWriter();
      for (const one of write) one(output);
      return output.finish();
    };
    const node = {
      $typeName: 'cosmos.store.snapshots.v1.SnapshotIAVLItem',
      value: new Uint8Array(),
      version: 1n,
    } as const;
    const read = (stream: Uint8Array) => () => readSnapshot(crypto, at(1), new Uint8Array(32), stream);
    const leaf = (output: VarintWriter) =>
      writeItem(output, { case: 'iavl', value: { ...node, key: Uint8Array.of(1), height: 0 } });
    const inner = (output: VarintWriter) =>
      writeItem(output, { case: 'iavl', value: { ...node, key: Uint8Array.of(1), height: 1 } });
    const store = (name: string) => (output: VarintWriter) =>
      writeItem(output, { case: 'store', value: { $typeName: 'cosmos.store.snapshots.v1.SnapshotStoreItem', name } });
    expect(read(items(leaf))).toThrow('a node before the first store');
    expect(read(items(store('b'), store('a')))).toThrow('not in order of name');
    expect(read(items(store('a'), leaf, inner))).toThrow('an inner node lacks children');
    expect(read(items(store('a'), leaf, leaf))).toThrow('store a is not one tree');
    expect(
      read(
        items(store('a'), (output) =>
          writeItem(output, {
            case: 'extension',
            value: { $typeName: 'cosmos.store.snapshots.v1.SnapshotExtensionMeta', name: 'wasm', format: 1 },
          }),
        ),
      ),
    ).toThrow('unknown extension snapshotter wasm');
    const long = new VarintWriter();
    long.uvarint(65_000_000);
    expect(read(long.finish())).toThrow('an item of 65000000 bytes');
    expect(read(new Uint8Array())).toThrow('app hash');
    expect([...readItems(items(store('a')))].map(({ case: kind }) => kind)).toEqual(['store']);
  });

  test.skipIf(!hasGolden)('of the recorded chain restores all store roots and leads to the later app hashes', () => {
    const heights = recordedHeights();
    const middle = 150;
    const stores = Object.keys(heights[0]?.roots ?? {});
    const recorded = newRecordedState(stores, 100);
    for (const one of heights.slice(0, middle)) recorded.play(one);
    const stream = streamOf(recorded.multistore, at(middle), recorded.valueOf, 100);
    const appHash = Uint8Array.from(Buffer.from(heights[middle - 1]?.appHash ?? '', 'hex'));
    const restored = createMultistore({ stores: [], crypto });
    restored.restore(readSnapshot(crypto, at(middle), appHash, stream).checkpoint);
    const roots = restored.latest?.roots.map(({ name, root }) => [name, hex(root).toUpperCase()]);
    expect(Object.fromEntries(roots ?? [])).toEqual(heights[middle - 1]?.roots);
    for (const one of heights.slice(middle, middle + 100)) {
      restored.apply(one.writes);
      expect(hex(restored.commit(at(one.height)).appHash).toUpperCase()).toBe(one.appHash);
    }
  });
});

test('trees of a running snapshot are kept for at most snapshotHeights heights', () => {
  const trees = createMultistore({ stores: ['bank'], crypto, provableHeights: 3 });
  const none: ValueReader = () => Uint8Array.of(1);
  const grow = (from: number, to: number): void => {
    for (let height = from; height <= to; height += 1) {
      trees.apply([0, 1].map((key) => ({ store: 'bank', key: Uint8Array.of(key), value: Uint8Array.of(1) })));
      trees.commit(at(height));
    }
  };
  const slice = (height: number, from?: SnapshotCursor) => trees.snapshotSlice(at(height), from, 1, none);
  grow(1, 3);
  const first = slice(3);
  grow(4, 40);
  expect([trees.commitOf(at(2)), trees.commitOf(at(3))?.height]).toEqual([undefined, 3n]);
  expect(slice(3, first?.next)?.next).toBeUndefined();
  // Each block drops two old versions.
  grow(41, 80);
  expect([trees.commitOf(at(77)), trees.commitOf(at(78))?.height]).toEqual([undefined, 78n]);

  slice(80);
  grow(81, 80 + 2 + FIXED_LIMITS.snapshotHeights);
  expect(trees.commitOf(at(80))?.height).toBe(80n);
  grow(83 + FIXED_LIMITS.snapshotHeights, 83 + FIXED_LIMITS.snapshotHeights);
  expect(trees.commitOf(at(80))).toBeUndefined();
});
