import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type GetTxsEventRequest,
  type GetTxsEventResponseSchema,
  OrderBy,
} from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import type { TxResponseSchema } from '../../../core/proto/cosmos/base/abci/v1beta1/abci_pb.js';
import type { Tx } from '../../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { CallContext, Reply } from '../method.js';
import { cometPage, goInt, numberedPage, pageSize, type AskedPage } from '../page.js';
import { refusal, refusalOf, STATUS, type Refusal } from '../status.js';
import { txReader, txResponse } from './tx-response.js';

const FAILED = 'failed to search for txs: ';

/**
 * Finds transactions by a query of events. Where `query` is empty, `events` and `pagination` of SDK 0.45 are read; the
 * Go node of v0.53 refuses them.
 */
export async function getTxsEvent(
  request: GetTxsEventRequest,
  { api, limits }: CallContext,
): Promise<Reply<MessageInitShape<typeof GetTxsEventResponseSchema>>> {
  const query = request.query === '' ? request.events.join(' AND ') : request.query;
  if (query === '') return refusal(STATUS.internal, 'query cannot be empty');
  if (new TextEncoder().encode(query).length > limits.cometQueryBytes)
    return refusal(STATUS.internal, `${FAILED}maximum query length exceeded`);
  const numbered = pageOf(request, limits.searchPerPage);
  if (!numbered.ok) return numbered;
  const { chain } = api.queries;
  const matches = await chain.searchTxs(query);
  if (!matches.ok) return refusalOf(matches.error);
  const ordered = request.orderBy === OrderBy.DESC ? matches.value.toReversed() : matches.value;
  const slice = cometPage(ordered, numbered.page, pageSize(numbered.size, limits.searchPerPage));
  if (!slice.ok) return refusal(STATUS.internal, `${FAILED}${slice.problem}`);
  const stored = txReader(chain);
  const txs: Tx[] = [];
  const txResponses: MessageInitShape<typeof TxResponseSchema>[] = [];
  let bytes = 0;
  for (const { height, index } of slice.items) {
    const found = stored(height, index);
    if (found === undefined) continue;
    // The answer holds each transaction twice; one too large to be sent is refused early.
    bytes += 2 * found.tx.length;
    if (bytes > limits.grpcAnswerBytes)
      return refusalOf({ code: 'limit-exceeded', limit: 'grpcAnswerBytes', maximum: limits.grpcAnswerBytes });
    const shown = txResponse(chain, found);
    if (!shown.ok) return shown;
    txs.push(shown.tx);
    txResponses.push(shown.response);
  }
  return { ok: true, value: { txs, txResponses, total: BigInt(matches.value.length) } };
}

/** Page number from 1 and page size; 0, and what is negative as Go's `int`, mean the default of each. */
function pageOf({ query, page, limit, pagination }: GetTxsEventRequest, byDefault: number): AskedPage | Refusal {
  if (query === '' && pagination !== undefined) return numberedPage(pagination, byDefault);
  return { ok: true, page: goInt(page) > 0n ? page : 1n, size: goInt(limit) > 0n ? limit : BigInt(byDefault) };
}
