/** Proof specs: the operations that a tree uses (cosmos/ics23 go v0.11.0 `proof.go`). */
import { create } from '@bufbuild/protobuf';
import { onFirstCall } from '../../../on-first-call.js';
import * as pb from '../../../proto/cosmos/ics23/v1/proofs_pb.js';

const LEAF = {
  prefix: Uint8Array.of(0),
  prehashKey: pb.HashOp.NO_HASH,
  hash: pb.HashOp.SHA256,
  prehashValue: pb.HashOp.SHA256,
  length: pb.LengthOp.VAR_PROTO,
};

/** Spec of IAVL trees: a child is a length byte and 32 bytes. */
export const iavlSpec = onFirstCall((): pb.ProofSpec =>
  create(pb.ProofSpecSchema, {
    leafSpec: LEAF,
    innerSpec: { childOrder: [0, 1], minPrefixLength: 4, maxPrefixLength: 12, childSize: 33, hash: pb.HashOp.SHA256 },
  }),
);

/** Spec of the Merkle tree over a chain's stores. */
export const simpleSpec = onFirstCall((): pb.ProofSpec =>
  create(pb.ProofSpecSchema, {
    leafSpec: LEAF,
    innerSpec: { childOrder: [0, 1], minPrefixLength: 1, maxPrefixLength: 1, childSize: 32, hash: pb.HashOp.SHA256 },
  }),
);

const sameLeaf = (one: pb.LeafOp | undefined, other: pb.LeafOp | undefined): boolean =>
  one?.hash === other?.hash &&
  one?.prehashKey === other?.prehashKey &&
  one?.prehashValue === other?.prehashValue &&
  one?.length === other?.length;

const sameInner = (one: pb.InnerSpec | undefined, other: pb.InnerSpec | undefined): boolean =>
  one?.hash === other?.hash &&
  one?.minPrefixLength === other?.minPrefixLength &&
  one?.maxPrefixLength === other?.maxPrefixLength &&
  one?.childSize === other?.childSize &&
  one?.childOrder.length === other?.childOrder.length;

/** True for a spec with IAVL operations, whose prefixes have additional rules. */
export function isIavl(spec: pb.ProofSpec): boolean {
  return sameLeaf(spec.leafSpec, iavlSpec().leafSpec) && sameInner(spec.innerSpec, iavlSpec().innerSpec);
}
