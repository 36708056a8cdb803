/** Votes (cosmos-sdk v0.53 `x/gov/keeper/vote.go`, `x/gov/types/v1/vote.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { prefixRange } from '../../bytes/key-order.js';
import {
  type Vote,
  VoteOption,
  VoteOptionSchema,
  VoteSchema,
  type WeightedVoteOption,
  WeightedVoteOptionSchema,
} from '../../proto/cosmos/gov/v1/gov_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { compactText } from '../../sdk/go/compact-text.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, formatDec, parseDec } from '../../sdk/coins/dec.js';
import { has } from '../../sdk/module/gas.js';
import { invalidRequest, SdkError } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { govErrors } from './errors.js';
import { addressOfKey, STORE, VOTE_PREFIX, voteKey, votesOf, votingKey } from './keys.js';
import { requireMetadataLength } from './metadata.js';

/** A vote with the address of its voter. */
export interface CastVote {
  readonly voter: Uint8Array;
  readonly vote: Vote;
}

/** Decodes a row of the store. */
export function decodeVote(value: Uint8Array): Vote {
  return fromBinary(VoteSchema, value);
}

/** Reads the vote of an account on a proposal; undefined where there is none. */
export function getVote({ store }: Context, proposal: bigint, voter: Uint8Array): Vote | undefined {
  const value = store.get(STORE, voteKey(proposal, voter));
  return value && decodeVote(value);
}

/** Stores a vote by proposal and voter; replaces an earlier one. */
export function setVote({ store }: Context, voter: Uint8Array, vote: Vote): void {
  store.set(STORE, voteKey(vote.proposalId, voter), toBinary(VoteSchema, vote));
}

/** Votes on one proposal, or on all, ordered by voter. */
export function votesOn({ store }: Context, proposal?: bigint): readonly CastVote[] {
  const prefix = proposal === undefined ? VOTE_PREFIX : votesOf(proposal);
  return Array.from(store.range(STORE, prefixRange(prefix)), ({ key, value }) => ({
    voter: addressOfKey(key),
    vote: decodeVote(value),
  }));
}

/** Deletes one vote. */
export function deleteVote({ store }: Context, proposal: bigint, voter: Uint8Array): void {
  store.delete(STORE, voteKey(proposal, voter));
}

/** Deletes all votes on a proposal. */
export function deleteVotes(context: Context, proposal: bigint): void {
  for (const { voter } of votesOn(context, proposal)) deleteVote(context, proposal, voter);
}

/** Casts or changes a vote during the voting period. */
export function addVote(
  context: Context,
  proposal: bigint,
  voter: Uint8Array,
  options: readonly WeightedVoteOption[],
  metadata: string,
): void {
  if (!has(context.store, STORE, votingKey(proposal)))
    throw new SdkError(govErrors.inactiveProposal, proposal.toString());
  requireMetadataLength(metadata);
  const name = encodeAddress(context.chain.bech32Prefix, voter);
  setVote(context, voter, create(VoteSchema, { proposalId: proposal, voter: name, options: [...options], metadata }));
  for (const { afterProposalVote } of versionOf(context).hooks.gov) afterProposalVote?.(context, proposal, voter);
  emit(context, 'proposal_vote', () => [
    ['voter', name],
    ['option', JSON.stringify(options.map(({ option, weight }) => ({ option, weight })))],
    ['proposal_id', proposal.toString()],
  ]);
}

const OPTIONS: readonly VoteOption[] = [VoteOption.YES, VoteOption.ABSTAIN, VoteOption.NO, VoteOption.NO_WITH_VETO];

/** A vote with full weight on one option. */
export function wholeVote(option: VoteOption): readonly WeightedVoteOption[] {
  if (!OPTIONS.includes(option)) throw new SdkError(govErrors.invalidVote, optionName(option));
  return [create(WeightedVoteOptionSchema, { option, weight: formatDec(DEC_ONE) })];
}

function optionName(option: VoteOption): string {
  return VoteOptionSchema.value[option]?.name ?? String(option);
}

/** Requires positive weights that add up to 1, on distinct options. */
export function requireWeights(options: readonly WeightedVoteOption[]): void {
  if (options.length === 0) throw invalidRequest('null');
  let total = 0n;
  const used = new Set<VoteOption>();
  for (const one of options) {
    const { option, weight } = one;
    const part = parseDec(weight);
    if (part === undefined || part === 0n || part > DEC_ONE || !OPTIONS.includes(option))
      throw new SdkError(govErrors.invalidVote, compactText(WeightedVoteOptionSchema, one));
    total += part;
    if (used.has(option)) throw new SdkError(govErrors.invalidVote, 'duplicated vote option');
    used.add(option);
  }
  if (total > DEC_ONE) throw new SdkError(govErrors.invalidVote, 'total weight overflow 1.00');
  if (total < DEC_ONE) throw new SdkError(govErrors.invalidVote, 'total weight lower than 1.00');
}
