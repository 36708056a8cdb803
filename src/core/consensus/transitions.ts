/**
 * Transitions into the steps of a round (CometBFT v0.38 `consensus/state.go`, `enterNewRound` to `enterCommit`). Each
 * function changes a draft of the state. It sets the draft's step after it publishes, because CometBFT reports Polka,
 * Lock and ValidBlock with the step in which they happened.
 */
import { invariant } from '../errors.js';
import { type BlockID, SignedMsgType } from '../proto/tendermint/types/types_pb.js';
import { blockKey, blockTime, isBlock } from './block-key.js';
import { commitOf } from './commit.js';
import type { HeightRoundStep, RoundStateNoticeType } from './notices.js';
import { type ConsensusEffect, type RoundState, votesOf } from './round-state.js';
import { STEP_RANK, type Step } from './round-step.js';
import { timeoutMs, type TimeoutStep } from './timeouts.js';

/** A mutable round state during one step, with the effects requested so far. */
export type Draft = { -readonly [Key in keyof RoundState]: RoundState[Key] } & { readonly effects: ConsensusEffect[] };

/**
 * Starts a round and its Propose step; drops the previous round's proposal when `round` > 0. Does nothing for past
 * rounds.
 */
export function enterNewRound(draft: Draft, round: number): void {
  if (round < draft.round || (round === draft.round && draft.step !== 'NewHeight')) return;
  moveTo(draft, round, 'NewRound');
  if (round !== 0) {
    draft.proposal = undefined;
    draft.proposalBlock = undefined;
    draft.expected = undefined;
  }
  draft.triggeredTimeoutPrecommit = false;
  const index = draft.context.proposer(round);
  const proposer = draft.context.voters[index];
  invariant(proposer !== undefined, 'the proposer is a validator');
  const { address } = proposer;
  draft.effects.push({
    kind: 'event',
    event: { type: 'NewRound', place: placeOf(draft), proposer: { address, index } },
  });
  enterPropose(draft, round);
}

function enterPropose(draft: Draft, round: number): void {
  if (isPast(draft, round, 'Propose')) return;
  schedule(draft, 'Propose', round);
  const { self, proposer, height } = draft.context;
  if (self !== undefined && proposer(round) === self) {
    draft.effects.push({ kind: 'propose', height, round, polRound: draft.validRound, block: draft.validBlock });
  }
  moveTo(draft, round, 'Propose');
  publish(draft, 'NewRoundStep');
  if (isProposalComplete(draft)) enterPrevote(draft, round);
}

/** Prevotes for the locked block, else for a valid proposal, else nil. */
export function enterPrevote(draft: Draft, round: number): void {
  if (isPast(draft, round, 'Prevote')) return;
  const { lockedBlock, proposalBlock } = draft;
  const choice = lockedBlock ?? (proposalBlock?.valid === true ? proposalBlock : undefined);
  vote(draft, SignedMsgType.PREVOTE, round, choice?.blockId);
  moveTo(draft, round, 'Prevote');
  publish(draft, 'NewRoundStep');
}

/** Schedules the timeout that ends the wait for more prevotes. */
export function enterPrevoteWait(draft: Draft, round: number): void {
  if (isPast(draft, round, 'PrevoteWait')) return;
  schedule(draft, 'PrevoteWait', round);
  moveTo(draft, round, 'PrevoteWait');
  publish(draft, 'NewRoundStep');
}

/** Precommits the block of the round's polka, or nil, and updates the lock. */
export function enterPrecommit(draft: Draft, round: number): void {
  if (isPast(draft, round, 'Precommit')) return;
  vote(draft, SignedMsgType.PRECOMMIT, round, precommitChoice(draft, round));
  moveTo(draft, round, 'Precommit');
  publish(draft, 'NewRoundStep');
}

/** Chooses the block to precommit from the prevotes of the round, and changes the lock. */
function precommitChoice(draft: Draft, round: number): BlockID | undefined {
  const polka = votesOf(draft, round).prevotes.majority;
  if (polka === undefined) return undefined;
  publish(draft, 'Polka');
  const { blockId } = polka;
  if (blockId === undefined) {
    if (draft.lockedBlock !== undefined) unlock(draft);
    return undefined;
  }
  if (isBlock(draft.lockedBlock, blockId)) {
    draft.lockedRound = round;
    publish(draft, 'Relock');
    return blockId;
  }
  if (isBlock(draft.proposalBlock, blockId) && draft.proposalBlock?.valid === true) {
    draft.lockedRound = round;
    draft.lockedBlock = draft.proposalBlock;
    publish(draft, 'Lock');
    return blockId;
  }
  if (!isBlock(draft.proposalBlock, blockId)) draft.proposalBlock = undefined;
  expect(draft, blockId);
  unlock(draft);
  return undefined;
}

/** Schedules the timeout when more than two thirds precommitted but no block has a majority. The step stays. */
export function enterPrecommitWait(draft: Draft, round: number): void {
  if (round < draft.round || (round === draft.round && draft.triggeredTimeoutPrecommit)) return;
  schedule(draft, 'PrecommitWait', round);
  draft.triggeredTimeoutPrecommit = true;
  publish(draft, 'NewRoundStep');
}

/** Enters Commit for the block with a precommit majority in `commitRound`; waits when the block is not here yet. */
export function enterCommit(draft: Draft, commitRound: number): void {
  if (draft.step === 'Commit') return;
  const blockId = votesOf(draft, commitRound).precommits.majority?.blockId;
  invariant(blockId !== undefined, 'a commit follows a majority for a block');
  if (isBlock(draft.lockedBlock, blockId)) {
    draft.proposalBlock = draft.lockedBlock;
    draft.expected = blockId;
  }
  if (!isBlock(draft.proposalBlock, blockId)) {
    draft.proposalBlock = undefined;
    expect(draft, blockId);
    publish(draft, 'ValidBlock');
  }
  draft.commitRound = commitRound;
  moveTo(draft, draft.round, 'Commit');
  publish(draft, 'NewRoundStep');
  tryDecide(draft);
}

/** Decides the height when the block is here. */
export function tryDecide(draft: Draft): void {
  const { precommits } = votesOf(draft, draft.commitRound);
  const { proposalBlock } = draft;
  if (draft.decided || proposalBlock === undefined || !isBlock(proposalBlock, precommits.majority?.blockId)) return;
  const { height } = draft.context;
  draft.decided = true;
  draft.effects.push({
    kind: 'decided',
    height,
    round: draft.commitRound,
    block: proposalBlock,
    commit: commitOf(height, draft.commitRound, precommits),
  });
}

/** True when the proposal, its block and, for `polRound` >= 0, the polka of that round are known. */
export function isProposalComplete(draft: Draft): boolean {
  const { proposal, proposalBlock } = draft;
  if (proposal === undefined || proposalBlock === undefined) return false;
  return proposal.polRound < 0 || votesOf(draft, proposal.polRound).prevotes.majority !== undefined;
}

/** Publishes a notice with the draft's current height, round and step. */
export function publish(draft: Draft, type: RoundStateNoticeType): void {
  draft.effects.push({ kind: 'event', event: { type, place: placeOf(draft) } });
}

/** Drops the locked block and publishes Unlock. */
export function unlock(draft: Draft): void {
  draft.lockedRound = -1;
  draft.lockedBlock = undefined;
  publish(draft, 'Unlock');
}

/** Sets the block id whose parts are accepted. */
export function expect(draft: Draft, blockId: BlockID): void {
  if (draft.expected !== undefined && blockKey(draft.expected) === blockKey(blockId)) return;
  draft.expected = blockId;
  draft.effects.push({ kind: 'want-block', blockId });
}

/** Requests the timeout of a step; its length grows with the round. */
export function schedule(draft: Draft, step: TimeoutStep, round: number): void {
  const { height, timeouts } = draft.context;
  draft.effects.push({
    kind: 'timeout',
    timeout: { height, round, step },
    milliseconds: timeoutMs(timeouts, step, round),
  });
}

function vote(
  draft: Draft,
  type: SignedMsgType.PREVOTE | SignedMsgType.PRECOMMIT,
  round: number,
  blockId: BlockID | undefined,
): void {
  const { self, height } = draft.context;
  if (self === undefined) return;
  const seen = blockTime(draft.lockedBlock ?? draft.proposalBlock);
  draft.effects.push({ kind: 'vote', type, height, round, blockId, notBefore: seen });
}

function placeOf(draft: Draft): HeightRoundStep {
  return { height: draft.context.height, round: draft.round, step: draft.step };
}

function isPast(draft: Draft, round: number, step: Step): boolean {
  return round < draft.round || (round === draft.round && STEP_RANK[step] <= STEP_RANK[draft.step]);
}

function moveTo(draft: Draft, round: number, step: Step): void {
  draft.round = round;
  draft.step = step;
}
