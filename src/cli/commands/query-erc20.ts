/** `query erc20|precisebank ...`: one method each (cosmos/evm v0.6, `client/cli` of `x/erc20` and `x/precisebank`). */
import { Query as Erc20 } from '../../core/proto/cosmos/evm/erc20/v1/query_pb.js';
import { Query as PreciseBank } from '../../core/proto/cosmos/evm/precisebank/v1/query_pb.js';
import { evmUnary } from '../unary.js';

/** The page that is asked for without flags; the total is not. */
const DEFAULT_LIMIT = 100n;

export const tokenPairs = evmUnary(Erc20.method.tokenPairs, ({ pagination }) => ({
  pagination: { limit: DEFAULT_LIMIT, ...pagination.pagination },
}));
export const tokenPair = evmUnary(Erc20.method.tokenPair, ({ text }) => ({ token: text(0) }));
export const erc20Params = evmUnary(Erc20.method.params, () => ({}));

export const remainder = evmUnary(PreciseBank.method.remainder, () => ({}));
export const fractionalBalance = evmUnary(PreciseBank.method.fractionalBalance, async ({ address }) => ({
  address: await address(0),
}));
