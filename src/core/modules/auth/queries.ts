import { FIXED_LIMITS } from '../../limits/limits.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { query } from '../../sdk/module/module.js';
import { paginateCollection } from '../../sdk/module/pagination.js';
import { grpcError, plainError } from '../../sdk/module/sdk-error.js';
import * as pb from '../../proto/cosmos/auth/v1beta1/query_pb.js';
import { requireQueriedAddress } from '../queried-address.js';
import {
  ACCOUNT_PREFIX,
  decodeAccount,
  ensureModuleAccount,
  getAccount,
  getParams,
  numberKey,
  packAccount,
  requireAccount,
  STORE,
  type Account,
} from './accounts.js';

function requireQueried(context: Context, address: string, what: 'Address' | 'address'): Account {
  if (address === '') throw grpcError('InvalidArgument', `${what} cannot be empty`);
  const account = getAccount(context, requireQueriedAddress(context.chain.bech32Prefix, address));
  if (account === undefined) throw grpcError('NotFound', `account ${address} not found`);
  return account;
}

/**
 * Returns a module account; one that does not exist yet is shown as it would be created, like in the SDK. Writes of a
 * query are discarded.
 */
function moduleAccount(context: Context, name: string): Account {
  return requireAccount(context, ensureModuleAccount(context, name));
}

export const queries = [
  query(pb.Query, 'account', (context, { address }) => ({
    account: packAccount(requireQueried(context, address, 'Address')),
  })),
  query(pb.Query, 'accountInfo', (context, { address }) => ({
    info: { ...requireQueried(context, address, 'address').base, address },
  })),
  query(pb.Query, 'accounts', (context, { pagination }) =>
    paginateCollection({ context, store: STORE, prefix: ACCOUNT_PREFIX, isWhole: true }, pagination, ({ value }) =>
      packAccount(decodeAccount(value)),
    ),
  ),
  query(pb.Query, 'accountAddressByID', (context, { id, accountId }) => {
    if (id !== 0n)
      throw grpcError('InvalidArgument', "requesting with id isn't supported, try to request using account-id");
    const address = context.store.get(STORE, numberKey(accountId));
    if (address === undefined)
      throw grpcError('NotFound', `account address not found with account number ${accountId}`);
    return {
      accountAddress: encodeAddress(context.chain.bech32Prefix, address),
    };
  }),
  query(pb.Query, 'params', (context) => ({ params: getParams(context) })),
  query(pb.Query, 'moduleAccounts', (context) => {
    const accounts = Object.keys(context.version.moduleAccounts)
      .sort()
      .map((name) => packAccount(moduleAccount(context, name)));
    return { accounts };
  }),
  query(pb.Query, 'moduleAccountByName', (context, { name }) => {
    if (name === '') throw grpcError('InvalidArgument', 'module name is empty');
    if (!Object.hasOwn(context.version.moduleAccounts, name)) throw grpcError('NotFound', `account ${name} not found`);
    return { account: packAccount(moduleAccount(context, name)) };
  }),
  query(pb.Query, 'bech32Prefix', ({ chain }) => ({ bech32Prefix: chain.bech32Prefix })),
  query(pb.Query, 'addressBytesToString', ({ chain }, { addressBytes }) => {
    if (addressBytes.length === 0) throw plainError('empty address bytes is not allowed');
    if (addressBytes.length > FIXED_LIMITS.addressBytes)
      throw plainError(`limit addressBytes (${FIXED_LIMITS.addressBytes}) exceeded`);
    return {
      addressString: encodeAddress(chain.bech32Prefix, addressBytes),
    };
  }),
  query(pb.Query, 'addressStringToBytes', ({ chain }, { addressString }) => {
    if (isBlank(addressString)) throw plainError('empty address string is not allowed');
    return {
      addressBytes: requireQueriedAddress(chain.bech32Prefix, addressString),
    };
  }),
];
