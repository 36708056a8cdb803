/** ABI structs of gov (cosmos/evm v0.6 `precompiles/gov/IGov.sol`). */
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type * as pb from '../../proto/cosmos/gov/v1/gov_pb.js';
import type { Context } from '../../sdk/module/context.js';
import type { AbiValue } from '../abi/abi-type.js';
import { listOf, text, tuple } from '../abi/compounds.js';
import { address, bool, int, uint } from '../abi/words.js';
import { requireHexAddress } from '../hex-address.js';
import { abiCoins, coinsOut } from '../structs.js';
import { fromDuration } from '../../comet/time.js';

export const abiOptions = listOf(tuple({ option: uint(8), weight: text }));
export const abiVote = tuple({ proposalId: uint(64), voter: address, options: abiOptions, metadata: text });
export const abiDeposit = tuple({ proposalId: uint(64), depositor: address, amount: abiCoins });
export const abiTally = tuple({ yes: text, abstain: text, no: text, noWithVeto: text });

export const abiProposal = tuple({
  id: uint(64),
  messages: listOf(text),
  status: uint(32),
  finalTallyResult: abiTally,
  submitTime: uint(64),
  depositEndTime: uint(64),
  totalDeposit: abiCoins,
  votingStartTime: uint(64),
  votingEndTime: uint(64),
  metadata: text,
  title: text,
  summary: text,
  proposer: address,
});

export const abiParams = tuple({
  votingPeriod: int(64),
  minDeposit: abiCoins,
  maxDepositPeriod: int(64),
  quorum: text,
  threshold: text,
  vetoThreshold: text,
  minInitialDepositRatio: text,
  proposalCancelRatio: text,
  proposalCancelDest: text,
  expeditedVotingPeriod: int(64),
  expeditedThreshold: text,
  expeditedMinDeposit: abiCoins,
  burnVoteQuorum: bool,
  burnProposalDepositPrevote: bool,
  burnVoteVeto: bool,
  minDepositRatio: text,
});

const secondsOf = (time: Timestamp | undefined): bigint => time?.seconds ?? 0n;

/** Converts a vote; its voter becomes a 20-byte address. */
export function voteOut(context: Context, { proposalId, voter, options, metadata }: pb.Vote): AbiValue<typeof abiVote> {
  return {
    proposalId,
    voter: requireHexAddress(context, voter),
    options: options.map(({ option, weight }) => ({ option: BigInt(option), weight })),
    metadata,
  };
}

/** Converts a deposit; its depositor becomes a 20-byte address. */
export function depositOut(
  context: Context,
  { proposalId, depositor, amount }: pb.Deposit,
): AbiValue<typeof abiDeposit> {
  return { proposalId, depositor: requireHexAddress(context, depositor), amount: coinsOut(amount) };
}

/** Converts a tally; counts are decimal strings, and those of an absent tally are empty. */
export function tallyOut(tally: pb.TallyResult | undefined): AbiValue<typeof abiTally> {
  const { yesCount = '', abstainCount = '', noCount = '', noWithVetoCount = '' } = tally ?? {};
  return { yes: yesCount, abstain: abstainCount, no: noCount, noWithVeto: noWithVetoCount };
}

/** Converts a proposal; times are in seconds, messages are given by their type URLs. */
export function proposalOut(context: Context, proposal: pb.Proposal): AbiValue<typeof abiProposal> {
  const { id, messages, status, totalDeposit, metadata, title, summary, proposer } = proposal;
  return {
    id,
    messages: messages.map(({ typeUrl }) => typeUrl),
    status: BigInt(status),
    finalTallyResult: tallyOut(proposal.finalTallyResult),
    submitTime: secondsOf(proposal.submitTime),
    depositEndTime: secondsOf(proposal.depositEndTime),
    totalDeposit: coinsOut(totalDeposit),
    votingStartTime: secondsOf(proposal.votingStartTime),
    votingEndTime: secondsOf(proposal.votingEndTime),
    metadata,
    title,
    summary,
    proposer: requireHexAddress(context, proposer),
  };
}

/** Converts the parameters; durations are in nanoseconds. */
export function paramsOut(params: pb.Params): AbiValue<typeof abiParams> {
  const { votingPeriod, maxDepositPeriod, expeditedVotingPeriod, minDeposit, expeditedMinDeposit, ...rest } = params;
  return {
    ...rest,
    votingPeriod: fromDuration(votingPeriod),
    minDeposit: coinsOut(minDeposit),
    maxDepositPeriod: fromDuration(maxDepositPeriod),
    expeditedVotingPeriod: fromDuration(expeditedVotingPeriod),
    expeditedMinDeposit: coinsOut(expeditedMinDeposit),
  };
}
