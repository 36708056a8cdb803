import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leafHash, merkleRoot, merkleRootOfHashes } from '../../../src/core/comet/merkle.js';
import { IncrementalTree } from '../../../src/core/comet/incremental-tree.js';
import { nodeCrypto } from './node-crypto.js';

/** Crypto that counts its SHA-256 calls. */
function counting() {
  let hashed = 0;
  const crypto = {
    sha256(data: Uint8Array): Uint8Array {
      hashed += 1;
      return nodeCrypto.sha256(data);
    },
  };
  return {
    crypto,
    /** Calls since the previous `taken()`. */
    taken: (): number => {
      const since = hashed;
      hashed = 0;
      return since;
    },
  };
}

const leaf = fc.uint8Array({ maxLength: 2 });

describe('incremental Merkle tree', () => {
  it('gives the root of each list in a sequence of lists', () => {
    fc.assert(
      fc.property(fc.array(fc.array(leaf, { maxLength: 20 }), { maxLength: 8 }), (lists) => {
        const tree = new IncrementalTree(nodeCrypto);
        for (const leaves of lists) expect(tree.root(leaves)).toEqual(merkleRoot(nodeCrypto, leaves));
      }),
    );
  });

  it('gives the root of each list of leaf hashes, also when the same arrays recur', () => {
    const hashes = Array.from({ length: 4 }, (_, index) => leafHash(nodeCrypto, Uint8Array.of(index)));
    fc.assert(
      fc.property(fc.array(fc.array(fc.constantFrom(...hashes), { maxLength: 20 }), { maxLength: 8 }), (lists) => {
        const tree = new IncrementalTree(nodeCrypto);
        for (const list of lists) expect(tree.rootOfHashes(list)).toEqual(merkleRootOfHashes(nodeCrypto, list));
      }),
    );
  });

  it('hashes only changed leaves and their path to the root', () => {
    const { crypto, taken } = counting();
    const tree = new IncrementalTree(crypto);
    const leaves = Array.from({ length: 14 }, (_, index) => Uint8Array.of(index));
    tree.root(leaves);
    expect(taken()).toBe(27);
    tree.root(leaves.map((bytes) => bytes.slice()));
    expect(taken()).toBe(0);
    tree.root(leaves.with(2, Uint8Array.of(99)));
    expect(taken()).toBe(5);
  });
});
