/** Messages of cosmos.gov.v1 (cosmos-sdk v0.53 `x/gov/keeper/msg_server.go`). */
import { create } from '@bufbuild/protobuf';
import { fromTimestamp, toTimestamp } from '../../comet/time.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ParamsSchema, ProposalStatus } from '../../proto/cosmos/gov/v1/gov_pb.js';
import type { WeightedVoteOption } from '../../proto/cosmos/gov/v1/gov_pb.js';
import * as pb from '../../proto/cosmos/gov/v1/tx_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { encodeAddress, requireAddress } from '../../sdk/codec/address.js';
import { readBech32Address } from '../../sdk/codec/bech32-address.js';
import type { Context } from '../../sdk/module/context.js';
import { message } from '../../sdk/module/module.js';
import { requirePositiveCoins } from '../../sdk/coins/require-coins.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { requireUpdate } from '../authority.js';
import { addDeposit } from './add-deposit.js';
import { paramsProblem } from './check-params.js';
import { GOV, chargeDeposits } from './deposits.js';
import { govErrors } from './errors.js';
import { readContent } from './legacy.js';
import { getParams, setParams } from './params.js';
import { govRules } from './rules.js';
import { submitProposal } from './submit.js';
import { addVote, deleteVotes, requireWeights, wholeVote } from './votes.js';
import { deleteProposal, requireProposal } from './proposals.js';

/**
 * Cancels a proposal on behalf of its proposer before the vote ends (cosmos-sdk v0.53 `x/gov/keeper/proposal.go`).
 */
function cancelProposal(context: Context, id: bigint, proposer: string): void {
  const proposal = requireProposal(context, id);
  if (proposal.proposer === '')
    throw new SdkError(
      govErrors.invalidProposal,
      `proposal ${id} doesn't have proposer ${proposer}, so cannot be canceled`,
    );
  if (proposal.proposer !== proposer) throw new SdkError(govErrors.invalidProposer, `invalid proposer ${proposer}`);
  if (proposal.status !== ProposalStatus.DEPOSIT_PERIOD && proposal.status !== ProposalStatus.VOTING_PERIOD)
    throw new SdkError(govErrors.invalidProposal, 'proposal should be in the deposit or voting period');
  if (proposal.votingEndTime !== undefined && fromTimestamp(proposal.votingEndTime) < context.time)
    throw new SdkError(govErrors.votingPeriodEnded, `voting period is already ended for this proposal ${id}`);
  const { proposalCancelDest, proposalCancelRatio } = getParams(context);
  chargeDeposits(context, id, proposalCancelDest, proposalCancelRatio);
  if (proposal.votingStartTime !== undefined) deleteVotes(context, id);
  deleteProposal(context, id);
}

const submit = message(pb.Msg, 'submitProposal', (context, request) => ({
  proposalId: submitProposal(context, request),
}));

const execLegacyContent = message(pb.Msg, 'execLegacyContent', {
  validate({ authority }, { chain }) {
    const address = readBech32Address(chain.bech32Prefix, authority);
    if (!address.ok) throw address.error;
  },
  handle(context, { authority, content: any }) {
    const expected = encodeAddress(context.chain.bech32Prefix, ensureModuleAccount(context, GOV));
    if (authority !== expected) throw new SdkError(govErrors.invalidSigner, `expected ${expected} got ${authority}`);
    govRules.of(context).requireExecutable();
    const { route, run } = readContent(context, any);
    try {
      run(context);
    } catch (error) {
      if (!isReturned(error)) throw error;
      throw new SdkError(govErrors.invalidContent, `failed to run legacy handler ${route}, ${error.message}`);
    }
  },
});

/** Handles MsgVote of both versions. */
export function vote(context: Context, request: Omit<pb.MsgVote, '$typeName'>): void {
  const voter = requireAddress(context.chain.bech32Prefix, request.voter, 'invalid voter address');
  addVote(context, request.proposalId, voter, wholeVote(request.option), request.metadata);
}

/** Handles MsgVoteWeighted of both versions. */
export function voteWeighted(
  context: Context,
  request: Pick<pb.MsgVoteWeighted, 'proposalId' | 'voter' | 'metadata'>,
  options: readonly WeightedVoteOption[],
): void {
  const voter = requireAddress(context.chain.bech32Prefix, request.voter, 'invalid voter address');
  requireWeights(options);
  addVote(context, request.proposalId, voter, options, request.metadata);
}

/** Handles MsgDeposit of both versions. */
export function deposit(
  context: Context,
  request: { readonly proposalId: bigint; readonly depositor: string; readonly amount: readonly Coin[] },
): void {
  const depositor = requireAddress(context.chain.bech32Prefix, request.depositor, 'invalid depositor address');
  requirePositiveCoins(request.amount);
  const { proposalId } = request;
  if (addDeposit(context, proposalId, depositor, request.amount))
    emit(context, 'proposal_deposit', () => [['voting_period_start', proposalId.toString()]]);
}

const cancel = message(pb.Msg, 'cancelProposal', (context, { proposalId, proposer }) => {
  requireAddress(context.chain.bech32Prefix, proposer, 'invalid proposer address');
  cancelProposal(context, proposalId, proposer);
  emit(context, 'cancel_proposal', () => [
    ['sender', proposer],
    ['proposal_id', proposalId.toString()],
  ]);
  return {
    proposalId,
    canceledTime: toTimestamp(context.time),
    canceledHeight: context.height,
  };
});

const updateParams = message(pb.Msg, 'updateParams', (context, { authority, params = create(ParamsSchema) }) => {
  requireUpdate(context, authority, paramsProblem(params, context.chain.bech32Prefix));
  setParams(context, params);
});

export const messages = [
  submit,
  execLegacyContent,
  message(pb.Msg, 'vote', (context, request) => {
    vote(context, request);
  }),
  message(pb.Msg, 'voteWeighted', (context, request) => {
    voteWeighted(context, request, request.options);
  }),
  message(pb.Msg, 'deposit', (context, request) => {
    deposit(context, request);
  }),
  cancel,
  updateParams,
];
