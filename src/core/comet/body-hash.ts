/**
 * Hashes in a header other than those of validators (CometBFT spec, core/data_structures, Header). Each has 32 bytes.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { invariant } from '../errors.js';
import {
  DuplicateVoteEvidenceSchema,
  type Evidence,
  LightClientAttackEvidenceSchema,
} from '../proto/tendermint/types/evidence_pb.js';
import { type ConsensusParams, HashedParamsSchema } from '../proto/tendermint/types/params_pb.js';
import type { Commit } from '../proto/tendermint/types/types_pb.js';
import { commitSigBytes } from './block-bytes.js';
import { completeEvidence } from './complete.js';
import { merkleRoot, type Sha256 } from './merkle.js';
import type { EncodedResults } from './encoded-results.js';

/**
 * Hashes by transaction bytes, an array that is never changed: the hash is needed at every step from admission to
 * block.
 */
const hashes = new WeakMap<Uint8Array, Uint8Array>();

/** Hash by which a transaction is found. */
export function txHash(crypto: Sha256, tx: Uint8Array): Uint8Array {
  const known = hashes.get(tx);
  if (known !== undefined) return known;
  const hash = crypto.sha256(tx);
  hashes.set(tx, hash);
  return hash;
}

/** `data_hash`: the leaves are the hashes of the transactions. */
export function dataHash(crypto: Sha256, txs: readonly Uint8Array[]): Uint8Array {
  return merkleRoot(
    crypto,
    txs.map((tx) => txHash(crypto, tx)),
  );
}

/** `last_commit_hash`: over the signatures only; the empty commit of the first block has the hash of no bytes. */
export function commitHash(crypto: Sha256, commit: Commit): Uint8Array {
  return merkleRoot(crypto, commit.signatures.map(commitSigBytes));
}

/** `last_results_hash`: over code, data, gas wanted and gas used; logs and events are not deterministic by contract. */
export function resultsHash(crypto: Sha256, results: EncodedResults): Uint8Array {
  return merkleRoot(crypto, results.agreed);
}

/** `evidence_hash`: over the bare evidence, without the wrapper that the block body has. */
export function evidenceListHash(crypto: Sha256, evidence: readonly Evidence[]): Uint8Array {
  return merkleRoot(crypto, evidence.map(evidenceBytes));
}

/** Hash of one piece of evidence, the answer of `broadcast_evidence`. */
export function evidenceHash(crypto: Sha256, evidence: Evidence): Uint8Array {
  return crypto.sha256(evidenceBytes(evidence));
}

const paramsHashes = new WeakMap<ConsensusParams, Uint8Array>();

/**
 * `consensus_hash`: a plain hash of the block limits; it does not cover other parameters. Parameter objects are never
 * changed, so each is hashed once.
 */
export function consensusParamsHash(crypto: Sha256, params: ConsensusParams): Uint8Array {
  const known = paramsHashes.get(params);
  if (known !== undefined) return known;
  const hashed = create(HashedParamsSchema, {
    blockMaxBytes: params.block?.maxBytes ?? 0n,
    blockMaxGas: params.block?.maxGas ?? 0n,
  });
  const hash = crypto.sha256(toBinary(HashedParamsSchema, hashed));
  paramsHashes.set(params, hash);
  return hash;
}

function evidenceBytes(evidence: Evidence): Uint8Array {
  const { sum } = completeEvidence(evidence);
  invariant(sum.case !== undefined, 'evidence has a kind');
  return sum.case === 'duplicateVoteEvidence'
    ? toBinary(DuplicateVoteEvidenceSchema, sum.value)
    : toBinary(LightClientAttackEvidenceSchema, sum.value);
}
