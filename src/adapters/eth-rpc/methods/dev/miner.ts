/** `miner_*` of ganache (v7.9 `packages/ethereum/ethereum/src/api.ts`). */
import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import { type Method, method, ok } from '../../method.js';
import { address, data } from '../../params/hex.js';
import { looseQuantity } from '../../params/numbers.js';
import { optional } from '../../params/param.js';
import { BOOLEAN } from '../../schema.js';
import { setAutomine } from './mining.js';
import { answerOf, toTrue, unsigned } from './names.js';

/** Creates the five `miner_*` methods; each answers true, as in ganache. */
export function minerCommands(dev: EthereumDevApi): readonly Method[] {
  return [
    // the number of threads is ignored, as by ganache
    method('miner_start', 'Makes a block for each transaction at once', [optional(looseQuantity)], BOOLEAN, () =>
      setAutomine(dev, true, toTrue),
    ),
    method('miner_stop', 'Makes blocks by command alone', [], BOOLEAN, () => setAutomine(dev, false, toTrue)),
    ...unsigned([
      method('miner_setEtherbase', 'Sets the proposer that later blocks name', [address], BOOLEAN, async ([coinbase]) =>
        answerOf(await dev.setBlockFacts({ coinbase }), toTrue),
      ),
      method('miner_setExtra', 'Sets the extra data of later blocks', [data], BOOLEAN, async ([extraData]) =>
        answerOf(await dev.setBlockFacts({ extraData }), toTrue),
      ),
    ]),
    method(
      'miner_setGasPrice',
      'Sets the gas price that is suggested, and that of sends that name no fee, in wei',
      [looseQuantity],
      BOOLEAN,
      ([price]) => {
        dev.quotes.gasPrice = price;
        return ok('true');
      },
    ),
  ];
}
