/** Queries of delegations and unbonding delegations (cosmos-sdk v0.53 `x/staking/keeper/grpc_query.go`). */
import * as pb from '../../proto/cosmos/staking/v1beta1/query_pb.js';
import { coin } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { truncateDec } from '../../sdk/coins/dec.js';
import { query } from '../../sdk/module/module.js';
import { internalPage, paginate } from '../../sdk/module/pagination.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { decodeDelegation, type Delegation, delegationMessage, getDelegation } from './delegations.js';
import { stakingErrors } from './errors.js';
import { delegationsOf, delegationsTo, STORE, unbondingsFrom, unbondingsOf } from './keys.js';
import { getParams } from './params.js';
import { queriedDelegator, queriedOperator, queriedPair, requireGiven } from './queried.js';
import { tokensFromShares } from './shares.js';
import { decodeUnbonding, getUnbonding, unbondingMessage } from './unbonding-delegations.js';
import { validatorMessage } from './validator.js';
import { getValidator, requireValidator } from './validators.js';

/** A delegation with its value in tokens. */
function delegationResponse(context: Context, delegation: Delegation) {
  const validator = requireValidator(context, delegation.operator);
  return {
    delegation: delegationMessage(context, delegation),
    balance: coin(getParams(context).bondDenom, truncateDec(tokensFromShares(validator, delegation.shares))),
  };
}

export const delegationQueries = [
  query(pb.Query, 'delegation', (context, request) => {
    const { delegator, operator } = queriedPair(context, request);
    const delegation = getDelegation(context, delegator, operator);
    if (delegation === undefined) {
      throw grpcError(
        'NotFound',
        `delegation with delegator ${request.delegatorAddr} not found for validator ${request.validatorAddr}`,
      );
    }
    return { delegationResponse: delegationResponse(context, delegation) };
  }),
  query(pb.Query, 'unbondingDelegation', (context, request) => {
    const { delegator, operator } = queriedPair(context, request);
    const unbonding = getUnbonding(context, delegator, operator);
    if (unbonding === undefined) {
      throw grpcError(
        'NotFound',
        `unbonding delegation with delegator ${request.delegatorAddr} not found for validator ${request.validatorAddr}`,
      );
    }
    return { unbond: unbondingMessage(context, unbonding) };
  }),
  query(pb.Query, 'delegatorDelegations', (context, { delegatorAddr, pagination }) => {
    requireGiven('delegator', delegatorAddr);
    const prefix = delegationsOf(queriedDelegator(context, delegatorAddr));
    return paginate({ context, store: STORE, prefix, refuse: internalPage }, pagination, ({ value }) =>
      delegationResponse(context, decodeDelegation(context, value)),
    );
  }),
  query(pb.Query, 'validatorDelegations', (context, { validatorAddr, pagination }) => {
    requireGiven('validator', validatorAddr);
    const operator = queriedOperator(context, validatorAddr);
    const prefix = delegationsTo(operator);
    return paginate({ context, store: STORE, prefix, refuse: internalPage }, pagination, ({ key }) => {
      const delegation = getDelegation(context, key.subarray(prefix.length), operator);
      return delegation && delegationResponse(context, delegation);
    });
  }),
  query(pb.Query, 'delegatorUnbondingDelegations', (context, { delegatorAddr, pagination }) => {
    requireGiven('delegator', delegatorAddr);
    const prefix = unbondingsOf(queriedDelegator(context, delegatorAddr));
    return paginate({ context, store: STORE, prefix, refuse: internalPage }, pagination, ({ value }) =>
      unbondingMessage(context, decodeUnbonding(context, value)),
    );
  }),
  query(pb.Query, 'validatorUnbondingDelegations', (context, { validatorAddr, pagination }) => {
    requireGiven('validator', validatorAddr);
    const operator = queriedOperator(context, validatorAddr);
    const prefix = unbondingsFrom(operator);
    return paginate({ context, store: STORE, prefix, refuse: internalPage }, pagination, ({ key }) => {
      const unbonding = getUnbonding(context, key.subarray(prefix.length + 1), operator);
      return unbonding && unbondingMessage(context, unbonding);
    });
  }),
  query(pb.Query, 'delegatorValidator', (context, request) => {
    const { delegator, operator } = queriedPair(context, request);
    if (getDelegation(context, delegator, operator) === undefined)
      throw grpcError('Internal', stakingErrors.noDelegation.text);
    const validator = getValidator(context, operator);
    if (validator === undefined) throw grpcError('Internal', stakingErrors.noValidator.text);
    return { validator: validatorMessage(context, validator) };
  }),
  query(pb.Query, 'delegatorValidators', (context, { delegatorAddr, pagination }) => {
    requireGiven('delegator', delegatorAddr);
    const prefix = delegationsOf(queriedDelegator(context, delegatorAddr));
    return paginate({ context, store: STORE, prefix, refuse: internalPage }, pagination, ({ value }) =>
      validatorMessage(context, requireValidator(context, decodeDelegation(context, value).operator)),
    );
  }),
];
