import { sha256 } from '@noble/hashes/sha2.js';
import { base64, hex } from '@scure/base';
import { sdkErrors } from '../../core/sdk/module/sdk-error.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { print } from '../table/output.js';
import { asObject, type JsonObject, textOf } from '../client/rpc-client.js';
import { type TxResponse, txResponse } from '../client/tx-response.js';

/**
 * SDK error 19: the client-side code for a transaction that is already in the mempool (cosmos-sdk v0.53
 * `CheckCometError` in `client/broadcast.go`).
 */
const IN_MEMPOOL = sdkErrors.txInMempool.code;

/** Sends an encoded transaction, prints the answer, and fails with exit code 9 when it is rejected. */
export async function broadcast(context: CommandContext, tx: Uint8Array, mode: string): Promise<void> {
  const response = await send(context, tx, mode);
  print({ ...context, indent: false }, response);
  if (response.code !== 0)
    throw new CommandError(EXIT.rejected, response.code === IN_MEMPOOL ? 'tx already in mempool' : response.raw_log);
}

async function send({ rpc }: CommandContext, tx: Uint8Array, mode: string): Promise<TxResponse> {
  try {
    const result = await rpc.call(mode === 'block' ? 'broadcast_tx_commit' : `broadcast_tx_${mode}`, {
      tx: base64.encode(tx),
    });
    return mode === 'block' ? committedResponse(result) : txResponse({ ...result, hash: result['hash'] }, '0');
  } catch (error) {
    if (!(error instanceof CommandError) || !error.message.includes('tx already exists in cache')) throw error;
    return txResponse({ code: IN_MEMPOOL, codespace: 'sdk', hash: hex.encode(sha256(tx)).toUpperCase() }, '0');
  }
}

/** The CheckTx result if it rejected the transaction, else the result in the block. */
function committedResponse(result: JsonObject): TxResponse {
  const check = asObject(result['check_tx']);
  const outcome = Number(check['code'] ?? 0) === 0 ? asObject(result['tx_result']) : check;
  return txResponse({ ...outcome, hash: result['hash'] }, textOf(result, 'height'));
}
