/**
 * Formats votes for /consensus_state and /dump_consensus_state (CometBFT v0.38 `types/vote.go`, `types/vote_set.go`).
 */
import { upperHex } from '../../core/bytes/hex.js';
import { formatTime, fromTimestamp } from '../../core/comet/time.js';
import type { RoundVotes } from '../../core/consensus/round-state.js';
import type { VoteSet } from '../../core/consensus/vote-set.js';
import type { DuplicateVoteEvidence } from '../../core/proto/tendermint/types/evidence_pb.js';
import { SignedMsgType, type Vote } from '../../core/proto/tendermint/types/types_pb.js';

/** Number of leading bytes shown of a hash, address or signature. */
const FINGERPRINT = 6;

/** Formats a vote: `Vote{index:address height/round/type block signature extension @ time}`. */
export function voteText(vote: Vote): string {
  const type =
    vote.type === SignedMsgType.PREVOTE ? 'SIGNED_MSG_TYPE_PREVOTE(Prevote)' : 'SIGNED_MSG_TYPE_PRECOMMIT(Precommit)';
  const place = `${vote.height}/${String(vote.round).padStart(2, '0')}/${type}`;
  const prints = [vote.blockId?.hash ?? new Uint8Array(), vote.signature, vote.extension].map(fingerprint).join(' ');
  return `Vote{${vote.validatorIndex}:${fingerprint(vote.validatorAddress)} ${place} ${prints} @ ${formatTime(fromTimestamp(vote.timestamp))}}`;
}

/** Formats evidence like `DuplicateVoteEvidence.String` (CometBFT v0.38 `types/evidence.go`). */
export function duplicateVoteText({ voteA, voteB }: DuplicateVoteEvidence): string {
  const text = (vote: Vote | undefined): string => (vote === undefined ? 'nil-Vote' : voteText(vote));
  return `DuplicateVoteEvidence{VoteA: ${text(voteA)}, VoteB: ${text(voteB)}}`;
}

/** The vote text of each validator, in the order of the set. */
export function voteTexts({ voters, votes }: VoteSet): readonly string[] {
  return voters.map((_, index) => {
    const vote = votes.get(index);
    return vote === undefined ? 'nil-Vote' : voteText(vote);
  });
}

/** Formats a bit array: `BA{count:bits} power/total = share`. */
export function bitArrayText({ voters, votes, power }: VoteSet): string {
  const bits = voters.map((_, index) => (votes.has(index) ? 'x' : '_')).join('');
  const total = voters.reduce((sum, voter) => sum + voter.power, 0n);
  return `BA{${voters.length}:${bits}} ${power}/${total} = ${total === 0n ? '0.00' : (Number(power) / Number(total)).toFixed(2)}`;
}

/** An element of `height_vote_set`. */
export function roundVotesJson(round: number, { prevotes, precommits }: RoundVotes): object {
  return {
    round,
    prevotes: voteTexts(prevotes),
    prevotes_bit_array: bitArrayText(prevotes),
    precommits: voteTexts(precommits),
    precommits_bit_array: bitArrayText(precommits),
  };
}

function fingerprint(bytes: Uint8Array): string {
  return upperHex(bytes.subarray(0, FINGERPRINT)).padEnd(2 * FINGERPRINT, '0');
}
