/** Specs of proofs: which operations a tree allows (cosmos/ics23 go v0.11.0 `proof.go`). */
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

/** The spec of an IAVL tree: a child is 32 bytes after a byte of their length. */
export const iavlSpec = onFirstCall((): pb.ProofSpec =>
  create(pb.ProofSpecSchema, {
    leafSpec: LEAF,
    innerSpec: { childOrder: [0, 1], minPrefixLength: 4, maxPrefixLength: 12, childSize: 33, hash: pb.HashOp.SHA256 },
  }),
);

/** The spec of the Merkle tree over the stores of a chain. */
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

/** True for a spec that has the operations of an IAVL tree, whose prefixes have more rules. */
export function isIavl(spec: pb.ProofSpec): boolean {
  return sameLeaf(spec.leafSpec, iavlSpec().leafSpec) && sameInner(spec.innerSpec, iavlSpec().innerSpec);
}
