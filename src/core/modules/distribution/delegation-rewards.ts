/** Rewards of delegations (cosmos-sdk v0.53 `x/distribution/keeper/delegation.go`). */
import { invariant } from '../../errors.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { coin, formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, mulDecTruncate } from '../../sdk/coins/dec.js';
import {
  addDecCoins,
  intersectDecCoins,
  mulDecCoinsTruncate,
  subtractDecCoins,
  truncateDecCoins,
  type DecCoins,
} from '../../sdk/coins/dec-coins.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { sendFromModule } from '../bank/module-accounts.js';
import { accountText, operatorText } from '../staking/addresses.js';
import { requireDelegation, type Delegation } from '../staking/delegations.js';
import { tokensFromShares, tokensFromSharesTruncated } from '../staking/shares.js';
import type { Validator } from '../staking/validator.js';
import { requireValidator } from '../staking/validators.js';
import { addToCommunityPool } from './community-pool.js';
import {
  deleteStartingInfo,
  getStartingInfo,
  hasStartingInfo,
  setStartingInfo,
  withdrawAddressOf,
} from './delegators.js';
import { distributionErrors } from './errors.js';
import { DISTRIBUTION } from './keys.js';
import { addReference, endPeriod, removeReference } from './periods.js';
import { getCurrent, getHistorical, getOutstanding, setOutstanding } from './records.js';
import { slashEventsBetween } from './slash-events.js';

/** Allowed excess of a stake computed period by period over the current stake: 3 units of the last decimal. */
const ROUNDING = 3n;

/** Starts a delegation at the end of the last period. */
export function startDelegation(context: Context, delegator: Uint8Array, operator: Uint8Array): void {
  const previousPeriod = getCurrent(context, operator).period - 1n;
  addReference(context, operator, previousPeriod);
  const validator = requireValidator(context, operator);
  const { shares } = requireDelegation(context, delegator, operator);
  // Truncated, so that rewards never exceed what is owed.
  const stake = tokensFromSharesTruncated(validator, shares);
  setStartingInfo(context, operator, delegator, { previousPeriod, stake, height: context.height });
}

/** Rewards of a delegation up to the end of a period. */
export function delegationRewards(
  context: Context,
  validator: Validator,
  { delegator, operator, shares }: Delegation,
  endingPeriod: bigint,
): DecCoins {
  const start = getStartingInfo(context, operator, delegator);
  if (start.height === context.height) return [];
  let rewards: DecCoins = [];
  let { previousPeriod: period, stake } = start;
  // A slash happens after the allocation of its block.
  for (const slash of slashEventsBetween(context, operator, start.height, context.height)) {
    if (slash.period <= period) continue;
    rewards = addDecCoins(rewards, rewardsBetween(context, operator, period, slash.period, stake));
    stake = mulDecTruncate(stake, DEC_ONE - slash.fraction);
    period = slash.period;
  }
  const currentStake = tokensFromShares(validator, shares);
  if (stake > currentStake) {
    invariant(stake <= currentStake + ROUNDING, 'the stake of a delegation is greater than its tokens');
    stake = currentStake;
  }
  return addDecCoins(rewards, rewardsBetween(context, operator, period, endingPeriod, stake));
}

function rewardsBetween(context: Context, operator: Uint8Array, first: bigint, last: bigint, stake: bigint): DecCoins {
  invariant(first <= last && stake >= 0n, 'rewards of a period that ended');
  const starting = getHistorical(context, operator, first);
  const ending = getHistorical(context, operator, last);
  return mulDecCoinsTruncate(subtractDecCoins(ending.ratio, starting.ratio), stake);
}

/** Pays the rewards of a delegation and ends its record, until it is started again. */
export function payDelegation(context: Context, validator: Validator, delegation: Delegation): readonly Coin[] {
  const { delegator, operator } = delegation;
  if (!hasStartingInfo(context, operator, delegator)) throw new SdkError(distributionErrors.emptyDelegationInfo);
  const endingPeriod = endPeriod(context, validator);
  const owed = delegationRewards(context, validator, delegation, endingPeriod);
  const outstanding = getOutstanding(context, operator);
  // The last decimals may differ, because products are truncated in another order.
  const rewards = intersectDecCoins(owed, outstanding);
  const { whole, rest } = truncateDecCoins(rewards);
  if (whole.length > 0) sendFromModule(context, DISTRIBUTION, withdrawAddressOf(context, delegator), whole);
  setOutstanding(context, operator, subtractDecCoins(outstanding, rewards));
  addToCommunityPool(context, rest);
  removeReference(context, operator, getStartingInfo(context, operator, delegator).previousPeriod);
  deleteStartingInfo(context, operator, delegator);
  const paid = whole.length > 0 ? whole : [coin(context.chain.baseDenom, 0n)];
  emit(context, 'withdraw_rewards', () => [
    ['amount', formatCoins(paid)],
    ['validator', operatorText(context, operator)],
    ['delegator', accountText(context, delegator)],
  ]);
  return paid;
}

/** Pays a delegation's rewards so far and restarts it. */
export function withdrawRewards(context: Context, delegator: Uint8Array, operator: Uint8Array): readonly Coin[] {
  const validator = requireValidator(context, operator);
  const paid = payDelegation(context, validator, requireDelegation(context, delegator, operator));
  startDelegation(context, delegator, operator);
  return paid;
}
