/**
 * JSON of votes and evidence (CometBFT v0.38 `types/vote.go`, `types/evidence.go`); members of evidence have their Go
 * names.
 */
import { create } from '@bufbuild/protobuf';
import { invariant } from '../../errors.js';
import {
  type DuplicateVoteEvidence,
  DuplicateVoteEvidenceSchema,
  type Evidence,
  EvidenceSchema,
  type LightClientAttackEvidence,
  LightClientAttackEvidenceSchema,
} from '../../proto/tendermint/types/evidence_pb.js';
import {
  type LightBlock,
  LightBlockSchema,
  SignedHeaderSchema,
  type Vote,
  VoteSchema,
} from '../../proto/tendermint/types/types_pb.js';
import { ValidatorSetSchema } from '../../proto/tendermint/types/validator_pb.js';
import { formatTime, fromTimestamp } from '../time.js';
import { fromBase64, toBase64OrNull } from '../../bytes/base64.js';
import { fromHex, upperHex } from '../../bytes/hex.js';
import { type BlockIdJson, blockIdFromJson, blockIdToJson, timestampFromJson } from './block-id-json.js';
import { type CommitJson, commitFromJson, commitToJson } from './commit-json.js';
import { type HeaderJson, headerFromJson, headerToJson } from './header-json.js';
import { type ValidatorJson, validatorFromJson, validatorToJson } from './validator-json.js';

export interface VoteJson {
  /** 1 is prevote, 2 precommit. */
  readonly type: number;
  readonly height: string;
  readonly round: number;
  readonly block_id: BlockIdJson;
  readonly timestamp: string;
  readonly validator_address: string;
  readonly validator_index: number;
  readonly signature: string | null;
  readonly extension: string | null;
  readonly extension_signature: string | null;
}

export interface DuplicateVoteEvidenceJson {
  readonly vote_a: VoteJson;
  readonly vote_b: VoteJson;
  readonly TotalVotingPower: string;
  readonly ValidatorPower: string;
  readonly Timestamp: string;
}

export interface LightBlockJson {
  readonly signed_header: { readonly header: HeaderJson; readonly commit: CommitJson };
  readonly validator_set: { readonly validators: readonly ValidatorJson[]; readonly proposer: ValidatorJson | null };
}

export interface LightClientAttackEvidenceJson {
  readonly ConflictingBlock: LightBlockJson;
  readonly CommonHeight: string;
  readonly ByzantineValidators: readonly ValidatorJson[] | null;
  readonly TotalVotingPower: string;
  readonly Timestamp: string;
}

export type EvidenceJson =
  | { readonly type: 'tendermint/DuplicateVoteEvidence'; readonly value: DuplicateVoteEvidenceJson }
  | { readonly type: 'tendermint/LightClientAttackEvidence'; readonly value: LightClientAttackEvidenceJson };

/** A vote in CometBFT's JSON; without extensions they are null. */
export function voteToJson(vote: Vote): VoteJson {
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
export function evidenceToJson({ sum }: Evidence): EvidenceJson {
  invariant(sum.case !== undefined, 'evidence has a kind');
  return sum.case === 'duplicateVoteEvidence'
    ? { type: 'tendermint/DuplicateVoteEvidence', value: duplicateVoteToJson(sum.value) }
    : { type: 'tendermint/LightClientAttackEvidence', value: lightClientAttackToJson(sum.value) };
}

/** Throws on malformed text; for recorded or trusted JSON. */
export function evidenceFromJson(json: EvidenceJson): Evidence {
  if (json.type === 'tendermint/DuplicateVoteEvidence') {
    return create(EvidenceSchema, { sum: { case: 'duplicateVoteEvidence', value: duplicateVoteFromJson(json.value) } });
  }
  return create(EvidenceSchema, {
    sum: { case: 'lightClientAttackEvidence', value: lightClientAttackFromJson(json.value) },
  });
}

function duplicateVoteToJson(evidence: DuplicateVoteEvidence): DuplicateVoteEvidenceJson {
  return {
    vote_a: voteToJson(evidence.voteA ?? create(VoteSchema)),
    vote_b: voteToJson(evidence.voteB ?? create(VoteSchema)),
    TotalVotingPower: String(evidence.totalVotingPower),
    ValidatorPower: String(evidence.validatorPower),
    Timestamp: formatTime(fromTimestamp(evidence.timestamp)),
  };
}

function duplicateVoteFromJson(json: DuplicateVoteEvidenceJson): DuplicateVoteEvidence {
  return create(DuplicateVoteEvidenceSchema, {
    voteA: voteFromJson(json.vote_a),
    voteB: voteFromJson(json.vote_b),
    totalVotingPower: BigInt(json.TotalVotingPower),
    validatorPower: BigInt(json.ValidatorPower),
    timestamp: timestampFromJson(json.Timestamp),
  });
}

function lightClientAttackToJson(evidence: LightClientAttackEvidence): LightClientAttackEvidenceJson {
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

function lightClientAttackFromJson(json: LightClientAttackEvidenceJson): LightClientAttackEvidence {
  const { signed_header: signed, validator_set: set } = json.ConflictingBlock;
  return create(LightClientAttackEvidenceSchema, {
    conflictingBlock: create(LightBlockSchema, {
      signedHeader: create(SignedHeaderSchema, {
        header: headerFromJson(signed.header),
        commit: commitFromJson(signed.commit),
      }),
      validatorSet: create(ValidatorSetSchema, {
        validators: set.validators.map(validatorFromJson),
        ...(set.proposer !== null && { proposer: validatorFromJson(set.proposer) }),
      }),
    }),
    commonHeight: BigInt(json.CommonHeight),
    byzantineValidators: (json.ByzantineValidators ?? []).map(validatorFromJson),
    totalVotingPower: BigInt(json.TotalVotingPower),
    timestamp: timestampFromJson(json.Timestamp),
  });
}

function lightBlockToJson({ signedHeader, validatorSet }: LightBlock): LightBlockJson {
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
