import { create, toBinary } from '@bufbuild/protobuf';
import { type GetTxsEventRequest, OrderBy, Service } from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import { TxResponseSchema } from '../../../core/proto/cosmos/base/abci/v1beta1/abci_pb.js';
import { unary } from '../method.js';
import { goInt, numberedPage, pageProblem, pageSize, sliceOf, type AskedPage } from '../page.js';
import { refusal, refusalOf, STATUS, type Refusal } from '../status.js';
import { LongAnswer } from './long-answer.js';
import { txReader, txResponse } from './tx-response.js';

const method = Service.method.getTxsEvent;
const FAILED = 'failed to search for txs: ';

/**
 * GetTxsEvent: finds transactions by an event query. If `query` is empty, it reads `events` and `pagination` of SDK
 * 0.45, which the Go node of v0.53 rejects.
 */
export const getTxsEvent = unary(method, async (request, { api, limits, timers }) => {
  const query = request.query === '' ? request.events.join(' AND ') : request.query;
  if (query === '') return refusal(STATUS.internal, 'query cannot be empty');
  if (new TextEncoder().encode(query).length > limits.cometQueryBytes)
    return refusal(STATUS.internal, `${FAILED}maximum query length exceeded`);
  const numbered = pageOf(request, limits.searchPerPage);
  if (!numbered.ok) return numbered;
  const { chain } = api.queries;
  const size = pageSize(numbered.size, limits.searchPerPage);
  const found = await chain.searchTxs(query, sliceOf(numbered.page, size, request.orderBy === OrderBy.DESC));
  if (!found.ok) return refusalOf(found.error);
  const { total, items } = found.value;
  const problem = pageProblem(total, numbered.page, size);
  if (problem !== undefined) return refusal(STATUS.internal, `${FAILED}${problem}`);
  const stored = txReader(chain);
  const answer = new LongAnswer(timers);
  const addTx = answer.list(method.output.field.txs);
  const addResponse = answer.list(method.output.field.txResponses);
  let bytes = 0;
  for (const { height, index } of items) {
    const tx = stored(height, index);
    if (tx === undefined) continue;
    // The response contains each transaction twice; stop early if it is too large to send.
    bytes += 2 * tx.tx.length;
    if (bytes > limits.grpcAnswerBytes)
      return refusalOf({ code: 'limit-exceeded', limit: 'grpcAnswerBytes', maximum: limits.grpcAnswerBytes });
    const shown = txResponse(chain, tx);
    if (!shown.ok) return shown;
    addTx(shown.encoded);
    addResponse(toBinary(TxResponseSchema, create(TxResponseSchema, shown.response)));
    await answer.turn();
  }
  const others = create(method.output, { total: BigInt(total) });
  return { ok: true, encoded: answer.encoded(toBinary(method.output, others)) };
});

/** Page number (from 1) and page size; 0 and negative values (as Go's `int`) mean the defaults. */
function pageOf({ query, page, limit, pagination }: GetTxsEventRequest, byDefault: number): AskedPage | Refusal {
  if (query === '' && pagination !== undefined) return numberedPage(pagination, byDefault);
  return { ok: true, page: goInt(page) > 0n ? page : 1n, size: goInt(limit) > 0n ? limit : BigInt(byDefault) };
}
