/** Queries of validators, pools and parameters (cosmos-sdk v0.53 `x/staking/keeper/grpc_query.go`). */
import * as pb from '../../proto/cosmos/staking/v1beta1/query_pb.js';
import { BondStatus as Status } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { query } from '../../sdk/module/module.js';
import { internalPage, paginate } from '../../sdk/module/pagination.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { delegationQueries } from './delegation-queries.js';
import { getHistoricalInfo } from './historical-info.js';
import { STORE, VALIDATOR_PREFIX } from './keys.js';
import { getParams, paramsMessage } from './params.js';
import { BONDED_POOL, NOT_BONDED_POOL, poolTokens } from './pools.js';
import { queriedOperator, requireGiven, requireQueriedValidator } from './queried.js';
import { redelegationQueries } from './redelegation-queries.js';
import { decodeValidator, validatorMessage } from './validator.js';

const STATUSES: Readonly<Record<string, Status>> = {
  BOND_STATUS_BONDED: Status.BONDED,
  BOND_STATUS_UNBONDED: Status.UNBONDED,
  BOND_STATUS_UNBONDING: Status.UNBONDING,
};

export const queries = [
  query(pb.Query, 'validators', (context, { status, pagination }) => {
    const filter = STATUSES[status];
    if (status !== '' && filter === undefined) throw grpcError('InvalidArgument', `invalid validator status ${status}`);
    return paginate(
      { context, store: STORE, prefix: VALIDATOR_PREFIX, refuse: internalPage },
      pagination,
      ({ value }) => {
        const validator = decodeValidator(context, value);
        return filter === undefined || validator.status === filter ? validatorMessage(context, validator) : undefined;
      },
    );
  }),
  query(pb.Query, 'validator', (context, { validatorAddr }) => {
    requireGiven('validator', validatorAddr);
    const validator = requireQueriedValidator(context, queriedOperator(context, validatorAddr), validatorAddr);
    return { validator: validatorMessage(context, validator) };
  }),
  query(pb.Query, 'historicalInfo', (context, { height }) => {
    if (height < 0n) throw grpcError('InvalidArgument', 'height cannot be negative');
    const hist = getHistoricalInfo(context, height);
    if (hist === undefined) throw grpcError('NotFound', `historical info for height ${height} not found`);
    return { hist };
  }),
  query(pb.Query, 'pool', (context) => ({
    pool: {
      notBondedTokens: poolTokens(context, NOT_BONDED_POOL).toString(),
      bondedTokens: poolTokens(context, BONDED_POOL).toString(),
    },
  })),
  query(pb.Query, 'params', (context) => ({ params: paramsMessage(getParams(context)) })),
  ...delegationQueries,
  ...redelegationQueries,
];
