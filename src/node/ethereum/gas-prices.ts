import type { Application } from '../../core/application.js';
import type { Height } from '../../core/primitives.js';
import type { StateReader } from '../../core/state/state.js';
import type { Ledger } from '../../runtime/chain/ledger.js';

/** Gas prices of the head and of the block after it, wei. */
export interface GasPrices {
  /** Base fee of the block after the head; 0 without a fee market. */
  readonly nextBaseFee: () => bigint;
  /**
   * The base fee with which admission compares or that of the next block, the higher one: that of the head counts
   * unless one was set for the next block. 0 without a fee market.
   */
  readonly quotedBaseFee: () => bigint;
  /** Lowest price of admission: the fee market's or this node's, the higher one. */
  readonly lowest: () => bigint;
}

/** The part of an application that reads prices. */
interface PriceSource {
  readonly ethereum:
    | Pick<NonNullable<Application['ethereum']>, 'admissionBaseFee' | 'nextBaseFee' | 'minGasPrice'>
    | undefined;
}

interface Head {
  readonly state: Pick<Ledger['state'], 'chainId' | 'height' | 'time' | 'lastBlockId'>;
}

/** Prices that are read once for each head. `admitted`: the lowest price of this node's mempool. */
export function createGasPrices(
  { ethereum }: PriceSource,
  latest: StateReader,
  ledger: Head,
  admitted: bigint,
): GasPrices {
  let known:
    | {
        readonly blockHash: Uint8Array | undefined;
        readonly height: Height;
        readonly fee: bigint;
        readonly quoted: bigint;
        readonly lowest: bigint;
      }
    | undefined;
  const read = () => {
    const { chainId, height, time, lastBlockId } = ledger.state;
    const blockHash = lastBlockId?.hash;
    if (known === undefined || known.height !== height || known.blockHash !== blockHash) {
      const at = { chainId, height, time };
      const market = ethereum?.minGasPrice(latest, at) ?? 0n;
      const fee = ethereum?.nextBaseFee(latest, at) ?? 0n;
      const admission = ethereum?.admissionBaseFee(latest, at) ?? 0n;
      known = {
        height,
        blockHash,
        fee,
        quoted: admission > fee ? admission : fee,
        lowest: market > admitted ? market : admitted,
      };
    }
    return known;
  };
  return { nextBaseFee: () => read().fee, quotedBaseFee: () => read().quoted, lowest: () => read().lowest };
}
