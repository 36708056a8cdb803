import { sha256 } from '@noble/hashes/sha2.js';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { upperHex } from '../../../core/bytes/hex.js';
import {
  BroadcastMode,
  type BroadcastTxRequest,
  type BroadcastTxResponseSchema,
} from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import { MEMPOOL_ERRORS } from '../../../core/sdk/module/sdk-error.js';
import type { CallContext, Reply } from '../method.js';
import { refusal, refusalOf, STATUS } from '../status.js';

type Answer = Reply<MessageInitShape<typeof BroadcastTxResponseSchema>>;

/** Sends a transaction to the mempool. SYNC answers with the result of CheckTx, ASYNC with the hash only. */
export async function broadcastTx({ txBytes, mode }: BroadcastTxRequest, { api }: CallContext): Promise<Answer> {
  if (txBytes.length === 0) return refusal(STATUS.invalidArgument, 'invalid empty tx');
  if (mode !== BroadcastMode.SYNC && mode !== BroadcastMode.ASYNC) {
    return refusal(STATUS.unknown, 'unsupported return type unspecified; supported types: sync, async');
  }
  const txhash = upperHex(sha256(txBytes));
  const admitted = await api.commands.broadcastTx(txBytes);
  if (!admitted.ok) {
    const registered = MEMPOOL_ERRORS[admitted.error.code];
    if (registered === undefined) return refusalOf(admitted.error);
    const { code, codespace } = registered;
    return { ok: true, value: { txResponse: { txhash, codespace, code } } };
  }
  if (mode === BroadcastMode.ASYNC) return { ok: true, value: { txResponse: { txhash } } };
  const { code, codespace, data, log } = admitted.value;
  return { ok: true, value: { txResponse: { txhash, code, codespace, data: upperHex(data), rawLog: log } } };
}
