/** `miner_*` of ganache (v7.9 `packages/ethereum/ethereum/src/api.ts`). */
import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import { type Method, method, ok } from '../../method.js';
import { address, data } from '../../params/hex.js';
import { looseQuantity } from '../../params/numbers.js';
import { optional } from '../../params/param.js';
import { setAutomine } from './mining.js';
import { answerOf, toTrue, unsigned } from './names.js';

export function minerCommands(dev: EthereumDevApi): readonly Method[] {
  return [
    // the number of threads is ignored, as by ganache
    method('miner_start', [optional(looseQuantity)], () => setAutomine(dev, true, toTrue)),
    method('miner_stop', [], () => setAutomine(dev, false, toTrue)),
    ...unsigned([
      method('miner_setEtherbase', [address], async ([coinbase]) =>
        answerOf(await dev.setBlockFacts({ coinbase }), toTrue),
      ),
      method('miner_setExtra', [data], async ([extraData]) => answerOf(await dev.setBlockFacts({ extraData }), toTrue)),
    ]),
    method('miner_setGasPrice', [looseQuantity], ([price]) => {
      dev.quotes.gasPrice = price;
      return ok('true');
    }),
  ];
}
