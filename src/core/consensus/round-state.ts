/**
 * The state of one validator at a height, its inputs, and its requests to the host (CometBFT v0.38
 * `consensus/types/round_state.go`).
 */
import type { Height, TimeNs } from '../primitives.js';
import type { BlockID, Commit, SignedMsgType, Vote } from '../proto/tendermint/types/types_pb.js';
import type { ProposedBlock } from './block-key.js';
import type { ConsensusNotice } from './notices.js';
import type { Step } from './round-step.js';
import type { ConsensusTimeouts, Timeout } from './timeouts.js';
import { emptyVoteSet, type Voter, type VoteSet } from './vote-set.js';

/** Facts that are constant during a height. */
export interface HeightContext {
  readonly height: Height;
  readonly voters: readonly Voter[];
  /** Index of the proposer of a round. A pure function. */
  readonly proposer: (round: number) => number;
  /** Index of this validator; undefined for an observer that is not in the set. */
  readonly self: number | undefined;
  readonly timeouts: ConsensusTimeouts;
}

export interface Proposal {
  readonly height: Height;
  readonly round: number;
  /** Earlier round with a polka for this block, or -1. */
  readonly polRound: number;
  readonly blockId: BlockID;
}

export interface RoundVotes {
  readonly prevotes: VoteSet;
  readonly precommits: VoteSet;
}

export interface RoundState {
  readonly context: HeightContext;
  readonly round: number;
  readonly step: Step;
  readonly proposal: Proposal | undefined;
  readonly proposalBlock: ProposedBlock | undefined;
  /** Block id whose parts are accepted: that of the proposal, or of a block with a majority of votes. */
  readonly expected: BlockID | undefined;
  /** -1 without a lock. */
  readonly lockedRound: number;
  readonly lockedBlock: ProposedBlock | undefined;
  /** Last round in which this validator had both a polka and its block, or -1. */
  readonly validRound: number;
  readonly validBlock: ProposedBlock | undefined;
  readonly votes: ReadonlyMap<number, RoundVotes>;
  readonly commitRound: number;
  readonly triggeredTimeoutPrecommit: boolean;
  readonly decided: boolean;
  /** Precommits of the previous block; late ones are added while the step is NewHeight. */
  readonly lastPrecommits: VoteSet | undefined;
}

export type ConsensusInput =
  /** A proposal whose signature by the round's proposer was verified; its block may arrive later. */
  | { readonly kind: 'proposal'; readonly proposal: Proposal; readonly block: ProposedBlock | undefined }
  | { readonly kind: 'block'; readonly block: ProposedBlock }
  /** A vote whose signature was verified, or that this process signed. */
  | { readonly kind: 'vote'; readonly vote: Vote }
  | { readonly kind: 'timeout'; readonly timeout: Timeout };

export type ConsensusEffect =
  /**
   * Sign and send a proposal of `block`, or of a new block when it is undefined. The host also delivers the proposal
   * to this validator as an input.
   */
  | {
      readonly kind: 'propose';
      readonly height: Height;
      readonly round: number;
      readonly polRound: number;
      readonly block: ProposedBlock | undefined;
    }
  /**
   * Sign and send a vote, not earlier than `notBefore`; `blockId` undefined means nil. The host also delivers the
   * vote to this validator as an input.
   */
  | {
      readonly kind: 'vote';
      readonly type: SignedMsgType.PREVOTE | SignedMsgType.PRECOMMIT;
      readonly height: Height;
      readonly round: number;
      readonly blockId: BlockID | undefined;
      readonly notBefore: TimeNs | undefined;
    }
  | { readonly kind: 'timeout'; readonly timeout: Timeout; readonly milliseconds: number }
  | { readonly kind: 'event'; readonly event: ConsensusNotice }
  /** Fetch a block that has a majority of votes but is not here. */
  | { readonly kind: 'want-block'; readonly blockId: BlockID }
  /** A validator signed two different votes: a candidate for duplicate-vote evidence. */
  | { readonly kind: 'conflict'; readonly first: Vote; readonly second: Vote }
  | {
      readonly kind: 'decided';
      readonly height: Height;
      readonly round: number;
      readonly block: ProposedBlock;
      readonly commit: Commit;
    };

export interface StepResult {
  readonly state: RoundState;
  readonly effects: readonly ConsensusEffect[];
}

/** Creates the state at the beginning of a height. */
export function initialRoundState(context: HeightContext, lastPrecommits: VoteSet | undefined): RoundState {
  return {
    context,
    round: 0,
    step: 'NewHeight',
    proposal: undefined,
    proposalBlock: undefined,
    expected: undefined,
    lockedRound: -1,
    lockedBlock: undefined,
    validRound: -1,
    validBlock: undefined,
    votes: new Map(),
    commitRound: -1,
    triggeredTimeoutPrecommit: false,
    decided: false,
    lastPrecommits,
  };
}

/** Votes of a round; empty sets when none were counted. */
export function votesOf(state: Pick<RoundState, 'votes' | 'context'>, round: number): RoundVotes {
  return (
    state.votes.get(round) ?? {
      prevotes: emptyVoteSet(state.context.voters),
      precommits: emptyVoteSet(state.context.voters),
    }
  );
}
