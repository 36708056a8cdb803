/**
 * Queries of tokens over IBC (ibc-go v10 `modules/apps/transfer/keeper/grpc_query.go`). No channel of this
 * build is open: it holds no token of another chain and has none of its own in escrow.
 */
import { create, fromBinary } from '@bufbuild/protobuf';
import * as pb from '../../proto/ibc/applications/transfer/v1/query_pb.js';
import { ParamsSchema } from '../../proto/ibc/applications/transfer/v1/transfer_pb.js';
import { encodeAddress } from '../../sdk/address.js';
import { isValidDenom } from '../../sdk/coins.js';
import { query } from '../../sdk/module.js';
import { emptyPage } from '../../sdk/pagination.js';
import { grpcError } from '../../sdk/sdk-error.js';
import { getChannel } from '../ibc/channels.js';
import { requirePortAndChannel } from '../ibc/identifiers.js';
import { requirePath } from './denom.js';
import { escrowAddress } from './escrow.js';
import { requireDenomHash } from './hash.js';
import { PARAMS_KEY, STORE } from './store.js';

const PATH = '/ibc.applications.transfer.v1.Query';

export const queries = [
  query(`${PATH}/Params`, pb.QueryParamsRequestSchema, pb.QueryParamsResponseSchema, ({ store }) =>
    create(pb.QueryParamsResponseSchema, {
      params: fromBinary(ParamsSchema, store.get(STORE, PARAMS_KEY) ?? new Uint8Array()),
    }),
  ),
  query(`${PATH}/Denoms`, pb.QueryDenomsRequestSchema, pb.QueryDenomsResponseSchema, (_, { pagination }) =>
    create(pb.QueryDenomsResponseSchema, { pagination: emptyPage(pagination) }),
  ),
  query(`${PATH}/Denom`, pb.QueryDenomRequestSchema, pb.QueryDenomResponseSchema, (_, { hash }) => {
    requireDenomHash(hash);
    throw grpcError('NotFound', `${hash}: denomination not found`);
  }),
  query(`${PATH}/DenomHash`, pb.QueryDenomHashRequestSchema, pb.QueryDenomHashResponseSchema, (_, { trace }) => {
    requirePath(trace);
    throw grpcError('NotFound', `${trace}: denomination not found`);
  }),
  query(
    `${PATH}/EscrowAddress`,
    pb.QueryEscrowAddressRequestSchema,
    pb.QueryEscrowAddressResponseSchema,
    (context, request) => {
      requirePortAndChannel(request);
      if (getChannel(context, request) === undefined)
        throw grpcError('NotFound', `port ID (${request.portId}) channel ID (${request.channelId}): channel not found`);
      const account = escrowAddress((data) => context.crypto.sha256(data), request);
      return create(pb.QueryEscrowAddressResponseSchema, {
        escrowAddress: encodeAddress(context.chain.bech32Prefix, account),
      });
    },
  ),
  query(
    `${PATH}/TotalEscrowForDenom`,
    pb.QueryTotalEscrowForDenomRequestSchema,
    pb.QueryTotalEscrowForDenomResponseSchema,
    (_, { denom }) => {
      if (!isValidDenom(denom)) throw grpcError('InvalidArgument', `invalid denom: ${denom}`);
      return create(pb.QueryTotalEscrowForDenomResponseSchema, { amount: { denom, amount: '0' } });
    },
  ),
];
