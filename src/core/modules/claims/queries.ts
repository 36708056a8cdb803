/** Queries of claims (evmos v3.0.0 `x/claims/keeper/grpc_query.go`). */
import * as pb from '../../proto/evmos/claims/v1/query_pb.js';
import { encodeAddress, moduleAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { query } from '../../sdk/module/module.js';
import { internalPage, paginate } from '../../sdk/module/pagination.js';
import { grpcError, SdkError } from '../../sdk/module/sdk-error.js';
import { allBalances } from '../bank/balances.js';
import { requireQueriedAddress } from '../queried-address.js';
import { claimableAmount } from './claim.js';
import { CLAIMS, defaultParams, getParams, paramsMessage, STORE, type ClaimsParams } from './params.js';
import { ACTIONS, decodeRecord, getRecord, hasClaimed, RECORD_PREFIX } from './records.js';

const paramsOf = (context: Context): ClaimsParams => getParams(context) ?? defaultParams(context.chain.baseDenom);

function addressOf({ chain }: Context, text: string): Uint8Array {
  try {
    return requireQueriedAddress(chain.bech32Prefix, text);
  } catch (error) {
    throw error instanceof SdkError ? grpcError('InvalidArgument', error.message) : error;
  }
}

export const queries = [
  query(pb.Query, 'totalUnclaimed', (context) => ({
    coins: allBalances(context, moduleAddress(context.crypto, CLAIMS)),
  })),
  query(pb.Query, 'params', (context) => ({ params: paramsMessage(paramsOf(context)) })),
  query(pb.Query, 'claimsRecords', (context, { pagination }) => {
    const list = { context, store: STORE, prefix: RECORD_PREFIX, refuse: internalPage };
    const { rows, page } = paginate(list, pagination, ({ key, value }) => {
      const { initial, completed } = decodeRecord(value);
      return {
        address: encodeAddress(context.chain.bech32Prefix, key.slice(1)),
        initialClaimableAmount: initial.toString(),
        actionsCompleted: [...completed],
      };
    });
    return { claims: rows, pagination: page };
  }),
  query(pb.Query, 'claimsRecord', (context, { address }) => {
    const record = getRecord(context, addressOf(context, address));
    if (record === undefined) throw grpcError('NotFound', `claims record for address '${address}'`);
    const params = paramsOf(context);
    return {
      initialClaimableAmount: record.initial.toString(),
      claims: ACTIONS.map((action) => ({
        action,
        completed: hasClaimed(record, action),
        claimableAmount: claimableAmount(record, action, params, context.time).claimable.toString(),
      })),
    };
  }),
];
