/** Existence proofs (cosmos/ics23 go v0.11.0 `proof.go`). */
import { equal } from '../../../bytes/bytes.js';
import type {
  CommitmentProof,
  ExistenceProof,
  NonExistenceProof,
  ProofSpec,
} from '../../../proto/cosmos/ics23/v1/proofs_pb.js';
import type { ProofHashes } from './hash-op.js';
import { applyInner, applyLeaf, checkInner, checkLeaf } from './operations.js';
import { ProofProblem, within } from './problem.js';

/** Maximum path length when the spec has no limit. */
const MAX_DEPTH = 128;
const NO_LEAF = 'existence Proof needs defined LeafOp';

/** Computes the root of a proof of any spec; throws `ProofProblem`. */
export function rootOf(crypto: ProofHashes, proof: ExistenceProof): Uint8Array {
  const { leaf, key, value, path } = proof;
  if (leaf === undefined) throw new ProofProblem(NO_LEAF);
  let hash = within('leaf', () => applyLeaf(crypto, leaf, key, value));
  for (const step of path) {
    const child = hash;
    hash = within('inner', () => applyInner(crypto, step, child));
  }
  return hash;
}

/** Checks that all operations conform to the spec, and the path length. */
function checkAgainst(spec: ProofSpec, { leaf, path }: ExistenceProof): void {
  if (leaf === undefined) throw new ProofProblem(NO_LEAF);
  within('leaf', () => checkLeaf(leaf, spec));
  if (spec.minDepth > 0 && path.length < spec.minDepth)
    throw new ProofProblem(`innerOps depth too short: ${path.length}`);
  if (path.length > (spec.maxDepth === 0 ? MAX_DEPTH : spec.maxDepth))
    throw new ProofProblem(`innerOps depth too long: ${path.length}`);
  for (const [at, step] of path.entries()) within('inner', () => checkInner(step, spec, at + 1));
}

/** A key with its value. */
interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Checks that a proof is for this key and value, under any root; throws `ProofProblem`. */
export function checkExistence(proof: ExistenceProof, spec: ProofSpec, { key, value }: Entry): void {
  checkAgainst(spec, proof);
  if (!equal(key, proof.key)) throw new ProofProblem("provided key doesn't match proof");
  if (!equal(value, proof.value)) throw new ProofProblem("provided value doesn't match proof");
}

/** Verifies a proof like `checkExistence`, and its root. */
export function verifyExistence(
  crypto: ProofHashes,
  proof: ExistenceProof,
  spec: ProofSpec,
  root: Uint8Array,
  entry: Entry,
): void {
  checkExistence(proof, spec, entry);
  if (!equal(root, rootOf(crypto, proof))) throw new ProofProblem("calculated root doesn't match provided root");
}

function rootOfAbsence(crypto: ProofHashes, { left, right }: NonExistenceProof): Uint8Array {
  const neighbour = left ?? right;
  if (neighbour === undefined) throw new ProofProblem('nonexistence proof has empty Left and Right proof');
  return rootOf(crypto, neighbour);
}

/** Computes the root of a proof of any kind; for a batch, that of its first entry. */
export function rootOfProof(crypto: ProofHashes, { proof }: CommitmentProof): Uint8Array {
  switch (proof.case) {
    case 'exist':
      return rootOf(crypto, proof.value);
    case 'nonexist':
      return rootOfAbsence(crypto, proof.value);
    case 'batch': {
      const first = proof.value.entries[0]?.proof;
      if (first === undefined) throw new ProofProblem('batch proof has empty entry');
      if (first.case === 'exist') return rootOf(crypto, first.value);
      if (first.case === 'nonexist') return rootOfAbsence(crypto, first.value);
      break;
    }
    case 'compressed':
    case undefined:
      break;
  }
  throw new ProofProblem('unrecognized proof type');
}
