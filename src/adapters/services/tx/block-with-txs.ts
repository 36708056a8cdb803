import { create, toBinary } from '@bufbuild/protobuf';
import { completeBlock } from '../../../core/comet/complete.js';
import { toHeight } from '../../../core/primitives.js';
import { Service } from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import { TxSchema } from '../../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { unary } from '../method.js';
import { pageSize } from '../page.js';
import { refusalOf, registeredError } from '../status.js';
import { wholeBlock } from '../whole-block.js';
import { LongAnswer } from './long-answer.js';
import { readTx } from './tx-response.js';
import { sdkErrors } from '../../../core/sdk/module/sdk-error.js';

const method = Service.method.getBlockWithTxs;

/**
 * GetBlockWithTxs: a block with one page of its decoded transactions, at most 100 (cosmos-sdk v0.53
 * `x/auth/tx/service.go`).
 */
export const getBlockWithTxs = unary(method, async ({ height, pagination }, { api, limits, timers }) => {
  const { chain } = api.queries;
  const tip = chain.tip();
  if (height < 1n || height > tip) {
    return registeredError(
      sdkErrors.invalidHeight,
      `requested height ${height} but height must not be less than 1 or greater than the current height ${tip}`,
    );
  }
  const found = await wholeBlock(api, toHeight(height));
  if (!found.ok) return refusalOf(found.error);
  const stored = found.value;
  const all = stored.block.data?.txs ?? [];
  const offset = pagination?.offset ?? 0n;
  const maximum = limits.searchPerPage;
  const limit = pagination === undefined || pagination.limit === 0n ? maximum : pageSize(pagination.limit, maximum);
  if (offset >= BigInt(all.length) && all.length > 0) {
    return registeredError(
      sdkErrors.invalidRequest,
      `out of range: cannot paginate ${all.length} txs with offset ${offset} and limit ${limit}`,
    );
  }
  const ordered = pagination?.reverse === true ? all.toReversed() : all;
  const start = Number(offset);
  const answer = new LongAnswer(timers);
  const add = answer.list(method.output.field.txs);
  for (const bytes of ordered.slice(start, start + limit)) {
    const read = readTx(bytes);
    if (!read.ok) return read;
    add(toBinary(TxSchema, read.tx));
    await answer.turn();
  }
  const others = create(method.output, {
    blockId: stored.blockId,
    block: completeBlock(stored.block),
    pagination: { total: BigInt(all.length) },
  });
  return { ok: true, encoded: answer.encoded(toBinary(method.output, others)) };
});
