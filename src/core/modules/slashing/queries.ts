/** Queries of slashing (cosmos-sdk v0.53 `x/slashing/keeper/grpc_query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import * as pb from '../../proto/cosmos/slashing/v1beta1/query_pb.js';
import { ValidatorSigningInfoSchema } from '../../proto/cosmos/slashing/v1beta1/slashing_pb.js';
import { query } from '../../sdk/module/module.js';
import { paginate } from '../../sdk/module/pagination.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { requireQueriedAddress } from '../queried-address.js';
import { SIGNING_INFO_PREFIX, STORE } from './keys.js';
import { getParams, paramsMessage } from './params.js';
import { getSigningInfo, signingInfoMessage } from './signing-info.js';

export const queries = [
  query(pb.Query, 'params', (context) => ({ params: paramsMessage(getParams(context)) })),
  query(pb.Query, 'signingInfo', (context, { consAddress }) => {
    if (consAddress === '') throw grpcError('InvalidArgument', 'invalid request');
    const consensus = requireQueriedAddress(`${context.chain.bech32Prefix}valcons`, consAddress);
    const info = getSigningInfo(context, consensus);
    if (info === undefined) throw grpcError('NotFound', `SigningInfo not found for validator ${consAddress}`);
    return { valSigningInfo: signingInfoMessage(context, info) };
  }),
  query(pb.Query, 'signingInfos', (context, { pagination }) => {
    const { rows, page } = paginate({ context, store: STORE, prefix: SIGNING_INFO_PREFIX }, pagination, ({ value }) =>
      fromBinary(ValidatorSigningInfoSchema, value),
    );
    return { info: rows, pagination: page };
  }),
];
