/** Queries of the distribution (cosmos-sdk v0.53 `x/distribution/keeper/grpc_query.go`). */
import { addressKey } from '../../bytes/address-key.js';
import * as pb from '../../proto/cosmos/distribution/v1beta1/query_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { parseAddress } from '../../sdk/codec/address.js';
import { addDecCoins, decCoinMessages, type DecCoins } from '../../sdk/coins/dec-coins.js';
import { query } from '../../sdk/module/module.js';
import { paginate } from '../../sdk/module/pagination.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { requireQueriedAddress } from '../queried-address.js';
import { accountText, operatorText } from '../staking/addresses.js';
import { delegationsOfDelegator, requireDelegation, type Delegation } from '../staking/delegations.js';
import type { Validator } from '../staking/validator.js';
import { requireValidator } from '../staking/validators.js';
import { getCommunityPool } from './community-pool.js';
import { delegationRewards } from './delegation-rewards.js';
import { withdrawAddressOf } from './delegators.js';
import { SLASH_EVENT_PREFIX, STORE } from './keys.js';
import { getParams, paramsMessage } from './params.js';
import { endPeriod } from './periods.js';
import { getCommission, getOutstanding } from './records.js';
import { decodeSlashEvent, slashEventMessage } from './slash-events.js';

function requireOperator({ chain }: Context, text: string): Uint8Array {
  if (text === '') throw grpcError('InvalidArgument', 'empty validator address');
  return requireQueriedAddress(`${chain.bech32Prefix}valoper`, text);
}

function requireDelegator({ chain }: Context, text: string): Uint8Array {
  if (text === '') throw grpcError('InvalidArgument', 'empty delegator address');
  return requireQueriedAddress(chain.bech32Prefix, text);
}

/** Rewards of a delegation so far. Writes of a query are discarded. */
function rewardsOf(context: Context, validator: Validator, delegation: Delegation): DecCoins {
  return delegationRewards(context, validator, delegation, endPeriod(context, validator));
}

export const queries = [
  query(pb.Query, 'params', (context) => ({ params: paramsMessage(getParams(context)) })),
  query(pb.Query, 'validatorDistributionInfo', (context, { validatorAddress }) => {
    const operator = requireOperator(context, validatorAddress);
    const validator = requireValidator(context, operator);
    const rewards = rewardsOf(context, validator, requireDelegation(context, operator, operator));
    return {
      operatorAddress: accountText(context, operator),
      selfBondRewards: decCoinMessages(rewards),
      commission: decCoinMessages(getCommission(context, operator)),
    };
  }),
  query(pb.Query, 'validatorOutstandingRewards', (context, { validatorAddress }) => {
    const { operator } = requireValidator(context, requireOperator(context, validatorAddress));
    const rewards = { rewards: decCoinMessages(getOutstanding(context, operator)) };
    return { rewards };
  }),
  query(pb.Query, 'validatorCommission', (context, { validatorAddress }) => {
    const { operator } = requireValidator(context, requireOperator(context, validatorAddress));
    const commission = { commission: decCoinMessages(getCommission(context, operator)) };
    return { commission };
  }),
  query(pb.Query, 'validatorSlashes', (context, { validatorAddress, startingHeight, endingHeight, pagination }) => {
    if (validatorAddress === '') throw grpcError('InvalidArgument', 'empty validator address');
    if (endingHeight < startingHeight)
      throw grpcError(
        'InvalidArgument',
        `starting height greater than ending height (${startingHeight} > ${endingHeight})`,
      );
    const prefix = addressKey(SLASH_EVENT_PREFIX, slashedOperator(context, validatorAddress));
    return paginate({ context, store: STORE, prefix }, pagination, ({ key, value }) => {
      const event = decodeSlashEvent(key, value);
      // The SDK compares periods, not heights, with the requested heights.
      return event.period < startingHeight || event.period > endingHeight ? undefined : slashEventMessage(event);
    });
  }),
  query(pb.Query, 'delegationRewards', (context, { delegatorAddress, validatorAddress }) => {
    if (delegatorAddress === '') throw grpcError('InvalidArgument', 'empty delegator address');
    const validator = requireValidator(context, requireOperator(context, validatorAddress));
    const delegator = requireDelegator(context, delegatorAddress);
    const rewards = rewardsOf(context, validator, requireDelegation(context, delegator, validator.operator));
    return { rewards: decCoinMessages(rewards) };
  }),
  query(pb.Query, 'delegationTotalRewards', (context, { delegatorAddress }) => {
    const delegator = requireDelegator(context, delegatorAddress);
    let total: DecCoins = [];
    const rewards = [...delegationsOfDelegator(context, delegator)].map((delegation) => {
      const earned = rewardsOf(context, requireValidator(context, delegation.operator), delegation);
      total = addDecCoins(total, earned);
      return { validatorAddress: operatorText(context, delegation.operator), reward: decCoinMessages(earned) };
    });
    return { rewards, total: decCoinMessages(total) };
  }),
  query(pb.Query, 'delegatorValidators', (context, { delegatorAddress }) => {
    const delegations = delegationsOfDelegator(context, requireDelegator(context, delegatorAddress));
    const validators = Array.from(delegations, ({ operator }) => operatorText(context, operator));
    return { validators };
  }),
  query(pb.Query, 'delegatorWithdrawAddress', (context, { delegatorAddress }) => {
    const address = withdrawAddressOf(context, requireDelegator(context, delegatorAddress));
    return { withdrawAddress: accountText(context, address) };
  }),
  query(pb.Query, 'communityPool', (context) => ({ pool: decCoinMessages(getCommunityPool(context)) })),
];

function slashedOperator({ chain }: Context, text: string): Uint8Array {
  const operator = parseAddress(`${chain.bech32Prefix}valoper`, text);
  if (operator === undefined) throw grpcError('InvalidArgument', 'invalid validator address');
  return operator;
}
