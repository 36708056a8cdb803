/** Staking hooks of distribution (cosmos-sdk v0.53 `x/distribution/keeper/hooks.go`). */
import { addressKey } from '../../bytes/address-key.js';
import type { Context } from '../../sdk/module/context.js';
import { subtractDecCoins, truncateDecCoins } from '../../sdk/coins/dec-coins.js';
import type { StakingHooks } from '../../sdk/module/hooks.js';
import { sendFromModule } from '../bank/module-accounts.js';
import { requireDelegation } from '../staking/delegations.js';
import { requireValidator } from '../staking/validators.js';
import { addToCommunityPool } from './community-pool.js';
import { payDelegation, startDelegation } from './delegation-rewards.js';
import { withdrawAddressOf } from './delegators.js';
import { COMMISSION_PREFIX, CURRENT_PREFIX, DISTRIBUTION, OUTSTANDING_PREFIX, STORE } from './keys.js';
import { endPeriod, recordSlash, startPeriods } from './periods.js';
import { deleteAllHistorical, getCommission, getOutstanding } from './records.js';
import { deleteSlashEvents } from './slash-events.js';

/** Pays the remaining commission; the community pool gets the rest. */
function removeValidator(context: Context, _consensus: Uint8Array, operator: Uint8Array): void {
  let outstanding = getOutstanding(context, operator);
  const commission = getCommission(context, operator);
  if (commission.length > 0) {
    outstanding = subtractDecCoins(outstanding, commission);
    const { whole, rest } = truncateDecCoins(commission);
    addToCommunityPool(context, rest);
    if (whole.length > 0) sendFromModule(context, DISTRIBUTION, withdrawAddressOf(context, operator), whole);
  }
  addToCommunityPool(context, outstanding);
  context.store.delete(STORE, addressKey(OUTSTANDING_PREFIX, operator));
  context.store.delete(STORE, addressKey(COMMISSION_PREFIX, operator));
  deleteSlashEvents(context, operator);
  deleteAllHistorical(context, operator);
  context.store.delete(STORE, addressKey(CURRENT_PREFIX, operator));
}

export const distributionHooks: StakingHooks = {
  afterValidatorCreated(context, operator) {
    requireValidator(context, operator);
    startPeriods(context, operator);
  },
  afterValidatorRemoved: removeValidator,
  beforeDelegationCreated(context, _delegator, operator) {
    endPeriod(context, requireValidator(context, operator));
  },
  beforeDelegationSharesModified(context, delegator, operator) {
    const validator = requireValidator(context, operator);
    payDelegation(context, validator, requireDelegation(context, delegator, operator));
  },
  afterDelegationModified: startDelegation,
  beforeValidatorSlashed: recordSlash,
};
