/**
 * `eth_sendRawTransactionSync` (EIP-7966), and `eth_sendTransactionSync` of anvil for accounts of the node: they answer
 * with the receipt as soon as it exists.
 */
import type { EthereumApi } from '../../../core/ethereum/api.js';
import { hexData } from '../../../core/bytes/hex.js';
import { receiptJson } from '../../../core/ethereum/json/receipt-json.js';
import type { Timers } from '../../../core/ports/time.js';
import { limitExceeded, rpcErrorOf } from '../errors.js';
import { type Answer, type Method, type MethodContext, failed, method, ok } from '../method.js';
import { transactionArguments } from '../params/call-arguments.js';
import { data } from '../params/hex.js';
import { looseQuantity } from '../params/numbers.js';
import { withDefault } from '../params/param.js';
import type { Resolved } from '../resolve.js';
import { type SendQueue, submitArguments } from './send.js';
import { FIXED_LIMITS } from '../../../core/limits.js';

/** Milliseconds; geth's default. */
const DEFAULT_TIMEOUT = 20_000n;
/** EIP-7966: the transaction is in the pool and no block included it in time. */
const NOT_MINED_IN_TIME = 4;

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
      const milliseconds = timeout < FIXED_LIMITS.sendSyncMs ? timeout : FIXED_LIMITS.sendSyncMs;
      return await receiptOf(api, timers, sent.value, Number(milliseconds));
    } finally {
      waiting -= 1;
    }
  };
  return [
    method(
      'eth_sendRawTransactionSync',
      [data, withDefault(looseQuantity, DEFAULT_TIMEOUT)],
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
    method(
      'eth_sendTransactionSync',
      [transactionArguments, withDefault(looseQuantity, DEFAULT_TIMEOUT)],
      ([args, timeout], context) => answered(() => submitArguments(args, context, inTurn), timeout, context),
    ),
  ];
}

function receiptOf(api: EthereumApi, timers: Timers, hash: Uint8Array, milliseconds: number): Promise<Answer> {
  return new Promise((resolve) => {
    const look = (): void => {
      const mined = api.transaction(hash);
      if (mined !== undefined) end(ok(receiptJson(mined.transaction, mined.block)));
    };
    const end = (answer: Answer): void => {
      leave();
      cancel();
      resolve(answer);
    };
    const leave = api.onBlock(look);
    const cancel = timers.after(milliseconds, () =>
      end(
        failed({
          code: NOT_MINED_IN_TIME,
          message: `the transaction waits in the pool: no block had it within ${milliseconds} ms`,
          data: hexData(hash),
        }),
      ),
    );
    look();
  });
}
