/** Queries of cosmos.gov.v1beta1, converted from v1 (cosmos-sdk v0.53 `x/gov/migrations/v3/convert.go`). */
import { create, fromBinary } from '@bufbuild/protobuf';
import type * as v1 from '../../proto/cosmos/gov/v1/gov_pb.js';
import { MsgExecLegacyContentSchema } from '../../proto/cosmos/gov/v1/tx_pb.js';
import {
  DepositParamsSchema,
  DepositSchema,
  ProposalSchema,
  TallyParamsSchema,
  TallyResultSchema,
  VoteSchema,
  VotingParamsSchema,
  WeightedVoteOptionSchema,
  type Deposit,
  type Proposal,
  type TallyResult,
  type Vote,
} from '../../proto/cosmos/gov/v1beta1/gov_pb.js';
import * as pb from '../../proto/cosmos/gov/v1beta1/query_pb.js';
import { utf8 } from '../../bytes/bytes.js';
import { complete } from '../../sdk/codec/complete-message.js';
import type { Context } from '../../sdk/module/context.js';
import { parseDec } from '../../sdk/coins/dec.js';
import { query } from '../../sdk/module/module.js';
import { grpcError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import {
  findDeposit,
  findDeposits,
  findParams,
  findProposal,
  findProposals,
  findTally,
  findVote,
  findVotes,
} from './queries.js';

const LEGACY_URL = `/${MsgExecLegacyContentSchema.typeName}`;

/** Converts a proposal; SDK error 29 unless it has exactly one message. */
function olderProposal(proposal: v1.Proposal): Proposal {
  const { id, status, finalTallyResult, submitTime, depositEndTime, totalDeposit, votingStartTime, votingEndTime } =
    proposal;
  const [only] = proposal.messages;
  if (only === undefined || proposal.messages.length > 1)
    throw new SdkError(
      sdkErrors.invalidType,
      "can't convert a gov/v1 Proposal to gov/v1beta1 Proposal when amount of proposal messages not exactly one",
    );
  const content = only.typeUrl === LEGACY_URL ? fromBinary(MsgExecLegacyContentSchema, only.value).content : only;
  return create(ProposalSchema, {
    proposalId: id,
    status: Number(status),
    totalDeposit,
    ...(content && { content }),
    ...(finalTallyResult && { finalTallyResult: olderTally(finalTallyResult) }),
    ...(submitTime && { submitTime }),
    ...(depositEndTime && { depositEndTime }),
    ...(votingStartTime && { votingStartTime }),
    ...(votingEndTime && { votingEndTime }),
  });
}

function olderTally({ yesCount, abstainCount, noCount, noWithVetoCount }: v1.TallyResult): TallyResult {
  return create(TallyResultSchema, { yes: yesCount, abstain: abstainCount, no: noCount, noWithVeto: noWithVetoCount });
}

function olderVote({ proposalId, voter, options }: v1.Vote): Vote {
  return create(VoteSchema, {
    proposalId,
    voter,
    options: options.map(({ option, weight }) =>
      create(WeightedVoteOptionSchema, { option: Number(option), weight: unitsOf(weight) }),
    ),
  });
}

function olderDeposit({ proposalId, depositor, amount }: v1.Deposit): Deposit {
  return create(DepositSchema, { proposalId, depositor, amount });
}

/** Converts a decimal of v1 (with a point) to an integer of v1beta1. */
function unitsOf(decimal: string): string {
  return (parseDec(decimal) ?? 0n).toString();
}

function olderParams(context: Context, type: string): pb.QueryParamsResponse {
  const { depositParams, votingParams, tallyParams } = findParams(context, type);
  if (depositParams === undefined && votingParams === undefined && tallyParams === undefined)
    throw grpcError('InvalidArgument', `${type} is not a valid parameter type`);
  const { maxDepositPeriod } = depositParams ?? {};
  const { votingPeriod } = votingParams ?? {};
  return create(pb.QueryParamsResponseSchema, {
    depositParams: create(DepositParamsSchema, {
      minDeposit: depositParams?.minDeposit ?? [],
      ...(maxDepositPeriod && { maxDepositPeriod }),
    }),
    votingParams: create(VotingParamsSchema, votingPeriod && { votingPeriod }),
    tallyParams: create(
      TallyParamsSchema,
      tallyParams && {
        quorum: utf8(unitsOf(tallyParams.quorum)),
        threshold: utf8(unitsOf(tallyParams.threshold)),
        vetoThreshold: utf8(unitsOf(tallyParams.vetoThreshold)),
      },
    ),
  });
}

export const queriesV1beta1 = [
  query(pb.Query, 'proposal', (context, { proposalId }) =>
    complete(
      pb.QueryProposalResponseSchema,
      create(pb.QueryProposalResponseSchema, { proposal: olderProposal(findProposal(context, proposalId)) }),
    ),
  ),
  query(pb.Query, 'proposals', (context, request) => {
    const { proposalStatus, voter, depositor, pagination } = request;
    const { rows, page } = findProposals(context, {
      proposalStatus: Number(proposalStatus),
      voter,
      depositor,
      ...(pagination && { pagination }),
    });
    return complete(
      pb.QueryProposalsResponseSchema,
      create(pb.QueryProposalsResponseSchema, { proposals: rows.map(olderProposal), pagination: page }),
    );
  }),
  query(pb.Query, 'vote', (context, { proposalId, voter }) => ({
    vote: olderVote(findVote(context, proposalId, voter)),
  })),
  query(pb.Query, 'votes', (context, request) => {
    const { rows, page } = findVotes(context, request);
    return { votes: rows.map(olderVote), pagination: page };
  }),
  query(pb.Query, 'params', (context, { paramsType }) =>
    complete(pb.QueryParamsResponseSchema, olderParams(context, paramsType)),
  ),
  query(pb.Query, 'deposit', (context, { proposalId, depositor }) => ({
    deposit: olderDeposit(findDeposit(context, proposalId, depositor)),
  })),
  query(pb.Query, 'deposits', (context, request) => {
    const { rows, page } = findDeposits(context, request);
    return { deposits: rows.map(olderDeposit), pagination: page };
  }),
  query(pb.Query, 'tallyResult', (context, { proposalId }) => {
    const found = findTally(context, proposalId);
    return found && { tally: olderTally(found) };
  }),
];
