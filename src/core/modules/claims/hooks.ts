/** Hooks for the actions that claims pay for (evmos v3.0.0 `x/claims/keeper/hooks.go`). */
import { Action } from '../../proto/evmos/claims/v1/claims_pb.js';
import type { EthereumHooks, GovHooks, StakingHooks } from '../../sdk/module/hooks.js';
import { claimAction } from './claim.js';
import { getParams, isActive } from './params.js';
import { getRecord } from './records.js';

export const claimsStakingHooks: StakingHooks = {
  afterDelegationModified: (context, delegator) => claimAction(context, delegator, Action.DELEGATE),
};

export const claimsGovHooks: GovHooks = {
  afterProposalVote: (context, _, voter) => claimAction(context, voter, Action.VOTE),
};

export const claimsEthereumHooks: EthereumHooks = {
  name: 'claims',
  hears: (context, { sender }) => {
    const params = getParams(context);
    return params !== undefined && isActive(params, context.time) && getRecord(context, sender) !== undefined;
  },
  postTxProcessing(context, { sender, status }) {
    if (status === 'success') claimAction(context, sender, Action.EVM);
  },
};
