/**
 * Facts of a decided block for its application, besides hash and transactions (CometBFT v0.38 `state/execution.go`,
 * `buildLastCommitInfo` and `Evidence.ABCI`).
 */
import type { BlockFacts, LastCommitVote, Misbehavior } from '../application-requests.js';
import { fromTimestamp } from '../comet/time.js';
import { invariant } from '../errors.js';
import { toHeight } from '../primitives.js';
import type { Block } from '../proto/tendermint/types/block_pb.js';
import type { Evidence } from '../proto/tendermint/types/evidence_pb.js';
import type { Commit } from '../proto/tendermint/types/types_pb.js';
import { BlockIDFlag, type ValidatorSet } from '../proto/tendermint/types/validator_pb.js';

/**
 * Extracts proposer, times, votes and misbehavior. `lastValidators` are those of the previous block; undefined for
 * the first.
 */
export function blockFacts(
  { header, lastCommit, evidence }: Pick<Block, 'header' | 'lastCommit' | 'evidence'>,
  lastValidators: ValidatorSet | undefined,
): BlockFacts {
  invariant(header !== undefined, 'a block has a header');
  return {
    height: toHeight(header.height),
    time: fromTimestamp(header.time),
    chainId: header.chainId,
    proposerAddress: header.proposerAddress,
    nextValidatorsHash: header.nextValidatorsHash,
    previousAppHash: header.appHash,
    lastCommitVotes: lastCommitVotes(lastCommit, lastValidators),
    lastCommitRound: lastCommit?.round ?? 0,
    misbehavior: evidence?.evidence.flatMap(misbehaviorOf) ?? [],
  };
}

/** Votes of a commit in the order of its validators. */
export function lastCommitVotes(
  commit: Commit | undefined,
  validators: ValidatorSet | undefined,
): readonly LastCommitVote[] {
  return (validators?.validators ?? []).map(({ address, votingPower }, index) => ({
    address,
    power: votingPower,
    flag: flagOf(commit?.signatures[index]?.blockIdFlag),
  }));
}

function flagOf(flag: BlockIDFlag | undefined): LastCommitVote['flag'] {
  if (flag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT) return 'commit';
  return flag === BlockIDFlag.BLOCK_ID_FLAG_NIL ? 'nil' : 'absent';
}

/** Misbehavior of one piece of evidence; a light client attack counts once for each of its validators. */
function misbehaviorOf({ sum }: Evidence): readonly Misbehavior[] {
  if (sum.case === 'duplicateVoteEvidence') {
    const { voteA, validatorPower, totalVotingPower, timestamp } = sum.value;
    invariant(voteA !== undefined, 'evidence holds the votes');
    const { validatorAddress: address, height } = voteA;
    const at = { height: toHeight(height), time: fromTimestamp(timestamp) };
    return [{ kind: 'duplicate vote', address, power: validatorPower, ...at, totalVotingPower }];
  }
  if (sum.case === undefined) return [];
  const { byzantineValidators, commonHeight, totalVotingPower, timestamp } = sum.value;
  const at = { height: toHeight(commonHeight), time: fromTimestamp(timestamp) };
  return byzantineValidators.map(({ address, votingPower }) => ({
    kind: 'light client attack',
    address,
    power: votingPower,
    ...at,
    totalVotingPower,
  }));
}
