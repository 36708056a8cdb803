/** Queries of cosmos.gov.v1 (cosmos-sdk v0.53 `x/gov/keeper/grpc_query.go`). */
import { create } from '@bufbuild/protobuf';
import {
  DepositParamsSchema,
  type Deposit,
  type Proposal,
  ProposalStatus,
  ProposalStatusSchema,
  TallyParamsSchema,
  type TallyResult,
  type Vote,
  VotingParamsSchema,
} from '../../proto/cosmos/gov/v1/gov_pb.js';
import * as pb from '../../proto/cosmos/gov/v1/query_pb.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { has } from '../../sdk/module/gas.js';
import { query } from '../../sdk/module/module.js';
import { internalPage, paginateCollection } from '../../sdk/module/pagination.js';
import { grpcError, SdkError } from '../../sdk/module/sdk-error.js';
import { requireQueriedAddress } from '../queried-address.js';
import { decodeDeposit, getDeposit } from './deposits.js';
import { notFoundText } from './errors.js';
import { depositKey, depositsOf, PROPOSAL_PREFIX, STORE, voteKey, votesOf } from './keys.js';
import { getConstitution, getParams } from './params.js';
import { decodeProposal, getProposal } from './proposals.js';
import { tally } from './tally.js';
import { decodeVote, getVote } from './votes.js';

function requireId(id: bigint): void {
  if (id === 0n) throw grpcError('InvalidArgument', 'proposal id can not be 0');
}

function requireText(value: string, what: string): void {
  if (value === '') throw grpcError('InvalidArgument', `empty ${what} address`);
}

/** Finds a proposal; throws InvalidArgument for id 0, NotFound for an unknown one. */
export function findProposal(context: Context, id: bigint): Proposal {
  requireId(id);
  const proposal = getProposal(context, id);
  if (proposal === undefined) throw grpcError('NotFound', `proposal ${id} doesn't exist`);
  return proposal;
}

/** Proposals filtered by status, voter and depositor; each filter is optional. */
export function findProposals(
  context: Context,
  { proposalStatus, voter, depositor, pagination }: Omit<pb.QueryProposalsRequest, '$typeName'>,
) {
  const { store } = context;
  const hasStatus = proposalStatus !== ProposalStatus.UNSPECIFIED && ProposalStatusSchema.value[proposalStatus];
  return paginateCollection(
    { context, store: STORE, prefix: PROPOSAL_PREFIX, refuse: internalPage },
    pagination,
    ({ value }) => {
      const proposal = decodeProposal(value);
      const { id, status } = proposal;
      const [voted, deposited] = [filterAddress(context, voter), filterAddress(context, depositor)];
      // Both filters are read, because a contract pays gas for each.
      const hasVoted = voted === undefined || has(store, STORE, voteKey(id, voted));
      const hasDeposited = deposited === undefined || has(store, STORE, depositKey(id, deposited));
      return hasVoted && hasDeposited && (!hasStatus || status === proposalStatus) ? proposal : undefined;
    },
  );
}

function filterAddress({ chain }: Context, address: string): Uint8Array | undefined {
  if (address === '') return undefined;
  try {
    return requireQueriedAddress(chain.bech32Prefix, address);
  } catch (error) {
    throw error instanceof SdkError ? grpcError('Internal', error.message) : error;
  }
}

/** Vote of a bech32 address; SdkError for invalid arguments, InvalidArgument for an absent vote. */
export function findVote(context: Context, proposalId: bigint, voter: string): Vote {
  requireId(proposalId);
  requireText(voter, 'voter');
  const vote = getVote(context, proposalId, requireQueriedAddress(context.chain.bech32Prefix, voter));
  if (vote === undefined) throw grpcError('InvalidArgument', `voter: ${voter} not found for proposal: ${proposalId}`);
  return vote;
}

/** One page of votes on a proposal; empty for an unknown proposal. */
export function findVotes(context: Context, { proposalId, pagination }: Omit<pb.QueryVotesRequest, '$typeName'>) {
  requireId(proposalId);
  return paginateCollection(
    { context, store: STORE, prefix: votesOf(proposalId), refuse: internalPage },
    pagination,
    ({ value }) => decodeVote(value),
  );
}

/** Deposit of a bech32 address; SdkError for invalid arguments, NotFound for an absent deposit. */
export function findDeposit(context: Context, proposalId: bigint, depositor: string): Deposit {
  requireId(proposalId);
  requireText(depositor, 'depositor');
  const prefix = context.chain.bech32Prefix;
  const address = requireQueriedAddress(prefix, depositor);
  const deposit = getDeposit(context, proposalId, address);
  if (deposit === undefined) {
    const key = `("${proposalId}", "${encodeAddress(prefix, address)}")`;
    throw grpcError('NotFound', notFoundText(key, 'Deposit'));
  }
  return deposit;
}

/** One page of deposits on a proposal; empty for an unknown proposal. */
export function findDeposits(context: Context, { proposalId, pagination }: Omit<pb.QueryDepositsRequest, '$typeName'>) {
  requireId(proposalId);
  return paginateCollection(
    { context, store: STORE, prefix: depositsOf(proposalId), refuse: internalPage },
    pagination,
    ({ value }) => decodeDeposit(value),
  );
}

/** Proposal statuses without votes to count. */
const STORED_TALLY: readonly ProposalStatus[] = [
  ProposalStatus.DEPOSIT_PERIOD,
  ProposalStatus.PASSED,
  ProposalStatus.REJECTED,
  ProposalStatus.FAILED,
];

/** Final tally of an ended proposal, otherwise that of the votes so far. Writes of a query are discarded. */
export function findTally(context: Context, id: bigint): TallyResult | undefined {
  const proposal = findProposal(context, id);
  return STORED_TALLY.includes(proposal.status) ? proposal.finalTallyResult : tally(context, proposal).result;
}

/** Parameters of one type. */
export function findParams(context: Context, type: string): Omit<pb.QueryParamsResponse, '$typeName'> {
  const params = getParams(context);
  const { minDeposit, maxDepositPeriod, votingPeriod, quorum, threshold, vetoThreshold } = params;
  switch (type) {
    case 'deposit':
      return {
        params,
        depositParams: create(DepositParamsSchema, { minDeposit, ...(maxDepositPeriod && { maxDepositPeriod }) }),
      };
    case 'voting':
      return { params, votingParams: create(VotingParamsSchema, votingPeriod && { votingPeriod }) };
    case 'tallying':
      return { params, tallyParams: create(TallyParamsSchema, { quorum, threshold, vetoThreshold }) };
    case '':
      return { params };
    default:
      throw grpcError('InvalidArgument', `unknown params type: ${type}`);
  }
}

export const queries = [
  query(pb.Query, 'constitution', (context) => ({ constitution: getConstitution(context) })),
  query(pb.Query, 'proposal', (context, { proposalId }) => ({ proposal: findProposal(context, proposalId) })),
  query(pb.Query, 'proposals', findProposals),
  query(pb.Query, 'vote', (context, { proposalId, voter }) => ({ vote: findVote(context, proposalId, voter) })),
  query(pb.Query, 'votes', findVotes),
  query(pb.Query, 'params', (context, { paramsType }) => findParams(context, paramsType)),
  query(pb.Query, 'deposit', (context, { proposalId, depositor }) => ({
    deposit: findDeposit(context, proposalId, depositor),
  })),
  query(pb.Query, 'deposits', findDeposits),
  query(pb.Query, 'tallyResult', (context, { proposalId }) => {
    const found = findTally(context, proposalId);
    return found && { tally: found };
  }),
];
