/**
 * `eth_sendRawTransactionSync` (EIP-7966), and `eth_sendTransactionSync` of anvil for accounts of the node: they
 * respond with the receipt as soon as it exists.
 */
import type { EthereumApi } from '../../../core/ethereum/api.js';
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { goDuration } from '../../../core/sdk/go/go-duration.js';
import { receiptJson } from '../../../core/ethereum/json/receipt-json.js';
import type { Timers } from '../../../core/ports/time.js';
import { manyTexts } from '../block-logs.js';
import { limitExceeded, rpcErrorOf, type RpcError } from '../errors.js';
import { type Answer, type Method, type MethodContext, failed, sending, ok } from '../method.js';
import { data } from '../params/hex.js';
import { looseQuantity } from '../params/numbers.js';
import { withDefault } from '../params/param.js';
import { sendingArguments } from '../params/sending-arguments.js';
import type { Resolved } from '../resolve.js';
import { type SendQueue, submitArguments } from './send.js';
import { FIXED_LIMITS } from '../../../core/limits/limits.js';
import * as result from '../results.js';
import { NS_PER_MS } from '../../../core/primitives.js';

/** Milliseconds; geth's default, also for a timeout of 0 (v1.17 `internal/ethapi/api.go`). */
const DEFAULT_TIMEOUT = 20_000n;
/** Error code of EIP-7966: the transaction is in the pool, but was not mined in time. */
const NOT_MINED_IN_TIME = 4;
/** No block will include it at present: the chain is halted, or the transaction was replaced. */
const NOT_READY = 5;
/** The transaction waits for a lower nonce; `data` is the expected nonce. */
const NONCE_GAP = 6;

/** Creates the methods that send a transaction and wait for its receipt (EIP-7966); `inTurn`: the send queue. */
export function sendSyncMethods(inTurn: SendQueue): readonly Method[] {
  let waiting = 0;
  const answered = async (
    send: () => Promise<Resolved<Uint8Array>>,
    timeout: bigint,
    { api, timers, limits }: MethodContext,
  ): Promise<Answer> => {
    if (waiting >= limits.ethSyncWaiting)
      return failed(limitExceeded(`limit ethSyncWaiting (${limits.ethSyncWaiting}) exceeded`));
    waiting += 1;
    try {
      const sent = await send();
      if (!sent.ok) return failed(sent.error);
      const gap = nonceGap(api, sent.value);
      if (gap !== undefined) return failed(gap);
      const patience = timeout === 0n ? DEFAULT_TIMEOUT : timeout;
      const milliseconds = patience < FIXED_LIMITS.sendSyncMs ? patience : FIXED_LIMITS.sendSyncMs;
      return await receiptOf(api, timers, sent.value, Number(milliseconds));
    } finally {
      waiting -= 1;
    }
  };
  return [
    sending(
      'eth_sendRawTransactionSync',
      'Sends a signed transaction and waits for its receipt (EIP-7966)',
      [data, withDefault(looseQuantity, DEFAULT_TIMEOUT)],
      result.RECEIPT,
      ([raw, timeout], context) =>
        answered(
          async () => {
            const sent = await context.api.sendRawTransaction(raw);
            return sent.ok ? sent : { ok: false, error: rpcErrorOf(sent.error) };
          },
          timeout,
          context,
        ),
    ),
    sending(
      'eth_sendTransactionSync',
      'Signs and sends a transaction, and waits for its receipt',
      [sendingArguments, withDefault(looseQuantity, DEFAULT_TIMEOUT)],
      result.RECEIPT,
      ([args, timeout], context) => answered(() => submitArguments(args, context, inTurn), timeout, context),
    ),
  ];
}

/** The error if the transaction waits in the pool for a lower nonce; else undefined. */
function nonceGap(api: EthereumApi, hash: Uint8Array): RpcError | undefined {
  const waiting = api.pending(hash);
  if (waiting === undefined) return undefined;
  const expected = api.pendingNonce(waiting.from);
  const { nonce } = waiting.transaction;
  if (nonce <= expected) return undefined;
  return {
    code: NONCE_GAP,
    message: `nonce gap: the transaction waits in the pool with nonce ${nonce}, the next nonce of its sender is ${expected}`,
    data: hexQuantity(expected),
  };
}

function receiptOf(api: EthereumApi, timers: Timers, hash: Uint8Array, milliseconds: number): Promise<Answer> {
  return new Promise((resolve) => {
    const look = (): void => {
      const mined = api.transaction(hash);
      if (mined === undefined) return;
      const { transaction, block } = mined;
      const answer = (): Answer => ok(receiptJson(transaction, block));
      end(manyTexts([transaction], block, timers)?.then(answer) ?? answer());
    };
    const end = (answer: Answer | Promise<Answer>): void => {
      leave();
      cancel();
      resolve(answer);
    };
    const leave = api.onBlock(look);
    const cancel = timers.after(milliseconds, () =>
      end(
        failed({
          code: NOT_MINED_IN_TIME,
          // geth v1.17 `internal/ethapi/api.go`
          message: `The transaction was added to the transaction pool but wasn't processed in ${goDuration(BigInt(milliseconds) * NS_PER_MS)}`,
          data: hexData(hash),
        }),
      ),
    );
    look();
    void api.inBlock(hash)?.then((outcome) => {
      if (outcome.ok) return look();
      end(failed({ code: NOT_READY, message: rpcErrorOf(outcome.error).message, data: hexData(hash) }));
    });
  });
}
