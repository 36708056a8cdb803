import { EMPTY, equal } from '../bytes/bytes.js';
import { innerHash, leafHash, merkleRootOfHashes, splitPoint, type Sha256 } from './merkle.js';

interface InnerNode {
  readonly left: Uint8Array;
  readonly right: Uint8Array;
  readonly hash: Uint8Array;
}

/**
 * Merkle tree that keeps the last list of leaves and rehashes only what changed, for lists that differ little from
 * one call to the next, such as header fields.
 */
export class IncrementalTree {
  readonly #crypto: Sha256;
  #leaves: readonly Uint8Array[] = [];
  #hashes: readonly Uint8Array[] = [];
  /** Inner nodes in visiting order, parents first. */
  readonly #inner: InnerNode[] = [];
  #visited = 0;

  constructor(crypto: Sha256) {
    this.#crypto = crypto;
  }

  /** Root over leaf bytes, equal to `merkleRoot`. Callers must not change the leaves afterwards. */
  root(leaves: readonly Uint8Array[]): Uint8Array {
    const known = this.#leaves;
    this.#hashes = leaves.map((leaf, index) => {
      const hash = equal(known[index] ?? EMPTY, leaf) ? this.#hashes[index] : undefined;
      return hash ?? leafHash(this.#crypto, leaf);
    });
    this.#leaves = leaves;
    return this.rootOfHashes(this.#hashes);
  }

  /** Root over leaf hashes, equal to `merkleRootOfHashes`. An unchanged hash must be the same array. */
  rootOfHashes(hashes: readonly Uint8Array[]): Uint8Array {
    const { length } = hashes;
    if (length === 0) return merkleRootOfHashes(this.#crypto, hashes);
    this.#visited = 0;
    const root = this.#rootOf(hashes, 0, length);
    this.#inner.length = this.#visited;
    return root;
  }

  #rootOf(hashes: readonly Uint8Array[], start: number, end: number): Uint8Array {
    if (end - start <= 1) return hashes[start] ?? EMPTY;
    const place = this.#visited;
    this.#visited += 1;
    const split = start + splitPoint(end - start);
    const left = this.#rootOf(hashes, start, split);
    const right = this.#rootOf(hashes, split, end);
    const known = this.#inner[place];
    if (known !== undefined && known.left === left && known.right === right) return known.hash;
    const hash = innerHash(this.#crypto, left, right);
    this.#inner[place] = { left, right, hash };
    return hash;
  }
}
