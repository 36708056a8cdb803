/** `query erc20|precisebank ...`: one method each (cosmos/evm v0.6, `client/cli` of `x/erc20` and `x/precisebank`). */
import { Query as Erc20 } from '../../core/proto/cosmos/evm/erc20/v1/query_pb.js';
import { Query as PreciseBank } from '../../core/proto/cosmos/evm/precisebank/v1/query_pb.js';
import type { CommandRow } from '../command-table.js';
import { firstPage } from '../first-page.js';
import { account, evmPaged, evmQuery, text } from '../query-rows.js';

export const commands: readonly CommandRow[] = [
  evmPaged('erc20 token-pairs', 'all pairs of a denom and a contract', Erc20.method.tokenPairs, firstPage),
  evmQuery('erc20 token-pair <token>', 'the pair of a denom or contract', Erc20.method.tokenPair, { token: text }),
  evmQuery('erc20 params', 'parameters of erc20', Erc20.method.params),
  evmQuery('precisebank remainder', 'remainder of the base denom that no account has', PreciseBank.method.remainder),
  evmQuery(
    'precisebank fractional-balance <address>',
    'fraction of the base denom that an account has',
    PreciseBank.method.fractionalBalance,
    { address: account },
  ),
];
