/** Queries of erc20 (cosmos/evm v0.6 `x/erc20/keeper/grpc_query.go`). */
import * as pb from '../../proto/cosmos/evm/erc20/v1/query_pb.js';
import { isValidDenom } from '../../sdk/coins/coins.js';
import { query } from '../../sdk/module/module.js';
import { internalPage, paginate } from '../../sdk/module/pagination.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { decodeTokenPair, getFlag, hexAddress, PAIRS, STORE, tokenPairOf } from './store.js';

export const queries = [
  query(pb.Query, 'tokenPairs', (context, request) => {
    const { rows, page } = paginate(
      { context, store: STORE, prefix: PAIRS, refuse: internalPage },
      request.pagination,
      ({ value }) => decodeTokenPair(value),
    );
    return { tokenPairs: rows, pagination: page };
  }),
  query(pb.Query, 'tokenPair', (context, { token }) => {
    if (hexAddress(token) === undefined && !isValidDenom(token))
      throw grpcError(
        'InvalidArgument',
        `invalid format for token ${token}, should be either hex ('0x...') cosmos denom`,
      );
    const tokenPair = tokenPairOf(context, token);
    if (tokenPair === undefined) throw grpcError('NotFound', `token pair with token '${token}'`);
    return { tokenPair };
  }),
  query(pb.Query, 'params', (context) => ({
    params: {
      enableErc20: getFlag(context, 'enableErc20'),
      permissionlessRegistration: getFlag(context, 'permissionlessRegistration'),
    },
  })),
];
