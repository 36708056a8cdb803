/** Queries of feegrant (cosmossdk.io/x/feegrant v0.2.0 `keeper/grpc_query.go`). */
import { create } from '@bufbuild/protobuf';
import { equal } from '../../bytes/bytes.js';
import { GrantSchema } from '../../proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import * as pb from '../../proto/cosmos/feegrant/v1beta1/query_pb.js';
import { query } from '../../sdk/module/module.js';
import { internalPage, paginate } from '../../sdk/module/pagination.js';
import { grpcError, SdkError } from '../../sdk/module/sdk-error.js';
import { requireQueriedAddress } from '../queried-address.js';
import { decodeGrant, requireAllowance } from './grants.js';
import { ALLOWANCE_PREFIX, allowancesOf, granterOf, STORE, type Pair } from './keys.js';
import type { Context } from '../../sdk/module/context.js';
import type { Allowance } from './allowance.js';

const allowance = query(pb.Query, 'allowance', (context, { granter, grantee }) => {
  const prefix = context.chain.bech32Prefix;
  const pair = { granter: requireQueriedAddress(prefix, granter), grantee: requireQueriedAddress(prefix, grantee) };
  const { any } = queried(context, pair);
  return {
    allowance: create(GrantSchema, { granter, grantee, allowance: any }),
  };
});

/** Allowance between two accounts; like the SDK, fails with status Internal when there is none. */
function queried(context: Context, pair: Pair): Allowance {
  try {
    return requireAllowance(context, pair);
  } catch (error) {
    throw error instanceof SdkError ? grpcError('Internal', error.message) : error;
  }
}

const allowances = query(pb.Query, 'allowances', (context, { grantee, pagination }) => {
  const prefix = allowancesOf(requireQueriedAddress(context.chain.bech32Prefix, grantee));
  return paginate({ context, store: STORE, prefix, refuse: internalPage }, pagination, ({ value }) =>
    decodeGrant(value),
  );
});

const allowancesByGranter = query(pb.Query, 'allowancesByGranter', (context, { granter, pagination }) => {
  const granterAddress = requireQueriedAddress(context.chain.bech32Prefix, granter);
  return paginate(
    { context, store: STORE, prefix: ALLOWANCE_PREFIX, refuse: internalPage },
    pagination,
    ({ key, value }) => (equal(granterOf(key), granterAddress) ? decodeGrant(value) : undefined),
  );
});

export const queries = [allowance, allowances, allowancesByGranter];
