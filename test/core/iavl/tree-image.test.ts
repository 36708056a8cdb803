/** Images of IAVL trees: a page is read when one of its nodes is needed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { concat } from '../../../src/core/bytes/bytes.js';
import { VarintReader, VarintWriter } from '../../../src/core/iavl/varint-stream.js';
import { createNodeHasher, rootHash } from '../../../src/core/iavl/node-hash.js';
import { type NodeId, NodeSlab, NONE } from '../../../src/core/iavl/node-slab.js';
import { PAGE_LEAVES, readTree, writeTree } from '../../../src/core/iavl/tree-image.js';
import { IavlTree } from '../../../src/core/iavl/tree.js';
import { createMultistore } from '../../../src/core/multistore/multistore.js';
import { toHeight } from '../../../src/core/primitives.js';
import { crypto, hex } from './golden.js';

interface Trees {
  readonly slab: NodeSlab;
  readonly tree: IavlTree;
}

function newTree(): Trees {
  const slab = new NodeSlab();
  return { slab, tree: new IavlTree(slab, createNodeHasher(slab, crypto.sha256)) };
}

function imageOf({ slab, tree }: Trees, pageLeaves?: number): Uint8Array {
  const output = new VarintWriter();
  writeTree(slab, tree.workingRoot, output, pageLeaves ?? PAGE_LEAVES);
  return output.finish();
}

function restored(image: Uint8Array, version: number): Trees {
  const { slab, tree } = newTree();
  tree.adopt(version, readTree(slab, createNodeHasher(slab, crypto.sha256), new VarintReader(image)));
  return { slab, tree };
}

/** A tree with `count` keys, saved as version 1. */
function treeOf(count: number): Trees {
  const { slab, tree } = newTree();
  for (let index = 0; index < count; index += 1) tree.set(keyOf(index), crypto.sha256(keyOf(index)));
  tree.saveVersion(1);
  return { slab, tree };
}

const keyOf = (index: number): Uint8Array => Uint8Array.of(index >> 8, index & 0xff);

/** Number of nodes of a tree; counting reads all pages. */
function nodesUnder(slab: NodeSlab, id: NodeId): number {
  if (id === NONE) return 0;
  return slab.height(id) === 0 ? 1 : 1 + nodesUnder(slab, slab.left(id)) + nodesUnder(slab, slab.right(id));
}

const step = fc.record({
  key: fc.uint8Array({ minLength: 1, maxLength: 2 }).map((bytes) => bytes.map((byte) => byte & 0x0f)),
  value: fc.option(fc.uint8Array({ maxLength: 1 }), { nil: undefined, freq: 2 }),
});
const blocks = fc.array(fc.record({ steps: fc.array(step, { maxLength: 25 }), pageLeaves: fc.nat({ max: 12 }) }), {
  minLength: 2,
  maxLength: 8,
});

describe('an IAVL tree restored from an image', () => {
  test('has the hashes of the original over further blocks, and frees all nodes when it is emptied', () => {
    fc.assert(
      fc.property(blocks, (sequence) => {
        const original = newTree();
        let copy = newTree();
        sequence.forEach(({ steps, pageLeaves }, index) => {
          for (const { key, value } of steps) {
            for (const { tree } of [original, copy]) {
              if (value === undefined) tree.remove(key);
              else tree.set(key, crypto.sha256(value));
            }
          }
          const hash = original.tree.saveVersion(index + 1);
          expect(hex(copy.tree.saveVersion(index + 1))).toBe(hex(hash));
          const image = imageOf(copy, pageLeaves);
          expect(hex(image)).toBe(hex(imageOf(original, pageLeaves)));
          copy = restored(image, index + 1);
          expect(hex(rootHash(copy.slab, copy.tree.workingRoot))).toBe(hex(hash));
        });
        expect([...copy.tree.keys()].map(hex)).toEqual([...original.tree.keys()].map(hex));
        expect(copy.slab.liveNodes).toBe(nodesUnder(copy.slab, copy.tree.workingRoot));
        copy.tree.clear();
        copy.tree.saveVersion(sequence.length + 1);
        copy.tree.dropVersionsBelow(sequence.length + 1);
        expect([copy.slab.liveNodes, copy.slab.keys.liveBytes]).toEqual([0, 0]);
      }),
      { numRuns: 100 },
    );
  });

  test('reads only the pages on the path to a key, and writes unread pages unchanged', () => {
    const original = treeOf(4_000);
    const copy = restored(imageOf(original), 1);
    const atFirst = copy.slab.liveNodes;
    expect(atFirst).toBeLessThan(150);
    copy.tree.set(keyOf(1_234), crypto.sha256(keyOf(1)));
    original.tree.set(keyOf(1_234), crypto.sha256(keyOf(1)));
    expect(hex(copy.tree.saveVersion(2))).toBe(hex(original.tree.saveVersion(2)));
    expect(copy.slab.liveNodes).toBeLessThan(atFirst + 300);
    const read = copy.slab.liveNodes;
    expect(hex(imageOf(copy))).toBe(hex(imageOf(original)));
    expect(copy.slab.liveNodes).toBe(read);
  });

  test('has the image of the original when freed node numbers are reused', () => {
    const original = treeOf(600);
    const copy = restored(imageOf(original, 16), 1);
    for (let version = 2; version < 40; version += 1) {
      for (const { tree } of [original, copy]) {
        for (let index = 0; index < 12; index += 1) {
          tree.remove(keyOf(version * 12 + index));
          tree.set(keyOf(1_000 + version * 12 + index), crypto.sha256(keyOf(index)));
        }
        tree.saveVersion(version);
        tree.dropVersionsBelow(version);
      }
      expect(hex(imageOf(copy, 16)), `version ${version}`).toBe(hex(imageOf(original, 16)));
    }
  });

  test('throws when it reads a page whose hash is wrong', () => {
    const original = treeOf(100);
    const image = imageOf(original);
    // The last bytes are those of the last leaf, the inner nodes above it, and the end of the page and of the tree.
    const at = image.lastIndexOf(original.slab.hash(lastLeaf(original))[31] ?? 0);
    const damaged = image.with(at, (image[at] ?? 0) ^ 1);
    const copy = restored(damaged, 1);
    expect(hex(rootHash(copy.slab, copy.tree.workingRoot))).toBe(
      hex(rootHash(original.slab, original.tree.workingRoot)),
    );
    expect(() => [...copy.tree.keys()]).toThrow('a page of an image has the hash of its root');
  });

  test('can come from an image without pages, as in checkpoints of format 1', () => {
    const original = createMultistore({ stores: ['bank'], crypto });
    const writes = Array.from({ length: 500 }, (_, index) => ({
      store: 'bank',
      key: keyOf(index),
      value: keyOf(index),
    }));
    original.apply(writes);
    const { appHash, roots } = original.commit(toHeight(1n));
    const { slab, tree } = newTree();
    for (const { key, value } of writes) tree.set(key, crypto.sha256(value));
    tree.saveVersion(1);
    const output = new VarintWriter();
    for (const number of [1, 1, 1, 4]) output.uvarint(number);
    output.bytes(utf8ToBytes('bank'));
    output.bytes(roots[0]?.root ?? new Uint8Array());
    writeTree(slab, tree.workingRoot, output, 1);
    const body = output.finish();
    const copy = createMultistore({ stores: [], crypto });
    expect(copy.restore(concat(body, crypto.sha256(body)))?.appHash).toEqual(appHash);
    expect(hex(copy.snapshotBytes())).toBe(hex(original.snapshotBytes()));
    expect(hex(copy.snapshotBytes(1))).toBe(hex(concat(body, crypto.sha256(body))));
  });

  test('is complete after a rollback with unread pages', () => {
    const copy = restored(imageOf(treeOf(1_000)), 1);
    copy.tree.set(keyOf(5), crypto.sha256(keyOf(6)));
    copy.tree.saveVersion(2);
    copy.tree.rollback(1);
    expect([...copy.tree.keys()]).toHaveLength(1_000);
    expect(copy.slab.liveNodes).toBe(1_999);
  });
});

function lastLeaf({ slab, tree }: Trees): NodeId {
  let id = tree.workingRoot;
  while (slab.height(id) > 0) id = slab.right(id);
  return id;
}
