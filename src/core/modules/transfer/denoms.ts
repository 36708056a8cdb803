/** Stored denoms of other chains' tokens (ibc-go v10 `modules/apps/transfer/keeper/keeper.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { compare, utf8 } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { MetadataSchema } from '../../proto/cosmos/bank/v1beta1/bank_pb.js';
import type { PageRequest } from '../../proto/cosmos/base/query/v1beta1/pagination_pb.js';
import { DenomSchema, type Denom } from '../../proto/ibc/applications/transfer/v1/token_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { upperCase } from '../../sdk/go/go-case.js';
import { type Page, paginate } from '../../sdk/module/pagination.js';
import { has } from '../../sdk/module/gas.js';
import { hasMetadata, setMetadata } from '../bank/balances.js';
import { denomHash, localDenom, pathOf, type Denom as Trace } from './denom.js';
import { DENOM_PREFIX, denomKey, STORE } from './store.js';

type Reading = Pick<Context, 'store'>;

/** Denom by the sha256 of its path; undefined when there is none. */
export function getDenom({ store }: Reading, hash: Uint8Array): Denom | undefined {
  const value = store.get(STORE, denomKey(hash));
  return value === undefined ? undefined : fromBinary(DenomSchema, value);
}

/** Stores a denom, and metadata of its coins in bank. */
export function setDenom(context: Context, denom: Denom): void {
  const hash = denomHash((data) => context.crypto.sha256(data), denom);
  context.store.set(STORE, denomKey(hash), toBinary(DenomSchema, denom));
  setDenomMetadata(context, denom);
}

/** Stores a denom and metadata of its coins if they are missing. */
export function setVoucher(context: Context, voucher: Trace): void {
  const sha256 = (data: Uint8Array): Uint8Array => context.crypto.sha256(data);
  const key = denomKey(denomHash(sha256, voucher));
  const denom = create(DenomSchema, {
    base: voucher.base,
    trace: voucher.trace.map(({ portId, channelId }) => ({ portId, channelId })),
  });
  if (!has(context.store, STORE, key)) context.store.set(STORE, key, toBinary(DenomSchema, denom));
  if (!hasMetadata(context, localDenom(sha256, voucher))) setDenomMetadata(context, denom);
}

function setDenomMetadata(context: Context, denom: Denom): void {
  const sha256 = (data: Uint8Array): Uint8Array => context.crypto.sha256(data);
  const path = pathOf(denom);
  setMetadata(
    context,
    create(MetadataSchema, {
      description: `IBC token from ${path}`,
      denomUnits: [{ denom: denom.base }],
      base: localDenom(sha256, denom),
      display: path,
      name: `${path} IBC token`,
      symbol: upperCase(denom.base),
    }),
  );
}

/** All denoms, sorted by base denom. */
export function allDenoms({ store }: Reading): readonly Denom[] {
  return Array.from(store.range(STORE, prefixRange(DENOM_PREFIX)), ({ value }) =>
    fromBinary(DenomSchema, value),
  ).toSorted(byBase);
}

/** One page in hash order, sorted by denom. */
export function denomsOfPage(context: Reading, request: PageRequest | undefined): Page<Denom> {
  const { rows, page } = paginate({ context, store: STORE, prefix: DENOM_PREFIX }, request, ({ value }) =>
    fromBinary(DenomSchema, value),
  );
  return { rows: rows.toSorted(byBase), page };
}

/** Compares by base denom, then number of channels, then path. */
function byBase(left: Denom, right: Denom): number {
  return (
    compare(utf8(left.base), utf8(right.base)) ||
    left.trace.length - right.trace.length ||
    compare(utf8(pathOf(left)), utf8(pathOf(right)))
  );
}
