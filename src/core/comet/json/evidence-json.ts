/**
 * JSON of votes and evidence (CometBFT v0.38 `types/vote.go`, `types/evidence.go`). Fields of evidence have Go's
 * names.
 */
import { create } from '@bufbuild/protobuf';
import { invariant } from '../../errors.js';
import * as pb from '../../proto/tendermint/types/evidence_pb.js';
import { type LightBlock, type Vote, VoteSchema } from '../../proto/tendermint/types/types_pb.js';
import { formatTime, fromTimestamp } from '../time.js';
import { fromBase64, toBase64OrNull } from '../../bytes/base64.js';
import { fromHex, upperHex } from '../../bytes/hex.js';
import { blockIdFromJson, blockIdToJson, timestampFromJson } from './block-id-json.js';
import { commitFromJson, commitToJson } from './commit-json.js';
import { headerFromJson, headerToJson } from './header-json.js';
import { validatorFromJson, validatorToJson } from './validator-json.js';

export type EvidenceJson =
  | { readonly type: 'tendermint/DuplicateVoteEvidence'; readonly value: DuplicateVoteEvidenceJson }
  | { readonly type: 'tendermint/LightClientAttackEvidence'; readonly value: LightClientAttackEvidenceJson };

/** JSON of a vote; `type` is 1 for prevote, 2 for precommit. */
export type VoteJson = ReturnType<typeof voteToJson>;

/** Writes a vote in CometBFT's JSON; absent extensions are null. */
export function voteToJson(vote: Vote) {
  return {
    type: vote.type,
    height: String(vote.height),
    round: vote.round,
    block_id: blockIdToJson(vote.blockId),
    timestamp: formatTime(fromTimestamp(vote.timestamp)),
    validator_address: upperHex(vote.validatorAddress),
    validator_index: vote.validatorIndex,
    signature: toBase64OrNull(vote.signature),
    extension: toBase64OrNull(vote.extension),
    extension_signature: toBase64OrNull(vote.extensionSignature),
  };
}

/** Reads a vote: its address is hex; its signature, extension and extension signature are base64. */
export function voteFromJson(json: VoteJson): Vote {
  return create(VoteSchema, {
    type: json.type,
    height: BigInt(json.height),
    round: json.round,
    blockId: blockIdFromJson(json.block_id),
    timestamp: timestampFromJson(json.timestamp),
    validatorAddress: fromHex(json.validator_address),
    validatorIndex: json.validator_index,
    signature: fromBase64(json.signature),
    extension: fromBase64(json.extension),
    extensionSignature: fromBase64(json.extension_signature),
  });
}

/** Writes evidence as `type` (amino name) and `value`; throws for evidence without a kind. */
export function evidenceToJson({ sum }: pb.Evidence): EvidenceJson {
  invariant(sum.case !== undefined, 'evidence has a kind');
  return sum.case === 'duplicateVoteEvidence'
    ? { type: 'tendermint/DuplicateVoteEvidence', value: duplicateVoteToJson(sum.value) }
    : { type: 'tendermint/LightClientAttackEvidence', value: lightClientAttackToJson(sum.value) };
}

/** Reads recorded or trusted evidence JSON; throws on malformed input. */
export function evidenceFromJson(json: EvidenceJson): pb.Evidence {
  if (json.type === 'tendermint/DuplicateVoteEvidence') {
    return create(pb.EvidenceSchema, {
      sum: { case: 'duplicateVoteEvidence', value: duplicateVoteFromJson(json.value) },
    });
  }
  return create(pb.EvidenceSchema, {
    sum: { case: 'lightClientAttackEvidence', value: lightClientAttackFromJson(json.value) },
  });
}

/** JSON of duplicate-vote evidence. */
type DuplicateVoteEvidenceJson = ReturnType<typeof duplicateVoteToJson>;

function duplicateVoteToJson(evidence: pb.DuplicateVoteEvidence) {
  return {
    vote_a: voteToJson(evidence.voteA ?? create(VoteSchema)),
    vote_b: voteToJson(evidence.voteB ?? create(VoteSchema)),
    TotalVotingPower: String(evidence.totalVotingPower),
    ValidatorPower: String(evidence.validatorPower),
    Timestamp: formatTime(fromTimestamp(evidence.timestamp)),
  };
}

function duplicateVoteFromJson(json: DuplicateVoteEvidenceJson): pb.DuplicateVoteEvidence {
  return create(pb.DuplicateVoteEvidenceSchema, {
    voteA: voteFromJson(json.vote_a),
    voteB: voteFromJson(json.vote_b),
    totalVotingPower: BigInt(json.TotalVotingPower),
    validatorPower: BigInt(json.ValidatorPower),
    timestamp: timestampFromJson(json.Timestamp),
  });
}

type LightClientAttackEvidenceJson = ReturnType<typeof lightClientAttackToJson>;

function lightClientAttackToJson(evidence: pb.LightClientAttackEvidence) {
  invariant(evidence.conflictingBlock !== undefined, 'a light client attack has a conflicting block');
  return {
    ConflictingBlock: lightBlockToJson(evidence.conflictingBlock),
    CommonHeight: String(evidence.commonHeight),
    ByzantineValidators:
      evidence.byzantineValidators.length === 0 ? null : evidence.byzantineValidators.map(validatorToJson),
    TotalVotingPower: String(evidence.totalVotingPower),
    Timestamp: formatTime(fromTimestamp(evidence.timestamp)),
  };
}

function lightClientAttackFromJson(json: LightClientAttackEvidenceJson): pb.LightClientAttackEvidence {
  const { signed_header: signed, validator_set: set } = json.ConflictingBlock;
  return create(pb.LightClientAttackEvidenceSchema, {
    conflictingBlock: {
      signedHeader: { header: headerFromJson(signed.header), commit: commitFromJson(signed.commit) },
      validatorSet: {
        validators: set.validators.map(validatorFromJson),
        ...(set.proposer !== null && { proposer: validatorFromJson(set.proposer) }),
      },
    },
    commonHeight: BigInt(json.CommonHeight),
    byzantineValidators: (json.ByzantineValidators ?? []).map(validatorFromJson),
    totalVotingPower: BigInt(json.TotalVotingPower),
    timestamp: timestampFromJson(json.Timestamp),
  });
}

function lightBlockToJson({ signedHeader, validatorSet }: LightBlock) {
  invariant(
    signedHeader?.header !== undefined && signedHeader.commit !== undefined,
    'a light block has a signed header',
  );
  return {
    signed_header: { header: headerToJson(signedHeader.header), commit: commitToJson(signedHeader.commit) },
    validator_set: {
      validators: (validatorSet?.validators ?? []).map(validatorToJson),
      proposer: validatorSet?.proposer === undefined ? null : validatorToJson(validatorSet.proposer),
    },
  };
}
