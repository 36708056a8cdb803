/** Routes about the running round, and evidence (CometBFT v0.38 `rpc/core/consensus.go`, `rpc/core/evidence.go`). */
import { toBase64 } from '../../../core/bytes/base64.js';
import { medianTime } from '../../../core/comet/block-time.js';
import { blockToJson } from '../../../core/comet/json/block-json.js';
import { validatorToJson } from '../../../core/comet/json/validator-json.js';
import { duplicateVoteProblem } from '../../../core/comet/duplicate-vote.js';
import { proposerOfRound } from '../../../core/comet/proposer-priority.js';
import { upperHex } from '../../../core/bytes/hex.js';
import { formatTime } from '../../../core/comet/time.js';
import { indexOfAddress } from '../../../core/comet/validator-set.js';
import { precommitsOf } from '../../../core/consensus/commit.js';
import { emptyVoteSet, type Voter } from '../../../core/consensus/vote-set.js';
import { toHeight } from '../../../core/primitives.js';
import type { BlockID } from '../../../core/proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../../../core/proto/tendermint/types/validator_pb.js';
import { failed, result } from '../answers.js';
import { internalError } from '../errors.js';
import { type Method, type MethodContext, method } from '../method.js';
import { evidenceParam } from '../evidence-param.js';
import { bitArrayText, duplicateVoteText, roundVotesJson, voteTexts } from '../vote-text.js';

/**
 * The visible part of the running round. Votes become visible only when their block is in the log. So this is the
 * round of the next height with the commit of the previous one; while an upgrade halts execution, it is the round of
 * the decided but not executed block.
 */
function publicRound({ api }: MethodContext) {
  const { chain } = api.queries;
  const waiting = api.queries.roundState();
  const isDecided = chain.tip() >= waiting.height;
  const { height } = waiting;
  const validators = chain.validators(height);
  const lastHeight = height > chain.genesis().initialHeight ? toHeight(height - 1n) : undefined;
  const lastValidators = lastHeight && chain.validators(lastHeight);
  const before = lastHeight && chain.commit(lastHeight)?.commit;
  const commit = isDecided ? chain.commit(height)?.commit : undefined;
  const stored = isDecided ? chain.block(height) : undefined;
  const none = emptyVoteSet(votersOf(validators));
  const round = commit?.round ?? waiting.round;
  return {
    height,
    round,
    // RoundStepType: 1 is NewHeight, 8 is Commit
    step: commit === undefined ? 1 : 8,
    commitTime: formatTime(before && lastValidators ? medianTime(before, lastValidators) : chain.head().time),
    validators,
    lastValidators,
    votes: { prevotes: none, precommits: commit ? precommitsOf(commit, votersOf(validators)) : none },
    // undefined before the first block
    lastCommit: before && precommitsOf(before, votersOf(lastValidators)),
    decided: commit && stored && { round, block: stored.block, blockId: stored.blockId },
  };
}

function votersOf(set: ValidatorSet | undefined): readonly Voter[] {
  return (set?.validators ?? []).map(({ address, votingPower }) => ({ address, power: votingPower }));
}

/** The part set header with all parts present. */
function partsJson(blockId: BlockID | undefined): object {
  const total = blockId?.partSetHeader?.total ?? 0;
  return { 'count/total': `${total}/${total}`, parts_bit_array: 'x'.repeat(total) };
}

function setJson(set: ValidatorSet | undefined): unknown {
  return {
    validators: (set?.validators ?? []).map(validatorToJson),
    proposer: set?.proposer === undefined ? null : validatorToJson(set.proposer),
  };
}

export const consensusMethods: readonly Method[] = [
  method('consensus_state', {}, 'never', (_values, context) => {
    const { height, round, step, commitTime, validators, votes, decided } = publicRound(context);
    const proposer = validators && proposerOfRound(validators, round);
    const hash = upperHex(decided?.blockId?.hash ?? new Uint8Array());
    return result({
      round_state: {
        'height/round/step': `${height}/${round}/${step}`,
        start_time: commitTime,
        proposal_block_hash: hash,
        locked_block_hash: hash,
        valid_block_hash: hash,
        height_vote_set: [roundVotesJson(round, votes)],
        proposer: {
          address: upperHex(proposer?.address ?? new Uint8Array()),
          index: validators && proposer ? indexOfAddress(validators, proposer.address) : -1,
        },
      },
    });
  }),
  method('dump_consensus_state', {}, 'never', (_values, context) => {
    const { height, round, step, commitTime, validators, lastValidators, votes, lastCommit, decided } =
      publicRound(context);
    // a validator that precommitted a block has locked it
    const block = decided === undefined ? null : blockToJson(decided.block);
    const parts = decided === undefined ? null : partsJson(decided.blockId);
    const known = decided?.round ?? -1;
    return result({
      round_state: {
        height: String(height),
        round,
        step,
        start_time: commitTime,
        commit_time: commitTime,
        validators: setJson(validators),
        proposal: null,
        proposal_block: block,
        proposal_block_parts: parts,
        locked_round: known,
        locked_block: block,
        locked_block_parts: parts,
        valid_round: known,
        valid_block: block,
        valid_block_parts: parts,
        votes: [roundVotesJson(round, votes)],
        commit_round: known,
        last_commit:
          lastCommit === undefined
            ? null
            : { votes: voteTexts(lastCommit), votes_bit_array: bitArrayText(lastCommit), peer_maj_23s: {} },
        last_validators: setJson(lastValidators),
        triggered_timeout_precommit: false,
      },
      peers: [],
    });
  }),
  method('broadcast_evidence', { evidence: evidenceParam }, 'never', ({ evidence }, { api }) => {
    if (evidence === undefined) return failed(internalError('no evidence was provided'));
    const { sum } = evidence;
    const votes = sum.case === 'duplicateVoteEvidence' ? sum.value : undefined;
    const problem = votes && duplicateVoteProblem(votes);
    if (problem !== undefined) return failed(internalError(`evidence.ValidateBasic failed: ${problem}`));
    const answer = api.commands.broadcastEvidence(evidence);
    if (answer.kind === 'taken') return result({ hash: toBase64(answer.hash) });
    const shown = votes === undefined ? '' : `. Evidence: ${duplicateVoteText(votes)}`;
    return failed(internalError(`failed to add evidence: Invalid evidence: ${answer.reason}${shown}`));
  }),
];
