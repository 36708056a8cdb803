import { create, fromBinary } from '@bufbuild/protobuf';
import { encodeAddress } from '../../sdk/codec/address.js';
import { text } from '../../bytes/bytes.js';
import { coin, isValidDenom } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { query } from '../../sdk/module/module.js';
import { internalPage, paginate, paginateCollection } from '../../sdk/module/pagination.js';
import { grpcError, SdkError } from '../../sdk/module/sdk-error.js';
import { MetadataSchema, SendEnabledSchema, type Metadata } from '../../proto/cosmos/bank/v1beta1/bank_pb.js';
import * as pb from '../../proto/cosmos/bank/v1beta1/query_pb.js';
import type { PageRequest } from '../../proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { requireQueriedAddress } from '../queried-address.js';
import {
  balancesOf,
  decodeAmount,
  getBalance,
  getMetadata,
  getParams,
  getSendEnabled,
  getSupply,
  isEnabled,
  METADATA_PREFIX,
  ownersOf,
  SEND_ENABLED_PREFIX,
  STORE,
  SUPPLY_PREFIX,
} from './balances.js';
import { getSpendable } from './spendable.js';

function requireHolder(context: Context, address: string): Uint8Array {
  try {
    return requireQueriedAddress(context.chain.bech32Prefix, address);
  } catch (error) {
    throw error instanceof SdkError ? grpcError('InvalidArgument', `invalid address: ${error.message}`) : error;
  }
}

function requireDenom(denom: string): void {
  if (!isValidDenom(denom)) throw grpcError('InvalidArgument', `invalid denom: ${denom}`);
}

const balancesPage = (text: string): SdkError => grpcError('InvalidArgument', `paginate: ${text}`);

function balances(context: Context, address: string, pagination: PageRequest | undefined) {
  const prefix = balancesOf(requireHolder(context, address));
  return paginateCollection(
    { context, store: STORE, prefix, refuse: balancesPage, isWhole: true },
    pagination,
    ({ key, value }) => coin(text(key.subarray(prefix.length)), decodeAmount(value)),
  );
}

function owners(
  context: Context,
  { denom, pagination }: pb.QueryDenomOwnersRequest | pb.QueryDenomOwnersByQueryRequest,
) {
  requireDenom(denom);
  const prefix = ownersOf(denom);
  return paginateCollection({ context, store: STORE, prefix, isWhole: true }, pagination, ({ key }) => {
    const holder = key.subarray(prefix.length + 1);
    return create(pb.DenomOwnerSchema, {
      address: encodeAddress(context.chain.bech32Prefix, holder),
      balance: coin(denom, getBalance(context, holder, denom)),
    });
  });
}

function metadata(context: Context, denom: string): Metadata {
  requireDenom(denom);
  const found = getMetadata(context, denom);
  if (found === undefined) throw grpcError('NotFound', `client metadata for denom ${denom}`);
  return found;
}

export const queries = [
  query(pb.Query, 'balance', (context, { address, denom }) => {
    requireDenom(denom);
    return { balance: coin(denom, getBalance(context, requireHolder(context, address), denom)) };
  }),
  query(pb.Query, 'allBalances', (context, { address, pagination, resolveDenom }) => {
    const { rows, page } = balances(context, address, pagination);
    const shown = resolveDenom
      ? rows.map(({ denom, amount }) => coin(getMetadata(context, denom)?.display ?? denom, BigInt(amount)))
      : rows;
    return { balances: shown, pagination: page };
  }),
  query(pb.Query, 'spendableBalances', (context, { address, pagination }) => {
    const holder = requireHolder(context, address);
    const { rows, page } = balances(context, address, pagination);
    const spendable = rows.map(({ denom }) => coin(denom, getSpendable(context, holder, denom)));
    return { balances: spendable, pagination: page };
  }),
  query(pb.Query, 'spendableBalanceByDenom', (context, { address, denom }) => {
    const holder = requireHolder(context, address);
    requireDenom(denom);
    return { balance: coin(denom, getSpendable(context, holder, denom)) };
  }),
  query(pb.Query, 'totalSupply', (context, { pagination }) =>
    paginateCollection(
      { context, store: STORE, prefix: SUPPLY_PREFIX, refuse: internalPage, isWhole: true },
      pagination,
      ({ key, value }) => coin(text(key.subarray(1)), decodeAmount(value)),
    ),
  ),
  query(pb.Query, 'supplyOf', (context, { denom }) => {
    requireDenom(denom);
    return { amount: coin(denom, getSupply(context, denom)) };
  }),
  query(pb.Query, 'params', (context) => ({ params: getParams(context) })),
  query(pb.Query, 'denomMetadata', (context, { denom }) => ({ metadata: metadata(context, denom) })),
  query(pb.Query, 'denomMetadataByQueryString', (context, { denom }) => ({ metadata: metadata(context, denom) })),
  query(pb.Query, 'denomsMetadata', (context, { pagination }) =>
    paginate({ context, store: STORE, prefix: METADATA_PREFIX, refuse: internalPage }, pagination, ({ value }) =>
      fromBinary(MetadataSchema, value),
    ),
  ),
  query(pb.Query, 'denomOwners', owners),
  query(pb.Query, 'denomOwnersByQuery', owners),
  query(pb.Query, 'sendEnabled', (context, { denoms, pagination }) => {
    if (denoms.length > 0) {
      const sendEnabled = denoms.flatMap((denom) => {
        const enabled = getSendEnabled(context, denom);
        return enabled === undefined ? [] : [create(SendEnabledSchema, { denom, enabled })];
      });
      return { sendEnabled };
    }
    const { rows, page } = paginateCollection(
      { context, store: STORE, prefix: SEND_ENABLED_PREFIX, refuse: internalPage },
      pagination,
      ({ key, value }) => create(SendEnabledSchema, { denom: text(key.subarray(1)), enabled: isEnabled(value) }),
    );
    return { sendEnabled: rows, pagination: page };
  }),
];
