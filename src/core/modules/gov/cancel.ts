import { fromTimestamp } from '../../comet/time.js';
import { ProposalStatus } from '../../proto/cosmos/gov/v1/gov_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { chargeDeposits } from './deposits.js';
import { govErrors } from './errors.js';
import { getParams } from './params.js';
import { deleteProposal, requireProposal } from './proposals.js';
import { deleteVotes } from './votes.js';

/** Its proposer takes a proposal back before its vote ends (cosmos-sdk v0.53 `x/gov/keeper/proposal.go`). */
export function cancelProposal(context: Context, id: bigint, proposer: string): void {
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
