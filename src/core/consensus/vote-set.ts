/**
 * An immutable set of votes of one type, height and round, with the choice that has more than two thirds (CometBFT
 * v0.38 `types/vote_set.go`).
 */
import { quorum } from '../comet/validator-set.js';
import { equal } from '../bytes/bytes.js';
import type { BlockID, Vote } from '../proto/tendermint/types/types_pb.js';
import { blockKey } from './block-key.js';

/** A validator in consensus; its index is its place in the validator set. */
export interface Voter {
  readonly address: Uint8Array;
  readonly power: bigint;
}

export interface VoteSet {
  readonly voters: readonly Voter[];
  /** The counted vote of each validator, by index. */
  readonly votes: ReadonlyMap<number, Vote>;
  /** Voting power by block key; the key of nil is empty. */
  readonly powerOf: ReadonlyMap<string, bigint>;
  /** Total power of the votes. */
  readonly power: bigint;
  readonly quorum: bigint;
  /** First choice that reached the quorum; its block id is undefined for nil. */
  readonly majority: { readonly blockId: BlockID | undefined } | undefined;
}

export type AddVoteResult =
  | { readonly kind: 'added'; readonly set: VoteSet }
  /** The set already has this vote, or the same choice with another signature. It does not change. */
  | { readonly kind: 'duplicate' }
  /**
   * A different choice by the same validator: a candidate for evidence. The vote enters the set only when its block
   * has the majority.
   */
  | { readonly kind: 'conflict'; readonly set: VoteSet; readonly first: Vote; readonly second: Vote }
  | { readonly kind: 'unknown-validator' };

/** Creates a set without votes; the quorum follows from the power of the voters. */
export function emptyVoteSet(voters: readonly Voter[]): VoteSet {
  const total = voters.reduce((sum, { power }) => sum + power, 0n);
  return { voters, votes: new Map(), powerOf: new Map(), power: 0n, quorum: quorum(total), majority: undefined };
}

/** Adds a vote whose signature, type, height and round the caller has checked. */
export function addVote(set: VoteSet, vote: Vote): AddVoteResult {
  const voter = set.voters[vote.validatorIndex];
  if (voter === undefined || !equal(voter.address, vote.validatorAddress)) return { kind: 'unknown-validator' };
  const key = blockKey(vote.blockId);
  const first = set.votes.get(vote.validatorIndex);
  const votes = new Map(set.votes).set(vote.validatorIndex, vote);
  if (first !== undefined) {
    if (blockKey(first.blockId) === key) return { kind: 'duplicate' };
    const decided = set.majority !== undefined && blockKey(set.majority.blockId) === key;
    return { kind: 'conflict', set: decided ? { ...set, votes } : set, first, second: vote };
  }
  const blockPower = (set.powerOf.get(key) ?? 0n) + voter.power;
  const majority =
    set.majority ?? (blockPower >= set.quorum ? { blockId: key === '' ? undefined : vote.blockId } : undefined);
  return {
    kind: 'added',
    set: {
      voters: set.voters,
      votes,
      powerOf: new Map(set.powerOf).set(key, blockPower),
      power: set.power + voter.power,
      quorum: set.quorum,
      majority,
    },
  };
}

/** True when more than two thirds voted, no matter for what. */
export function hasTwoThirdsAny(set: VoteSet): boolean {
  return set.power >= set.quorum;
}
