import type { MessageInitShape } from '@bufbuild/protobuf';
import { type GetTxsEventRequest, type GetTxsEventResponseSchema, OrderBy } from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import type { CallContext, Reply } from '../method.js';
import { cometPage } from '../page.js';
import { refusal, refusalOf, STATUS } from '../status.js';
import { txResponse } from './tx-response.js';

const FAILED = 'failed to search for txs: ';

/**
 * Transactions by a query of events. The form of SDK 0.45, `events` and `pagination`, is read where `query` is empty;
 * the Go node of today refuses it.
 */
export async function getTxsEvent(request: GetTxsEventRequest, { api, limits }: CallContext): Promise<Reply<MessageInitShape<typeof GetTxsEventResponseSchema>>> {
  const query = request.query === '' ? request.events.join(' AND ') : request.query;
  if (query === '') return refusal(STATUS.internal, 'query cannot be empty');
  if (new TextEncoder().encode(query).length > limits.cometQueryBytes) return refusal(STATUS.internal, `${FAILED}maximum query length exceeded`);
  const { chain } = api.queries;
  const found = await chain.searchTxs(query);
  if (!found.ok) return refusalOf(found.error);
  const { page, size } = pageOf(request, limits.searchPerPage);
  const ordered = request.orderBy === OrderBy.DESC ? found.value.toReversed() : found.value;
  const slice = cometPage(ordered, page, size, limits.searchPerPage, { code: STATUS.internal, prefix: FAILED });
  if (!slice.ok) return slice;
  const shown = slice.items.flatMap(({ height, index }) => {
    const stored = chain.txAt(height, index);
    return stored === undefined ? [] : [txResponse(chain, stored)];
  });
  const unreadable = shown.find((one) => !one.ok);
  if (unreadable?.ok === false) return unreadable;
  const readable = shown.filter((one) => one.ok);
  return {
    ok: true,
    value: { txs: readable.map(({ tx }) => tx), txResponses: readable.map(({ response }) => response), total: BigInt(found.value.length) },
  };
}

/** Page from 1 and its size; 0 means the default of each. */
function pageOf({ query, page, limit, pagination }: GetTxsEventRequest, byDefault: number): { readonly page: bigint; readonly size: bigint } {
  if (query === '' && pagination !== undefined) {
    const size = pagination.limit === 0n ? BigInt(byDefault) : pagination.limit;
    return { page: pagination.offset / size + 1n, size };
  }
  return { page: page === 0n ? 1n : page, size: limit === 0n ? BigInt(byDefault) : limit };
}
