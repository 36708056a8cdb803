/** Converts vote sets to commits and back (CometBFT spec, core/data_structures, CommitSig). */
import { create } from '@bufbuild/protobuf';
import { EMPTY } from '../bytes/bytes.js';
import { GO_ZERO_TIME, toTimestamp } from '../comet/time.js';
import { emptyBlockId } from '../comet/complete.js';
import { invariant } from '../errors.js';
import type { Height } from '../primitives.js';
import * as pb from '../proto/tendermint/types/types_pb.js';
import { BlockIDFlag } from '../proto/tendermint/types/validator_pb.js';
import { blockKey } from './block-key.js';
import { addVote, emptyVoteSet, type Voter, type VoteSet } from './vote-set.js';

/** Builds the commit from precommits with a majority for a block; votes for other blocks count as absent. */
export function commitOf(height: Height, round: number, precommits: VoteSet): pb.Commit {
  const blockId = precommits.majority?.blockId;
  invariant(blockId !== undefined, 'a commit needs a majority for a block');
  const decided = blockKey(blockId);
  const signatures = precommits.voters.map((_, index) => commitSigOf(precommits.votes.get(index), decided));
  return { $typeName: 'tendermint.types.Commit', height, round, blockId, signatures };
}

/** Rebuilds the precommits of a stored commit, for a validator that starts after it. */
export function precommitsOf(commit: pb.Commit, voters: readonly Voter[]): VoteSet {
  return commit.signatures.reduce((set, signature, index) => {
    const vote = precommitOf(commit, signature, index);
    const added = vote && addVote(set, vote);
    return added?.kind === 'added' ? added.set : set;
  }, emptyVoteSet(voters));
}

function commitSigOf(vote: pb.Vote | undefined, decided: string): pb.CommitSig {
  const key = vote && blockKey(vote.blockId);
  if (vote === undefined || (key !== '' && key !== decided)) {
    return create(pb.CommitSigSchema, {
      blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_ABSENT,
      timestamp: toTimestamp(GO_ZERO_TIME),
    });
  }
  return {
    $typeName: 'tendermint.types.CommitSig',
    blockIdFlag: key === '' ? BlockIDFlag.BLOCK_ID_FLAG_NIL : BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
    validatorAddress: vote.validatorAddress,
    timestamp: vote.timestamp ?? toTimestamp(GO_ZERO_TIME),
    signature: vote.signature,
  };
}

function precommitOf(commit: pb.Commit, signature: pb.CommitSig, validatorIndex: number): pb.Vote | undefined {
  if (signature.blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_ABSENT) return undefined;
  return {
    $typeName: 'tendermint.types.Vote',
    type: pb.SignedMsgType.PRECOMMIT,
    height: commit.height,
    round: commit.round,
    blockId:
      signature.blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT && commit.blockId ? commit.blockId : emptyBlockId(),
    timestamp: signature.timestamp ?? toTimestamp(GO_ZERO_TIME),
    validatorAddress: signature.validatorAddress,
    validatorIndex,
    signature: signature.signature,
    extension: EMPTY,
    extensionSignature: EMPTY,
  };
}
