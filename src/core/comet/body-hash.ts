/** Header hashes other than those of validators (CometBFT spec, core/data_structures, Header). Each has 32 bytes. */
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

/** Hashes by transaction array, which never changes: every step from admission to block needs the hash. */
const hashes = new WeakMap<Uint8Array, Uint8Array>();

/** sha256 of a transaction: the hash that CometBFT's RPC and websocket use. */
export function txHash(crypto: Sha256, tx: Uint8Array): Uint8Array {
  const known = hashes.get(tx);
  if (known !== undefined) return known;
  const hash = crypto.sha256(tx);
  hashes.set(tx, hash);
  return hash;
}

/** Computes `data_hash`, whose leaves are the transaction hashes. */
export function dataHash(crypto: Sha256, txs: readonly Uint8Array[]): Uint8Array {
  return merkleRoot(
    crypto,
    txs.map((tx) => txHash(crypto, tx)),
  );
}

/** Computes `last_commit_hash` over the signatures; the first block's empty commit has the hash of no bytes. */
export function commitHash(crypto: Sha256, commit: Commit): Uint8Array {
  return merkleRoot(crypto, commit.signatures.map(commitSigBytes));
}

/**
 * Computes `last_results_hash` over code, data, gas wanted and gas used. Logs and events are excluded, because ABCI
 * does not require them to be deterministic.
 */
export function resultsHash(crypto: Sha256, results: EncodedResults): Uint8Array {
  return merkleRoot(crypto, results.deterministic);
}

/** Computes `evidence_hash` over the evidence without the wrapper that the block body has. */
export function evidenceListHash(crypto: Sha256, evidence: readonly Evidence[]): Uint8Array {
  return merkleRoot(crypto, evidence.map(evidenceBytes));
}

/** Hash of one piece of evidence, as `broadcast_evidence` returns it. */
export function evidenceHash(crypto: Sha256, evidence: Evidence): Uint8Array {
  return crypto.sha256(evidenceBytes(evidence));
}

const paramsHashes = new WeakMap<ConsensusParams, Uint8Array>();

/**
 * Computes `consensus_hash`, which covers only the block limits. Parameter objects never change, so each is hashed
 * once.
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
