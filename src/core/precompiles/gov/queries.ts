/** Governance queries (cosmos/evm v0.6 `precompiles/gov/query.go`). */
import * as pb from '../../proto/cosmos/gov/v1/query_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { listOf, text } from '../abi/compounds.js';
import { address, uint } from '../abi/words.js';
import { viewMethod } from '../contract.js';
import { ask } from '../messages.js';
import { accountName } from '../requester.js';
import { abiPageRequest, abiPageResponse, pageIn, pageOut } from '../structs.js';
import {
  abiDeposit,
  abiParams,
  abiProposal,
  abiTally,
  abiVote,
  depositOut,
  paramsOut,
  proposalOut,
  tallyOut,
  voteOut,
} from './structs.js';

function answered<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) throw plainError('not found');
  return answer;
}

/** Converts the account filter; the zero address means all accounts. */
function filterOf(context: Context, account: Uint8Array): string {
  return account.every((byte) => byte === 0) ? '' : accountName(context, account);
}

const getVote = viewMethod('getVote', [uint(64), address], [abiVote], (context, [proposalId, voter]) => {
  const request = { proposalId, voter: accountName(context, voter) };
  const { vote } = ask(context, pb.Query, 'vote', request);
  return [voteOut(context, answered(vote))];
});

const getVotes = viewMethod(
  'getVotes',
  [uint(64), abiPageRequest],
  [listOf(abiVote), abiPageResponse],
  (context, [proposalId, page]) => {
    const request = { proposalId, pagination: pageIn(page) };
    const answer = ask(context, pb.Query, 'votes', request);
    return [answer.votes.map((one) => voteOut(context, one)), pageOut(answer.pagination)];
  },
);

const getDeposit = viewMethod('getDeposit', [uint(64), address], [abiDeposit], (context, [proposalId, depositor]) => {
  const request = { proposalId, depositor: accountName(context, depositor) };
  const { deposit } = ask(context, pb.Query, 'deposit', request);
  return [depositOut(context, answered(deposit))];
});

const getDeposits = viewMethod(
  'getDeposits',
  [uint(64), abiPageRequest],
  [listOf(abiDeposit), abiPageResponse],
  (context, [proposalId, page]) => {
    const request = { proposalId, pagination: pageIn(page) };
    const { deposits, pagination } = ask(context, pb.Query, 'deposits', request);
    return [deposits.map((one) => depositOut(context, one)), pageOut(pagination)];
  },
);

const getTallyResult = viewMethod('getTallyResult', [uint(64)], [abiTally], (context, [proposalId]) => {
  const { tally } = ask(context, pb.Query, 'tallyResult', { proposalId });
  return [tallyOut(tally)];
});

const getProposal = viewMethod('getProposal', [uint(64)], [abiProposal], (context, [proposalId]) => {
  const { proposal } = ask(context, pb.Query, 'proposal', { proposalId });
  return [proposalOut(context, answered(proposal))];
});

const getProposals = viewMethod(
  'getProposals',
  [uint(32), address, address, abiPageRequest],
  [listOf(abiProposal), abiPageResponse],
  (context, [status, voter, depositor, page]) => {
    const { proposals, pagination } = ask(context, pb.Query, 'proposals', {
      // Converted to Go's int32, which wraps around from 2^31 on.
      proposalStatus: Number(BigInt.asIntN(32, status)),
      voter: filterOf(context, voter),
      depositor: filterOf(context, depositor),
      pagination: pageIn(page),
    });
    return [proposals.map((one) => proposalOut(context, one)), pageOut(pagination)];
  },
);

const getParams = viewMethod('getParams', [], [abiParams], (context) => {
  const { params } = ask(context, pb.Query, 'params', {});
  return [paramsOut(answered(params))];
});

const getConstitution = viewMethod('getConstitution', [], [text], (context) => {
  const { constitution } = ask(context, pb.Query, 'constitution', {});
  return [constitution];
});

export const queryMethods = [
  getVote,
  getVotes,
  getDeposit,
  getDeposits,
  getTallyResult,
  getProposal,
  getProposals,
  getParams,
  getConstitution,
];
