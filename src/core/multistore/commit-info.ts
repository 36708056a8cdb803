/** The app hash over the roots of all stores, and its proofs (golden README "Proof", application-modules.md 4.1, 4.2). */
import { create } from '@bufbuild/protobuf';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { leafHash, merkleProofs, merkleRootOfHashes, type Sha256 } from '../comet/merkle.js';
import { invariant } from '../errors.js';
import { putUvarint } from '../iavl/node-hash.js';
import {
  type CommitmentProof,
  CommitmentProofSchema,
  HashOp,
  type InnerOp,
  InnerOpSchema,
  LengthOp,
} from '../proto/cosmos/ics23/v1/proofs_pb.js';

export interface StoreRoot {
  readonly name: string;
  /** 32 bytes; sha256 of nothing for an empty store. */
  readonly root: Uint8Array;
}

/** Most stores are the same from block to block, and so are their leaves. */
const leafHashes = new WeakMap<StoreRoot, Uint8Array>();

/** App hash of stores sorted by name. A store that did not change is best given as the same object. */
export function appHashOf(crypto: Sha256, stores: readonly StoreRoot[]): Uint8Array {
  return merkleRootOfHashes(
    crypto,
    stores.map((store) => {
      const known = leafHashes.get(store);
      if (known !== undefined) return known;
      const hash = leafHash(crypto, leafBytes(crypto, store));
      leafHashes.set(store, hash);
      return hash;
    }),
  );
}

/** Proof that a store has its root under the app hash; stores are sorted by name. */
export function proveStore(crypto: Sha256, stores: readonly StoreRoot[], name: string): CommitmentProof {
  const index = stores.findIndex((store) => store.name === name);
  const store = stores[index];
  const proof = merkleProofs(
    crypto,
    stores.map((each) => leafBytes(crypto, each)),
  ).proofs[index];
  invariant(store !== undefined && proof !== undefined, 'a store without a root cannot be proved');
  return create(CommitmentProofSchema, {
    proof: {
      case: 'exist',
      value: {
        key: utf8ToBytes(name),
        value: store.root,
        leaf: {
          hash: HashOp.SHA256,
          prehashValue: HashOp.SHA256,
          length: LengthOp.VAR_PROTO,
          prefix: Uint8Array.of(0),
        },
        path: sidesFromLeaf(index, stores.length).map((side, step) =>
          merkleStep(side, proof.aunts[step] ?? new Uint8Array()),
        ),
      },
    },
  });
}

/** Length-prefixed name, then the length-prefixed hash of the root. */
function leafBytes(crypto: Sha256, { name, root }: StoreRoot): Uint8Array {
  const key = utf8ToBytes(name);
  const prefix = new Uint8Array(4);
  const prefixLength = putUvarint(prefix, 0, key.length);
  const valueHash = crypto.sha256(root);
  return concatBytes(prefix.subarray(0, prefixLength), key, Uint8Array.of(valueHash.length), valueHash);
}

/** On which side of its parent each node from the leaf up to below the root lies: the left part is the largest power of two below the count. */
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

function merkleStep(side: 'left' | 'right', aunt: Uint8Array): InnerOp {
  const inner = Uint8Array.of(1);
  return side === 'left'
    ? create(InnerOpSchema, { hash: HashOp.SHA256, prefix: inner, suffix: aunt })
    : create(InnerOpSchema, { hash: HashOp.SHA256, prefix: concatBytes(inner, aunt) });
}
