import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import { type Method, sending } from '../../method.js';
import { sendingArguments } from '../../params/sending-arguments.js';
import { HASH } from '../../schema.js';
import { fill, makeReady } from '../fill.js';
import { answerOf, type SendQueue } from '../send.js';

/** Creates anvil's `eth_sendUnsignedTransaction`: sends from any account, impersonated or not. */
export function sendUnsigned(dev: EthereumDevApi, inTurn: SendQueue): Method {
  return sending(
    'eth_sendUnsignedTransaction',
    'Sends a transaction for any account, without its key',
    [sendingArguments],
    HASH,
    async ([args], context) => {
      const ready = await makeReady(args, context, true);
      if (!('gas' in ready)) return ready;
      const { api } = context;
      return inTurn(api, async () => answerOf(api, await dev.sendUnsigned(fill(args, ready, api), ready.from)));
    },
  );
}
