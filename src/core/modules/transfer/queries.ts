/** Queries of tokens over IBC (ibc-go v10 `modules/apps/transfer/keeper/grpc_query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { upperHex } from '../../bytes/hex.js';
import * as pb from '../../proto/ibc/applications/transfer/v1/query_pb.js';
import { ParamsSchema } from '../../proto/ibc/applications/transfer/v1/transfer_pb.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { coin, isValidDenom } from '../../sdk/coins/coins.js';
import { has } from '../../sdk/module/gas.js';
import { query } from '../../sdk/module/module.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { getChannel } from '../ibc/channel/channels.js';
import { requirePortAndChannel } from '../ibc/identifiers.js';
import { denomHash, requirePath } from './denom.js';
import { denomsOfPage, getDenom } from './denoms.js';
import { escrowAddress } from './escrow.js';
import { requireDenomHash } from './hash.js';
import { denomKey, PARAMS_KEY, STORE } from './store.js';
import { getTotalEscrow } from './total-escrow.js';

export const queries = [
  query(pb.Query, 'params', ({ store }) => ({
    params: fromBinary(ParamsSchema, store.get(STORE, PARAMS_KEY) ?? new Uint8Array()),
  })),
  query(pb.Query, 'denoms', (context, request) => {
    const { rows, page } = denomsOfPage(context, request.pagination);
    return { denoms: rows, pagination: page };
  }),
  query(pb.Query, 'denom', (context, { hash }) => {
    const denom = getDenom(context, requireDenomHash(hash));
    if (denom === undefined) throw grpcError('NotFound', `${hash}: denomination not found`);
    return { denom };
  }),
  query(pb.Query, 'denomHash', (context, { trace }) => {
    const hash = denomHash((data) => context.crypto.sha256(data), requirePath(trace));
    if (!has(context.store, STORE, denomKey(hash))) throw grpcError('NotFound', `${trace}: denomination not found`);
    return { hash: upperHex(hash) };
  }),
  query(pb.Query, 'escrowAddress', (context, request) => {
    requirePortAndChannel(request);
    if (getChannel(context, request) === undefined)
      throw grpcError('NotFound', `port ID (${request.portId}) channel ID (${request.channelId}): channel not found`);
    const account = escrowAddress((data) => context.crypto.sha256(data), request);
    return {
      escrowAddress: encodeAddress(context.chain.bech32Prefix, account),
    };
  }),
  query(pb.Query, 'totalEscrowForDenom', (context, { denom }) => {
    if (!isValidDenom(denom)) throw grpcError('InvalidArgument', `invalid denom: ${denom}`);
    return { amount: coin(denom, getTotalEscrow(context, denom)) };
  }),
];
