import { Query } from '../../core/proto/cosmos/bank/v1beta1/query_pb.js';
import { unary } from '../unary.js';

const { method } = Query;

/** `query bank ...`: one method of the bank module each. */
export const balance = unary(method.balance, async (input) => ({
  address: await input.address(0),
  denom: input.text(1),
}));
export const balances = unary(method.allBalances, async (input) => ({
  address: await input.address(0),
  resolveDenom: input.flags.is('resolve-denom'),
  ...input.pagination,
}));
export const denomMetadata = unary(method.denomMetadata, ({ text }) => ({ denom: text(0) }));
export const denomMetadataByQueryString = unary(method.denomMetadataByQueryString, ({ flags }) => ({
  denom: flags.needed('denom'),
}));
export const denomOwners = unary(method.denomOwners, ({ text, pagination }) => ({ denom: text(0), ...pagination }));
export const denomOwnersByQuery = unary(method.denomOwnersByQuery, ({ flags, pagination }) => ({
  denom: flags.needed('denom'),
  ...pagination,
}));
export const denomsMetadata = unary(method.denomsMetadata, ({ pagination }) => pagination);
export const params = unary(method.params, () => ({}));
export const sendEnabled = unary(method.sendEnabled, ({ text, pagination }) => ({
  denoms: text(0)
    .split(' ')
    .filter((denom) => denom !== ''),
  ...pagination,
}));
export const spendableBalance = unary(method.spendableBalanceByDenom, async (input) => ({
  address: await input.address(0),
  denom: input.text(1),
}));
export const spendableBalances = unary(method.spendableBalances, async (input) => ({
  address: await input.address(0),
  ...input.pagination,
}));
export const totalSupply = unary(method.totalSupply, ({ pagination }) => pagination);
export const totalSupplyOf = unary(method.supplyOf, ({ text }) => ({ denom: text(0) }));
