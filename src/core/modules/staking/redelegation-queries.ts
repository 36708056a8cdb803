/** Queries of redelegations (cosmos-sdk v0.53 `x/staking/keeper/grpc_query.go`). */
import * as pb from '../../proto/cosmos/staking/v1beta1/query_pb.js';
import type { PageResponse } from '../../proto/cosmos/base/query/v1beta1/pagination_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { truncateDec } from '../../sdk/coins/dec.js';
import { query } from '../../sdk/module/module.js';
import { internalPage, paginate } from '../../sdk/module/pagination.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { redelegationsFrom, redelegationsOf, STORE } from './keys.js';
import { queriedDelegator, queriedOperator } from './queried.js';
import {
  decodeRedelegation,
  getRedelegation,
  pathInSourceIndex,
  type Redelegation,
  redelegationEntryMessage,
  redelegationMessage,
} from './redelegations.js';
import { tokensFromShares } from './shares.js';
import { requireValidator } from './validators.js';

interface Found {
  readonly rows: readonly Redelegation[];
  readonly page?: PageResponse;
}

/** Redelegations of a delegator, from a validator, or between two validators. */
function find(context: Context, request: pb.QueryRedelegationsRequest): Found {
  const { delegatorAddr, srcValidatorAddr, dstValidatorAddr, pagination } = request;
  if (delegatorAddr !== '' && srcValidatorAddr !== '' && dstValidatorAddr !== '') {
    const delegator = queriedDelegator(context, delegatorAddr);
    const source = queriedOperator(context, srcValidatorAddr);
    const destination = queriedOperator(context, dstValidatorAddr);
    const found = getRedelegation(context, { delegator, source, destination });
    if (found !== undefined) return { rows: [found] };
    throw grpcError(
      'Internal',
      `rpc error: code = NotFound desc = redelegation not found for delegator address ${delegatorAddr} from validator address ${srcValidatorAddr}`,
    );
  }
  if (delegatorAddr === '' && srcValidatorAddr !== '' && dstValidatorAddr === '') {
    const source = queriedOperator(context, srcValidatorAddr);
    const prefix = redelegationsFrom(source);
    return paginate({ context, store: STORE, prefix, refuse: internalPage }, pagination, ({ key }) =>
      getRedelegation(context, pathInSourceIndex(source, key.subarray(prefix.length))),
    );
  }
  const prefix = redelegationsOf(queriedDelegator(context, delegatorAddr));
  return paginate({ context, store: STORE, prefix, refuse: internalPage }, pagination, ({ value }) =>
    decodeRedelegation(context, value),
  );
}

function redelegationResponse(context: Context, redelegation: Redelegation) {
  const validator = requireValidator(context, redelegation.destination);
  return {
    redelegation: redelegationMessage(context, { ...redelegation, entries: [] }),
    entries: redelegation.entries.map((entry) => ({
      redelegationEntry: redelegationEntryMessage({ ...entry, onHold: 0n }),
      balance: truncateDec(tokensFromShares(validator, entry.shares)).toString(),
    })),
  };
}

export const redelegationQueries = [
  query(pb.Query, 'redelegations', (context, request) => {
    try {
      const { rows, page } = find(context, request);
      const redelegationResponses = rows.map((one) => redelegationResponse(context, one));
      return { redelegationResponses, ...(page && { pagination: page }) };
    } catch (error) {
      // The SDK reports all failures here as internal errors.
      if (!isReturned(error) || error.registered.grpc !== undefined) throw error;
      throw grpcError('Internal', error.message);
    }
  }),
];
