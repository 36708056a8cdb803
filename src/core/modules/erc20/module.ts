/** Token pairs of coins and ERC-20 contracts (cosmos/evm v0.6 `x/erc20`). */
import { file_cosmos_evm_erc20_v1_tx } from '../../proto/cosmos/evm/erc20/v1/tx_pb.js';
import { type Module, query } from '../../sdk/module/module.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { messages } from './messages.js';
import { PAIRS, STORE, decodeTokenPair, getFlag, hexAddress, tokenPairOf } from './store.js';
import * as pb from '../../proto/cosmos/evm/erc20/v1/query_pb.js';
import { isValidDenom } from '../../sdk/coins/coins.js';
import { internalPage, paginate } from '../../sdk/module/pagination.js';
import { grpcError } from '../../sdk/module/sdk-error.js';

/** Queries of erc20 (cosmos/evm v0.6 `x/erc20/keeper/grpc_query.go`). */
const queries = [
  query(pb.Query, 'tokenPairs', (context, request) =>
    paginate({ context, store: STORE, prefix: PAIRS, refuse: internalPage }, request.pagination, ({ value }) =>
      decodeTokenPair(value),
    ),
  ),
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

export const erc20Module: Module = {
  name: 'erc20',
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis,
  messages,
  queries,
  types: [file_cosmos_evm_erc20_v1_tx],
};
