/**
 * Queries of precisebank (cosmos/evm v0.6 `x/precisebank/keeper/grpc_query.go`). A coin with 18 decimals has no
 * fractions.
 */
import { coin } from '../../../sdk/coins/coins.js';
import { readBech32Address } from '../../../sdk/codec/bech32-address.js';
import { query } from '../../../sdk/module/module.js';
import * as pb from '../../../proto/cosmos/evm/precisebank/v1/query_pb.js';
import { evmDenom } from '../../../sdk/coins/evm-coin.js';
import { getFraction, getRemainder } from './fractions.js';

export const queries = [
  query(pb.Query, 'remainder', (context) => ({ remainder: coin(evmDenom(context), getRemainder(context)) })),
  query(pb.Query, 'fractionalBalance', (context, { address }) => {
    const owner = readBech32Address(context.chain.bech32Prefix, address);
    if (!owner.ok) throw owner.error;
    return {
      fractionalBalance: coin(evmDenom(context), getFraction(context, owner.bytes)),
    };
  }),
];
