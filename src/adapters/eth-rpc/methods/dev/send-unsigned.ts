import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import { failed, type Method, method } from '../../method.js';
import { transactionArguments } from '../../params/call-arguments.js';
import { fill, readyArguments } from '../fill.js';
import { answerOf, type SendQueue } from '../send.js';

/** `eth_sendUnsignedTransaction` of anvil: sends for any `from`, impersonated or not. */
export function sendUnsigned(dev: EthereumDevApi, inTurn: SendQueue): Method {
  return method('eth_sendUnsignedTransaction', [transactionArguments], async ([args], { api }) => {
    const ready = await readyArguments(args, api, true);
    if (!ready.ok) return failed(ready.error);
    const { from } = ready.value;
    return inTurn(async () => answerOf(api, await dev.sendUnsigned(fill(args, ready.value, api), from)));
  });
}
