/**
 * Proofs of another chain's keys, from a store up to the app hash (ibc-go v10
 * `modules/core/23-commitment/types/merkle.go`). The work is proportional to the proof's steps, which count as fields
 * of the transaction (`messageParts`).
 */
import { EMPTY, equal, text } from '../../bytes/bytes.js';
import { upperHex } from '../../bytes/hex.js';
import type { CommitmentProof, ProofSpec } from '../../proto/cosmos/ics23/v1/proofs_pb.js';
import { MerkleProofSchema } from '../../proto/ibc/core/commitment/v1/commitment_pb.js';
import { decodeMessage } from '../../sdk/codec/any.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { RecoveredPanic, SdkError } from '../../sdk/module/sdk-error.js';
import { commitmentErrors as errors } from './errors.js';
import { verifyAbsence } from './ics23/absence.js';
import { checkExistence, rootOfProof } from './ics23/existence.js';
import type { ProofHashes } from './ics23/hash-op.js';
import { ProofPanic, ProofProblem } from './ics23/problem.js';

/** Root and path of a proof. */
export interface Commitment {
  readonly specs: readonly ProofSpec[];
  /** App hash of the proving chain. */
  readonly root: Uint8Array;
  /** Path from root to leaf: store name, then key. */
  readonly path: readonly Uint8Array[];
}

/** Decodes the proofs of a message, in order from leaf to root. */
export function decodeProofs(bytes: Uint8Array, refusal: string): readonly CommitmentProof[] {
  try {
    return decodeMessage(MerkleProofSchema, bytes).proofs;
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw new SdkError(errors.invalidProof, refusal);
  }
}

/** Throws unless the proof shows the value at the path. */
export function verifyMembership(
  crypto: ProofHashes,
  commitment: Commitment,
  proofs: readonly CommitmentProof[],
  value: Uint8Array,
): void {
  requireFitting(commitment, proofs);
  if (value.length === 0) throw new SdkError(errors.invalidProof, 'empty value in membership proof');
  verifyChain(crypto, commitment, proofs, value, 0);
}

/** Throws unless the proof shows that the path is absent. */
export function verifyNonMembership(
  crypto: ProofHashes,
  commitment: Commitment,
  proofs: readonly CommitmentProof[],
): void {
  requireFitting(commitment, proofs);
  const { specs, path } = commitment;
  const [lowest] = proofs;
  const [spec] = specs;
  if (lowest === undefined || spec === undefined)
    throw new SdkError(errors.invalidMerkleProof, 'proof must not be empty');
  const root = proving(
    (problem) => `could not calculate root for proof index 0, merkle tree is likely empty. ${problem}`,
    () => rootOfProof(crypto, lowest),
  );
  const key = path[path.length - 1] ?? EMPTY;
  const { proof } = lowest;
  if (proof.case !== 'nonexist')
    throw new SdkError(
      errors.invalidProof,
      'commitment proof must be non-existence proof for verifying non-membership. got: *ics23.CommitmentProof',
    );
  proving(
    (problem) => `failed to verify non-membership proof with key ${text(key)}: ${problem}`,
    () => verifyAbsence(crypto, proof.value, spec, root, key),
  );
  verifyChain(crypto, commitment, proofs, root, 1);
}

/** Verifies the proofs tree by tree: each root is the value proved in the next tree above. */
function verifyChain(
  crypto: ProofHashes,
  { specs, root, path }: Commitment,
  proofs: readonly CommitmentProof[],
  value: Uint8Array,
  start: number,
): void {
  let below = value;
  for (const [index, each] of proofs.entries()) {
    const spec = specs[index];
    if (index < start || spec === undefined) continue;
    const subroot = proving(
      (problem) => `could not calculate proof root at index ${index}, merkle tree may be empty. ${problem}`,
      () => rootOfProof(crypto, each),
    );
    const { proof } = each;
    if (proof.case !== 'exist')
      throw new SdkError(
        errors.invalidProof,
        `commitment proof must be existence proof. got: *ics23.CommitmentProof at index ${index}`,
      );
    const entry = { key: path[path.length - 1 - index] ?? EMPTY, value: below };
    proving(
      (problem) => `failed to verify membership proof at index ${index}: ${problem}`,
      // Checked against the root computed from the same proof.
      () => checkExistence(proof.value, spec, entry),
    );
    below = subroot;
  }
  if (!equal(root, below))
    throw new SdkError(
      errors.invalidProof,
      `proof did not commit to expected root: ${upperHex(root)}, got: ${upperHex(below)}. Please ensure proof was submitted with correct proofHeight and to the correct chain.`,
    );
}

function proving<Result>(say: (problem: string) => string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof ProofPanic) throw new RecoveredPanic(error.message);
    if (error instanceof ProofProblem) throw new SdkError(errors.invalidProof, say(error.message));
    throw error;
  }
}

/** Requires one proof per tree of the other chain. */
function requireFitting({ specs, root, path }: Commitment, proofs: readonly CommitmentProof[]): void {
  if (proofs.length === 0) throw new SdkError(errors.invalidMerkleProof, 'proof must not be empty');
  if (root.length === 0) throw new SdkError(errors.invalidMerkleProof, 'root cannot be empty');
  if (specs.length !== proofs.length)
    throw new SdkError(
      errors.invalidMerkleProof,
      `length of specs: ${specs.length} not equal to length of proof: ${proofs.length}`,
    );
  if (path.length !== specs.length)
    throw new SdkError(errors.invalidProof, `path length ${path.length} not same as proof ${specs.length}`);
}
