import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNodeHasher, rootHash } from '../../../src/core/iavl/node-hash.js';
import { type NodeId, NodeSlab, NONE } from '../../../src/core/iavl/node-slab.js';
import { IavlTree } from '../../../src/core/iavl/tree.js';
import { crypto, hex } from './golden.js';

const PROVABLE = 4;

interface Step {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

const key = fc.uint8Array({ maxLength: 3 }).map((bytes) => bytes.map((byte) => byte & 0x83));
const step: fc.Arbitrary<Step> = fc.record({
  key,
  value: fc.option(fc.uint8Array({ maxLength: 4 }), { nil: undefined, freq: 2 }),
});
const blocks = fc.array(fc.array(step, { maxLength: 25 }), { minLength: 1, maxLength: 12 });

const sortedKeys = (model: ReadonlyMap<string, unknown>): readonly string[] => [...model.keys()].toSorted();

function newTree(): { readonly slab: NodeSlab; readonly tree: IavlTree } {
  const slab = new NodeSlab();
  return { slab, tree: new IavlTree(slab, createNodeHasher(slab, crypto.sha256)) };
}

function apply(tree: IavlTree, { key: at, value }: Step): void {
  if (value === undefined) tree.remove(at);
  else tree.set(at, crypto.sha256(value));
}

/** Throws the problem of a node. `expect` would take ten times as long, for four checks of each node. */
function must(holds: boolean, problem: string): void {
  if (!holds) throw new Error(`a node: ${problem}`);
}

/** Height of the subtree; throws when a node breaks a rule of the shape. */
function checkedHeight(slab: NodeSlab, id: NodeId): number {
  if (slab.height(id) === 0) return 0;
  const [left, right] = [checkedHeight(slab, slab.left(id)), checkedHeight(slab, slab.right(id))];
  must(Math.abs(left - right) <= 1, 'the heights of its children differ by more than 1');
  must(slab.height(id) === Math.max(left, right) + 1, 'its height is not that of its children');
  must(slab.size(id) === slab.size(slab.left(id)) + slab.size(slab.right(id)), 'its size is not that of its children');
  let smallest = slab.right(id);
  while (slab.height(smallest) > 0) smallest = slab.left(smallest);
  const [own, wanted] = [slab.keys.view(slab.key(id)), slab.keys.view(slab.key(smallest))];
  must(Buffer.compare(own, wanted) === 0, 'its key is not the smallest of its right subtree');
  return slab.height(id);
}

describe('an IAVL tree', () => {
  test('iterates like a sorted map, in every range and direction', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 120 }),
        fc.option(key, { nil: undefined }),
        fc.option(key, { nil: undefined }),
        fc.boolean(),
        (steps, start, end, reverse) => {
          const { tree } = newTree();
          const model = new Map<string, true>();
          for (const each of steps) {
            apply(tree, each);
            if (each.value === undefined) model.delete(hex(each.key));
            else model.set(hex(each.key), true);
          }
          const inRange = sortedKeys(model).filter(
            (each) => (start === undefined || each >= hex(start)) && (end === undefined || each < hex(end)),
          );
          const range = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }), reverse };
          expect([...tree.keys(range)].map(hex)).toEqual(reverse ? inRange.toReversed() : inRange);
          expect(tree.size).toBe(model.size);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('stays balanced, with every inner key the smallest of its right subtree', () => {
    fc.assert(
      fc.property(blocks, (sequence) => {
        const { slab, tree } = newTree();
        sequence.forEach((steps, index) => {
          for (const each of steps) {
            apply(tree, each);
            if (tree.workingRoot !== NONE) checkedHeight(slab, tree.workingRoot);
          }
          tree.saveVersion(index + 1);
        });
      }),
      { numRuns: 60 },
    );
  });

  test('keeps saved versions unchanged until they are dropped, and then frees their nodes', () => {
    fc.assert(
      fc.property(blocks, (sequence) => {
        const { slab, tree } = newTree();
        const model = new Map<string, true>();
        const saved: { readonly version: number; readonly root: string; readonly keys: readonly string[] }[] = [];
        sequence.forEach((steps, index) => {
          for (const each of steps) {
            apply(tree, each);
            if (each.value === undefined) model.delete(hex(each.key));
            else model.set(hex(each.key), true);
          }
          saved.push({ version: index + 1, root: hex(tree.saveVersion(index + 1)), keys: sortedKeys(model) });
          tree.dropVersionsBelow(index + 2 - PROVABLE);
          for (const { version, root, keys } of saved) {
            const id = tree.rootOf(version);
            expect(id !== undefined).toBe(version >= index + 2 - PROVABLE);
            if (id === undefined) continue;
            expect(hex(rootHash(slab, id))).toBe(root);
            expect([...tree.keys({}, id)].map(hex)).toEqual(keys);
          }
        });
        tree.saveVersion(sequence.length + 1);
        tree.dropVersionsBelow(sequence.length + 1);
        expect(slab.liveNodes).toBe(model.size === 0 ? 0 : 2 * model.size - 1);
        tree.clear();
        tree.saveVersion(sequence.length + 2);
        tree.dropVersionsBelow(sequence.length + 2);
        expect(slab.liveNodes).toBe(0);
        expect(slab.keys.liveBytes).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  test('hashes only the nodes on the paths to changed keys', () => {
    const { tree } = newTree();
    for (let index = 0; index < 4096; index += 1)
      tree.set(crypto.sha256(Uint8Array.of(index & 255, index >> 8)), crypto.sha256(Uint8Array.of(1)));
    tree.saveVersion(1);
    const before = tree.hashedNodes;
    tree.set(crypto.sha256(Uint8Array.of(7, 7)), crypto.sha256(Uint8Array.of(2)));
    tree.saveVersion(2);
    expect(before).toBe(2 * 4096 - 1);
    expect(tree.hashedNodes - before).toBeLessThanOrEqual(Math.ceil(1.44 * Math.log2(4096)) + 1);
  });

  test('reuses freed nodes: a thousand versions of the same keys need no more memory than the first 60', () => {
    const { slab, tree } = newTree();
    const write = (version: number): void => {
      const written = crypto.sha256(Uint8Array.of(version & 255));
      for (let index = 0; index < 60; index += 1) {
        const at = Uint8Array.of(index, version % 3);
        if ((index + version) % 5 === 0) tree.remove(at);
        else tree.set(at, written);
      }
      tree.saveVersion(version);
      tree.dropVersionsBelow(version - PROVABLE + 1);
    };
    for (let version = 1; version <= 60; version += 1) write(version);
    const settled = slab.reservedBytes;
    for (let version = 61; version <= 1000; version += 1) write(version);
    expect(slab.reservedBytes).toBe(settled);
  });

  test('keeps its depth within the bound of AVL trees for ascending, descending and zigzag insertions', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => Uint8Array.of(index >> 8, index & 255));
    const zigzag = keys.map(
      (_, index) => keys[index % 2 === 0 ? index / 2 : keys.length - (index + 1) / 2] ?? Uint8Array.of(),
    );
    for (const order of [keys, keys.toReversed(), zigzag]) {
      const { slab, tree } = newTree();
      for (const each of order) tree.set(each, crypto.sha256(each));
      expect(tree.size).toBe(keys.length);
      expect(checkedHeight(slab, tree.workingRoot)).toBeLessThanOrEqual(Math.floor(1.44 * Math.log2(keys.length + 2)));
      for (const each of order.slice(0, 4000)) tree.remove(each);
      expect(checkedHeight(slab, tree.workingRoot)).toBeLessThanOrEqual(Math.floor(1.44 * Math.log2(1002)));
      expect(slab.liveNodes).toBe(1999);
    }
  });
});
