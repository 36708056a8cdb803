/** `query erc20|precisebank ...`: one method each (cosmos/evm v0.6, `client/cli` of `x/erc20` and `x/precisebank`). */
import { Query as Erc20 } from '../../core/proto/cosmos/evm/erc20/v1/query_pb.js';
import { Query as PreciseBank } from '../../core/proto/cosmos/evm/precisebank/v1/query_pb.js';
import type { CommandRow } from '../table/command-table.js';
import { evmQuery, evmFirstPage } from '../table/query-rows.js';

export const commands: readonly CommandRow[] = [
  evmFirstPage('erc20 token-pairs', 'all pairs of a denom and a contract', Erc20.method.tokenPairs),
  evmQuery('erc20 token-pair <token>', 'the pair of a denom or contract', Erc20.method.tokenPair),
  evmQuery('erc20 params', 'parameters of erc20', Erc20.method.params),
  evmQuery('precisebank remainder', 'remainder of the base denom that no account has', PreciseBank.method.remainder),
  evmQuery(
    'precisebank fractional-balance <address>',
    'fraction of the base denom that an account has',
    PreciseBank.method.fractionalBalance,
    { request: async ({ address }) => ({ address: await address(0) }) },
  ),
];
