/**
 * The app hash over the roots of all stores, and its proofs (cosmos-sdk v0.53 `store/types/commit_info.go`,
 * `store/rootmulti/proof.go`).
 */
import { create } from '@bufbuild/protobuf';
import { concat, lengthPrefixed, utf8 } from '../bytes/bytes.js';
import { leafHash, merkleProofs, type Sha256 } from '../comet/merkle.js';
import { IncrementalTree } from '../comet/incremental-tree.js';
import { invariant } from '../errors.js';
import * as pb from '../proto/cosmos/ics23/v1/proofs_pb.js';

export interface StoreRoot {
  readonly name: string;
  /** Root hash, 32 bytes; sha256 of no bytes for an empty store. */
  readonly root: Uint8Array;
}

/** Leaf hashes by store root: most stores do not change from block to block. */
const leafHashes = new WeakMap<StoreRoot, Uint8Array>();

/**
 * App hash of stores sorted by name. Pass the same StoreRoot object for an unchanged store to reuse its leaf hash,
 * and the same `tree` for all blocks of a chain.
 */
export function appHashOf(
  crypto: Sha256,
  stores: readonly StoreRoot[],
  tree = new IncrementalTree(crypto),
): Uint8Array {
  return tree.rootOfHashes(
    stores.map((store) => {
      const known = leafHashes.get(store);
      if (known !== undefined) return known;
      const hash = leafHash(crypto, leafBytes(crypto, store));
      leafHashes.set(store, hash);
      return hash;
    }),
  );
}

/** Proves that a store has its root under the app hash. Stores must be sorted by name. */
export function proveStore(crypto: Sha256, stores: readonly StoreRoot[], name: string): pb.CommitmentProof {
  const index = stores.findIndex((store) => store.name === name);
  const store = stores[index];
  const proof = merkleProofs(
    crypto,
    stores.map((each) => leafBytes(crypto, each)),
  ).proofs[index];
  invariant(store !== undefined && proof !== undefined, 'a store without a root cannot be proved');
  return create(pb.CommitmentProofSchema, {
    proof: {
      case: 'exist',
      value: {
        key: utf8(name),
        value: store.root,
        leaf: {
          hash: pb.HashOp.SHA256,
          prehashValue: pb.HashOp.SHA256,
          length: pb.LengthOp.VAR_PROTO,
          prefix: Uint8Array.of(0),
        },
        path: sidesFromLeaf(index, stores.length).map((side, step) =>
          merkleStep(side, proof.aunts[step] ?? new Uint8Array()),
        ),
      },
    },
  });
}

/** First length whose varint needs two bytes. */
const LONG = 0x80;

/** Encodes a leaf: the length-prefixed name, then the length-prefixed hash of the root. */
function leafBytes(crypto: Sha256, { name, root }: StoreRoot): Uint8Array {
  const key = utf8(name);
  invariant(key.length < LONG, 'the length of a store name takes one byte');
  return concat(lengthPrefixed(key), lengthPrefixed(crypto.sha256(root)));
}

/**
 * Path from a leaf to the root: whether each node is its parent's left or right child. The left subtree has the
 * largest power of two below the count (RFC 6962).
 */
function sidesFromLeaf(index: number, count: number): readonly ('left' | 'right')[] {
  const sides: ('left' | 'right')[] = [];
  let rest = index;
  let total = count;
  while (total > 1) {
    const split = 2 ** (31 - Math.clz32(total - 1));
    if (rest < split) {
      sides.unshift('left');
      total = split;
    } else {
      sides.unshift('right');
      rest -= split;
      total -= split;
    }
  }
  return sides;
}

function merkleStep(side: 'left' | 'right', aunt: Uint8Array): pb.InnerOp {
  const inner = Uint8Array.of(1);
  return side === 'left'
    ? create(pb.InnerOpSchema, { hash: pb.HashOp.SHA256, prefix: inner, suffix: aunt })
    : create(pb.InnerOpSchema, { hash: pb.HashOp.SHA256, prefix: concat(inner, aunt) });
}
