/**
 * The Tendermint algorithm of one validator: one input gives the new state and the requests to the host (CometBFT
 * spec, consensus/consensus; v0.38 `consensus/state.go`). Pure.
 */
import { SignedMsgType, type Vote } from '../proto/tendermint/types/types_pb.js';
import { blockKey, isBlock, type ProposedBlock } from './block-key.js';
import {
  type ConsensusInput,
  type HeightContext,
  initialRoundState,
  type Proposal,
  type RoundState,
  type RoundVotes,
  type StepResult,
  votesOf,
} from './round-state.js';
import { STEP_RANK } from './round-step.js';
import type { Timeout } from './timeouts.js';
import {
  type Draft,
  enterCommit,
  enterNewRound,
  enterPrecommit,
  enterPrecommitWait,
  enterPrevote,
  enterPrevoteWait,
  expect,
  isProposalComplete,
  publish,
  schedule,
  tryDecide,
  unlock,
} from './transitions.js';
import { addVote, hasTwoThirdsAny, type VoteSet } from './vote-set.js';
import { FIXED_LIMITS } from '../limits/limits.js';

/** Begins a height: publishes the step NewHeight and requests the timeout before round 0. */
export function startHeight(context: HeightContext, lastPrecommits: VoteSet | undefined): StepResult {
  return change(initialRoundState(context, lastPrecommits), (draft) => {
    publish(draft, 'NewRoundStep');
    schedule(draft, 'NewHeight', 0);
  });
}

/** Handles one input completely. Inputs of other heights and late inputs change nothing. */
export function step(state: RoundState, input: ConsensusInput): StepResult {
  return change(state, (draft) => {
    switch (input.kind) {
      case 'proposal':
        takeProposal(draft, input.proposal);
        if (input.block !== undefined) takeBlock(draft, input.block);
        return;
      case 'block':
        return takeBlock(draft, input.block);
      case 'vote':
        return takeVote(draft, input.vote);
      case 'timeout':
        return takeTimeout(draft, input.timeout);
    }
  });
}

/** Returns the draft itself as the new state: in V8 a copy without the effects is several times slower. */
function change(state: RoundState, edit: (draft: Draft) => void): StepResult {
  const draft: Draft = { ...state, effects: [] };
  edit(draft);
  return { state: draft, effects: draft.effects };
}

function takeProposal(draft: Draft, proposal: Proposal): void {
  const { polRound, round, height } = proposal;
  if (
    draft.proposal !== undefined ||
    height !== draft.context.height ||
    round !== draft.round ||
    draft.step === 'NewHeight'
  )
    return;
  if (polRound < -1 || polRound >= round) return;
  draft.proposal = proposal;
  draft.expected ??= proposal.blockId;
}

function takeBlock(draft: Draft, block: ProposedBlock): void {
  if (
    draft.proposalBlock !== undefined ||
    draft.expected === undefined ||
    blockKey(draft.expected) !== blockKey(block.blockId)
  )
    return;
  draft.proposalBlock = block;
  const { height } = draft.context;
  draft.effects.push({
    kind: 'event',
    event: {
      type: 'CompleteProposal',
      place: { height, round: draft.round, step: draft.step },
      blockId: block.blockId,
    },
  });
  const polka = votesOf(draft, draft.round).prevotes.majority;
  if (polka?.blockId !== undefined && draft.validRound < draft.round && isBlock(block, polka.blockId))
    setValid(draft, block);
  if (STEP_RANK[draft.step] <= STEP_RANK.Propose && isProposalComplete(draft)) {
    enterPrevote(draft, draft.round);
    if (polka !== undefined) enterPrecommit(draft, draft.round);
  } else if (draft.step === 'Commit') {
    tryDecide(draft);
  }
}

function takeVote(draft: Draft, vote: Vote): void {
  const isPrecommit = vote.type === SignedMsgType.PRECOMMIT;
  if (vote.height + 1n === draft.context.height && isPrecommit) return takeLatePrecommit(draft, vote);
  if (vote.height !== draft.context.height || draft.decided || !isTracked(draft, vote)) return;
  const votes = votesOf(draft, vote.round);
  const set = count(draft, isPrecommit ? votes.precommits : votes.prevotes, vote);
  if (set === undefined) return;
  const counted: RoundVotes = {
    prevotes: isPrecommit ? votes.prevotes : set.set,
    precommits: isPrecommit ? set.set : votes.precommits,
  };
  draft.votes = new Map(draft.votes).set(vote.round, counted);
  if (!set.added) return;
  draft.effects.push({ kind: 'event', event: { type: 'Vote', vote } });
  if (isPrecommit) afterPrecommit(draft, vote.round, set.set);
  else afterPrevote(draft, vote.round, set.set);
}

/** Adds a precommit to the commit of the previous block; possible until round 0 begins. */
function takeLatePrecommit(draft: Draft, vote: Vote): void {
  if (draft.step !== 'NewHeight' || draft.lastPrecommits === undefined) return;
  const [decisive] = draft.lastPrecommits.votes.values();
  if (decisive?.round !== vote.round) return;
  const result = count(draft, draft.lastPrecommits, vote);
  if (result === undefined) return;
  draft.lastPrecommits = result.set;
  if (result.added) draft.effects.push({ kind: 'event', event: { type: 'Vote', vote } });
}

function count(draft: Draft, set: VoteSet, vote: Vote): { readonly set: VoteSet; readonly added: boolean } | undefined {
  const result = addVote(set, vote);
  switch (result.kind) {
    case 'added':
      return { set: result.set, added: true };
    case 'conflict':
      draft.effects.push({ kind: 'conflict', first: result.first, second: result.second });
      return { set: result.set, added: false };
    case 'duplicate':
    case 'unknown-validator':
      return undefined;
  }
}

/** Votes are kept for rounds up to the next one; each validator may open at most two later rounds. */
function isTracked(draft: Draft, vote: Vote): boolean {
  if (vote.round <= draft.round + 1 || draft.votes.has(vote.round)) return true;
  let opened = 0;
  for (const [round, { prevotes, precommits }] of draft.votes) {
    if (round <= draft.round + 1) continue;
    if (prevotes.votes.has(vote.validatorIndex) || precommits.votes.has(vote.validatorIndex)) opened += 1;
  }
  return opened < FIXED_LIMITS.futureRoundsPerValidator;
}

function afterPrevote(draft: Draft, round: number, prevotes: VoteSet): void {
  const { majority } = prevotes;
  if (majority !== undefined) followPolka(draft, round, majority);
  if (round > draft.round) {
    if (hasTwoThirdsAny(prevotes)) enterNewRound(draft, round);
  } else if (round === draft.round && STEP_RANK[draft.step] >= STEP_RANK.Prevote) {
    if (majority !== undefined && (isProposalComplete(draft) || majority.blockId === undefined))
      enterPrecommit(draft, round);
    else if (hasTwoThirdsAny(prevotes)) enterPrevoteWait(draft, round);
  } else if (draft.proposal?.polRound === round && isProposalComplete(draft)) {
    enterPrevote(draft, draft.round);
  }
}

/**
 * Handles a new polka: one of a later round for another block releases the lock; one of this round sets the valid
 * block.
 */
function followPolka(draft: Draft, round: number, { blockId }: NonNullable<VoteSet['majority']>): void {
  const { lockedBlock, lockedRound } = draft;
  if (lockedBlock !== undefined && lockedRound < round && round <= draft.round && !isBlock(lockedBlock, blockId))
    unlock(draft);
  if (blockId === undefined || draft.validRound >= round || round !== draft.round) return;
  if (draft.proposalBlock !== undefined && isBlock(draft.proposalBlock, blockId)) setValid(draft, draft.proposalBlock);
  else draft.proposalBlock = undefined;
  expect(draft, blockId);
  publish(draft, 'ValidBlock');
}

function setValid(draft: Draft, block: ProposedBlock): void {
  draft.validRound = draft.round;
  draft.validBlock = block;
}

function afterPrecommit(draft: Draft, round: number, precommits: VoteSet): void {
  const { majority } = precommits;
  if (majority !== undefined) {
    enterNewRound(draft, round);
    enterPrecommit(draft, round);
    if (majority.blockId === undefined) enterPrecommitWait(draft, round);
    else enterCommit(draft, round);
  } else if (draft.round <= round && hasTwoThirdsAny(precommits)) {
    enterNewRound(draft, round);
    enterPrecommitWait(draft, round);
  }
}

function takeTimeout(draft: Draft, { height, round, step: timed }: Timeout): void {
  if (height !== draft.context.height || round < draft.round) return;
  if (round === draft.round && STEP_RANK[timed] < STEP_RANK[draft.step]) return;
  switch (timed) {
    case 'NewHeight':
      return enterNewRound(draft, 0);
    case 'Propose':
      publish(draft, 'TimeoutPropose');
      return enterPrevote(draft, round);
    case 'PrevoteWait':
      publish(draft, 'TimeoutWait');
      return enterPrecommit(draft, round);
    case 'PrecommitWait':
      publish(draft, 'TimeoutWait');
      enterPrecommit(draft, round);
      return enterNewRound(draft, round + 1);
  }
}
