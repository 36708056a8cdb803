/**
 * Adds embedded messages that gogoproto declares non-nullable. Go always writes them, even when empty, so hashed
 * bytes must contain them (`docs/decisions/0002-protobuf.md`). Complete messages are returned unchanged.
 */
import { create } from '@bufbuild/protobuf';
import { type Block } from '../proto/tendermint/types/block_pb.js';
import { type Evidence, EvidenceListSchema } from '../proto/tendermint/types/evidence_pb.js';
import * as pb from '../proto/tendermint/types/types_pb.js';
import { ConsensusSchema } from '../proto/tendermint/version/types_pb.js';
import { GO_ZERO_TIME, toTimestamp } from './time.js';

/** Block id of nil: empty hash, no parts. */
export function emptyBlockId(): pb.BlockID {
  const hash = new Uint8Array(0);
  return {
    $typeName: 'tendermint.types.BlockID',
    hash,
    partSetHeader: { $typeName: 'tendermint.types.PartSetHeader', total: 0, hash },
  };
}

/** Adds an empty part set header; an absent block id becomes an empty one. */
export function completeBlockId(blockId: pb.BlockID | undefined): pb.BlockID {
  if (blockId === undefined) return emptyBlockId();
  return blockId.partSetHeader === undefined ? { ...blockId, partSetHeader: create(pb.PartSetHeaderSchema) } : blockId;
}

function completeHeader(header: pb.Header): pb.Header {
  return {
    ...header,
    version: header.version ?? create(ConsensusSchema),
    time: header.time ?? toTimestamp(GO_ZERO_TIME),
    lastBlockId: completeBlockId(header.lastBlockId),
  };
}

function completeCommitSig(signature: pb.CommitSig): pb.CommitSig {
  return signature.timestamp === undefined ? { ...signature, timestamp: toTimestamp(GO_ZERO_TIME) } : signature;
}

/** Completes the block id and every signature of a commit. */
export function completeCommit(commit: pb.Commit): pb.Commit {
  return { ...commit, blockId: completeBlockId(commit.blockId), signatures: commit.signatures.map(completeCommitSig) };
}

function completeVote(vote: pb.Vote): pb.Vote {
  return { ...vote, blockId: completeBlockId(vote.blockId), timestamp: vote.timestamp ?? toTimestamp(GO_ZERO_TIME) };
}

/**
 * Adds Go's zero time as timestamp when absent and completes the votes; evidence without a kind is returned
 * unchanged.
 */
export function completeEvidence(evidence: Evidence): Evidence {
  const { sum } = evidence;
  if (sum.case === undefined) return evidence;
  const timestamp = sum.value.timestamp ?? toTimestamp(GO_ZERO_TIME);
  if (sum.case === 'lightClientAttackEvidence')
    return { ...evidence, sum: { case: sum.case, value: { ...sum.value, timestamp } } };
  const voteA = sum.value.voteA && completeVote(sum.value.voteA);
  const voteB = sum.value.voteB && completeVote(sum.value.voteB);
  return { ...evidence, sum: { case: sum.case, value: { ...sum.value, voteA, voteB, timestamp } } };
}

/** Completes header, data, evidence and last commit; an absent last commit stays absent. */
export function completeBlock(block: Block): Block {
  return {
    ...block,
    header: completeHeader(block.header ?? create(pb.HeaderSchema)),
    data: block.data ?? create(pb.DataSchema),
    evidence: create(EvidenceListSchema, { evidence: (block.evidence?.evidence ?? []).map(completeEvidence) }),
    lastCommit: block.lastCommit && completeCommit(block.lastCommit),
  };
}
