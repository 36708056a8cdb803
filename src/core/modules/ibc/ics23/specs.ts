/** Specs of proofs: which operations a tree allows (cosmos/ics23 go v0.11.0 `proof.go`). */
import { create } from '@bufbuild/protobuf';
import { onFirstCall } from '../../../on-first-call.js';
import {
  HashOp,
  type InnerSpec,
  type LeafOp,
  LengthOp,
  type ProofSpec,
  ProofSpecSchema,
} from '../../../proto/cosmos/ics23/v1/proofs_pb.js';

const LEAF = {
  prefix: Uint8Array.of(0),
  prehashKey: HashOp.NO_HASH,
  hash: HashOp.SHA256,
  prehashValue: HashOp.SHA256,
  length: LengthOp.VAR_PROTO,
};

/** The spec of an IAVL tree: a child is 32 bytes after a byte of their length. */
export const iavlSpec = onFirstCall((): ProofSpec =>
  create(ProofSpecSchema, {
    leafSpec: LEAF,
    innerSpec: { childOrder: [0, 1], minPrefixLength: 4, maxPrefixLength: 12, childSize: 33, hash: HashOp.SHA256 },
  }),
);

/** The spec of the Merkle tree over the stores of a chain. */
export const simpleSpec = onFirstCall((): ProofSpec =>
  create(ProofSpecSchema, {
    leafSpec: LEAF,
    innerSpec: { childOrder: [0, 1], minPrefixLength: 1, maxPrefixLength: 1, childSize: 32, hash: HashOp.SHA256 },
  }),
);

const sameLeaf = (one: LeafOp | undefined, other: LeafOp | undefined): boolean =>
  one?.hash === other?.hash &&
  one?.prehashKey === other?.prehashKey &&
  one?.prehashValue === other?.prehashValue &&
  one?.length === other?.length;

const sameInner = (one: InnerSpec | undefined, other: InnerSpec | undefined): boolean =>
  one?.hash === other?.hash &&
  one?.minPrefixLength === other?.minPrefixLength &&
  one?.maxPrefixLength === other?.maxPrefixLength &&
  one?.childSize === other?.childSize &&
  one?.childOrder.length === other?.childOrder.length;

/** True for a spec that has the operations of an IAVL tree, whose prefixes have more rules. */
export function isIavl(spec: ProofSpec): boolean {
  return sameLeaf(spec.leafSpec, iavlSpec().leafSpec) && sameInner(spec.innerSpec, iavlSpec().innerSpec);
}
