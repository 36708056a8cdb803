/**
 * Trees that are rolled back: the same hashes, memory and later versions as without the dropped ones.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMultistore, type Multistore } from '../../../src/core/multistore/multistore.js';
import { toHeight } from '../../../src/core/primitives.js';
import type { StateWrite } from '../../../src/core/state/state.js';
import { crypto } from '../app/support.js';

const STORES = ['acc', 'bank'];
const write: fc.Arbitrary<StateWrite> = fc.record({
  store: fc.constantFrom(...STORES),
  key: fc.integer({ min: 0, max: 24 }).map((key) => Uint8Array.of(key)),
  value: fc.option(fc.uint8Array({ minLength: 1, maxLength: 3 }), { nil: undefined, freq: 3 }),
});
const blocks = fc.array(fc.array(write, { maxLength: 12 }), { minLength: 1, maxLength: 8 });

function run(multistore: Multistore, from: number, all: readonly (readonly StateWrite[])[]): string[] {
  return all.map((writes, index) => {
    multistore.apply(writes);
    return Buffer.from(multistore.commit(toHeight(BigInt(from + index + 1))).appHash).toString('hex');
  });
}

const fresh = (provableHeights: number): Multistore => createMultistore({ stores: STORES, crypto, provableHeights });

describe('a multistore after a rollback', () => {
  it('has the hashes and tree nodes of one that never had the abandoned versions', () => {
    fc.assert(
      fc.property(blocks, blocks, blocks, (kept, abandoned, after) => {
        const back = fresh(30);
        const never = fresh(30);
        run(back, 0, kept);
        run(never, 0, kept);
        run(back, kept.length, abandoned);
        const target = back.rollback(toHeight(BigInt(kept.length)));
        expect(target?.appHash).toEqual(never.latest?.appHash);
        expect(back.slab.liveNodes).toBe(never.slab.liveNodes);
        expect(run(back, kept.length, after)).toEqual(run(never, kept.length, after));
        expect(back.slab.liveNodes).toBe(never.slab.liveNodes);
        expect(back.snapshotBytes()).toEqual(never.snapshotBytes());
      }),
    );
  });

  it('is unchanged when the height is not in memory, or was not reached', () => {
    const multistore = fresh(2);
    const hashes = run(
      multistore,
      0,
      [1, 2, 3, 4].map((key) => [{ store: 'acc', key: Uint8Array.of(key), value: Uint8Array.of(1) }]),
    );
    expect(multistore.rollback(toHeight(2n))).toBeUndefined();
    expect(multistore.rollback(toHeight(9n))).toBeUndefined();
    expect(Buffer.from(multistore.latest?.appHash ?? []).toString('hex')).toBe(hashes[3]);
    expect(multistore.rollback(toHeight(3n))?.height).toBe(3n);
    expect(multistore.rollback(toHeight(3n))?.height).toBe(3n);
  });

  it('has the stores from before an upgrade', () => {
    const writes = (store: string, ...keys: readonly number[]): StateWrite[] =>
      keys.map((key) => ({ store, key: Uint8Array.of(key), value: Uint8Array.of(key) }));
    const back = fresh(10);
    const never = fresh(10);
    for (const multistore of [back, never]) run(multistore, 0, [writes('acc', 1, 2, 3), writes('bank', 4, 5)]);
    const nodes = back.slab.liveNodes;
    back.applyUpgrade({ added: ['extra'], renamed: [{ from: 'bank', to: 'coins' }], deleted: ['acc'] }, [
      ...writes('extra', 7),
      ...writes('coins', 4, 5),
    ]);
    back.commit(toHeight(3n));
    run(back, 3, [writes('coins', 6)]);
    expect(back.stores).toEqual(['coins', 'extra']);
    expect(back.rollback(toHeight(2n))?.appHash).toEqual(never.latest?.appHash);
    expect(back.stores).toEqual(STORES);
    expect(back.slab.liveNodes).toBe(nodes);
    expect(run(back, 2, [writes('acc', 9), []])).toEqual(run(never, 2, [writes('acc', 9), []]));
  });
});
