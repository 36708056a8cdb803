/** Routes that broadcast transactions and list pending ones (CometBFT v0.38 `rpc/core/mempool.go`). */
import { sha256 } from '@noble/hashes/sha2.js';
import { execTxResultToJson } from '../../../core/comet/json/results-json.js';
import { toBase64 } from '../../../core/bytes/base64.js';
import { upperHex } from '../../../core/bytes/hex.js';
import type { StoredTx } from '../../../core/node-api.js';
import {
  type ExecTxResult,
  type ResponseCheckTx,
  ExecTxResultSchema,
} from '../../../core/proto/tendermint/abci/types_pb.js';
import { create } from '@bufbuild/protobuf';
import { failed, perPageOf, result } from '../answers.js';
import { internalError } from '../errors.js';
import { type Answer, type Method, type MethodContext, method } from '../method.js';
import { bytes, int } from '../params.js';
import { awaitInclusion } from '../inclusion.js';

/**
 * JSON of a CheckTx result. As in the Go SDK, `data` of an accepted transaction is empty bytes instead of null
 * (`test/adapters/comet-rpc/recorded.test.ts`).
 */
function checkTxJson(check: ResponseCheckTx): unknown {
  const json = execTxResultToJson(check);
  return check.code === 0 ? { ...json, data: json.data ?? '' } : json;
}

async function broadcastAndAnswer(
  { api }: MethodContext,
  tx: Uint8Array,
  show: (check: ResponseCheckTx) => unknown,
): Promise<Answer> {
  const admitted = await api.commands.broadcastTx(tx);
  return admitted.ok ? result(show(admitted.value)) : failed(admitted.error);
}

async function broadcastCommit(context: MethodContext, tx: Uint8Array): Promise<Answer> {
  const hash = sha256(tx);
  const answer = (check: ResponseCheckTx, executed: ExecTxResult, height: bigint): Answer =>
    result({
      check_tx: checkTxJson(check),
      tx_result: execTxResultToJson(executed),
      hash: upperHex(hash),
      height: String(height),
    });
  const waiting = awaitInclusion(context, hash);
  if (waiting === undefined)
    return failed(internalError(`max_subscription_clients ${context.limits.cometWsClients} reached`));
  try {
    const admitted = await context.api.commands.broadcastTx(tx);
    if (!admitted.ok) {
      const { error } = admitted;
      return failed(
        error.code === 'tx-in-cache' ? internalError('error on broadcastTxCommit: tx already exists in cache') : error,
      );
    }
    if (admitted.value.code !== 0) return answer(admitted.value, create(ExecTxResultSchema), 0n);
    const included: StoredTx | undefined = await waiting.included;
    if (included === undefined) return failed(internalError('timed out waiting for tx to be included in a block'));
    return answer(admitted.value, included.result, included.height);
  } finally {
    waiting.stop();
  }
}

export const mempoolMethods: readonly Method[] = [
  method('unconfirmed_txs', { limit: int }, 'never', async ({ limit }, { api, limits, timers }) => {
    const { txs, totalBytes } = api.queries.unconfirmedTxs();
    const texts: string[] = [];
    let inTurn = 0;
    for (const tx of txs.slice(0, perPageOf(limit, limits))) {
      if (inTurn > limits.cometBytesPerTurn) {
        await timers.yield();
        inTurn = 0;
      }
      texts.push(`"${toBase64(tx)}"`);
      inTurn += tx.length;
    }
    const counts = `"n_txs":"${texts.length}","total":"${txs.length}","total_bytes":"${totalBytes}"`;
    return { ok: true, json: `{${counts},"txs":[${texts.join(',')}]}` };
  }),
  method('num_unconfirmed_txs', {}, 'never', (_values, { api }) => {
    const { txs, totalBytes } = api.queries.unconfirmedTxs();
    return result({ n_txs: String(txs.length), total: String(txs.length), total_bytes: String(totalBytes), txs: null });
  }),
  method('check_tx', { tx: bytes }, 'never', async ({ tx }, { api }) => {
    const checked = await api.commands.checkTx(tx);
    return checked.ok ? result(checkTxJson(checked.value)) : failed(checked.error);
  }),
  method('broadcast_tx_async', { tx: bytes }, 'never', ({ tx }, context) =>
    broadcastAndAnswer(context, tx, () => ({ code: 0, data: '', log: '', codespace: '', hash: upperHex(sha256(tx)) })),
  ),
  method('broadcast_tx_sync', { tx: bytes }, 'never', ({ tx }, context) =>
    // data is hex here, not base64
    broadcastAndAnswer(context, tx, (check) => ({
      code: check.code,
      data: upperHex(check.data),
      log: check.log,
      codespace: check.codespace,
      hash: upperHex(sha256(tx)),
    })),
  ),
  method('broadcast_tx_commit', { tx: bytes }, 'never', ({ tx }, context) => broadcastCommit(context, tx)),
];
