/** ics23 proofs of one IAVL tree (cosmos/iavl v1 `proof_ics23.go`). */
import { create } from '@bufbuild/protobuf';
import * as pb from '../proto/cosmos/ics23/v1/proofs_pb.js';
import { concat } from '../bytes/bytes.js';
import { putNodeHead } from './node-hash.js';
import { type NodeId, type NodeSlab, NONE } from './node-slab.js';
import { pathToRank, rankOf } from './walk.js';

const HASH_BYTES = 32;

/**
 * Proves under a saved root that a key is present, or absent (by its neighbours). `valueOf` reads values of the same
 * version; throws when a key of the tree has no value.
 */
export function proveKey(
  slab: NodeSlab,
  root: NodeId,
  key: Uint8Array,
  valueOf: (key: Uint8Array) => Uint8Array | undefined,
): pb.CommitmentProof {
  const { rank, present } = rankOf(slab, root, key);
  if (present)
    return create(pb.CommitmentProofSchema, { proof: { case: 'exist', value: existence(slab, root, rank, valueOf) } });
  const size = root === NONE ? 0 : slab.size(root);
  const left = rank > 0 ? { left: existence(slab, root, rank - 1, valueOf) } : {};
  const right = rank < size ? { right: existence(slab, root, rank, valueOf) } : {};
  return create(pb.CommitmentProofSchema, { proof: { case: 'nonexist', value: { key, ...left, ...right } } });
}

/** Existence proof of the key at a rank, with the sibling hashes from leaf to root. */
function existence(
  slab: NodeSlab,
  root: NodeId,
  rank: number,
  valueOf: (key: Uint8Array) => Uint8Array | undefined,
): pb.ExistenceProof {
  const path = pathToRank(slab, root, rank);
  const leaf = path[path.length - 1] ?? root;
  const key = slab.keys.view(slab.key(leaf)).slice();
  const value = valueOf(key);
  if (value === undefined) throw new Error('invariant: the tree holds a key whose value cannot be read');
  const steps: pb.InnerOp[] = [];
  for (let depth = path.length - 2; depth >= 0; depth -= 1) {
    steps.push(innerStep(slab, path[depth] ?? root, path[depth + 1] ?? leaf));
  }
  const leafOp = create(pb.LeafOpSchema, {
    hash: pb.HashOp.SHA256,
    prehashValue: pb.HashOp.SHA256,
    length: pb.LengthOp.VAR_PROTO,
    prefix: nodeHead(slab, leaf),
  });
  return create(pb.ExistenceProofSchema, { key, value, leaf: leafOp, path: steps });
}

/** The bytes before and after the child's hash in the parent's hash input. */
function innerStep(slab: NodeSlab, parent: NodeId, child: NodeId): pb.InnerOp {
  const head = nodeHead(slab, parent);
  const length = Uint8Array.of(HASH_BYTES);
  const left = slab.left(parent);
  return child === left
    ? create(pb.InnerOpSchema, {
        hash: pb.HashOp.SHA256,
        prefix: concat(head, length),
        suffix: concat(length, slab.hash(slab.right(parent))),
      })
    : create(pb.InnerOpSchema, { hash: pb.HashOp.SHA256, prefix: concat(head, length, slab.hash(left), length) });
}

function nodeHead(slab: NodeSlab, id: NodeId): Uint8Array {
  const scratch = new Uint8Array(24);
  return scratch.slice(0, putNodeHead(scratch, slab.height(id), slab.size(id), slab.version(id)));
}
