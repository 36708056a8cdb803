import type { Application } from '../../core/application.js';
import type { StateReader } from '../../core/state/state.js';
import type { Ledger } from '../../runtime/chain/ledger.js';

/** Gas prices of the head and of the block after it, wei. */
export interface GasPrices {
  /** Base fee of the block after the head; 0 without a fee market. */
  readonly nextBaseFee: () => bigint;
  /**
   * The higher of two base fees: the one that admission checks (the head's, unless one was set for the next block),
   * and that of the next block. 0 without a fee market.
   */
  readonly quotedBaseFee: () => bigint;
  /** Lowest gas price of admission: the higher one of the fee market's and this node's minimum. */
  readonly lowest: () => bigint;
}

/** The part of an application that reads prices. */
interface PriceSource {
  readonly ethereum:
    | Pick<NonNullable<Application['ethereum']>, 'admissionBaseFee' | 'nextBaseFee' | 'minGasPrice'>
    | undefined;
}

interface Head {
  /** A new object after each block and each revert. */
  readonly state: Pick<Ledger['state'], 'chainId' | 'height' | 'time'>;
}

/** Creates the prices, which are read once per head. `admitted`: lowest gas price of this node's mempool. */
export function createGasPrices(
  { ethereum }: PriceSource,
  latest: StateReader,
  ledger: Head,
  admitted: bigint,
): GasPrices {
  const pricesOf = (of: Head['state']) => {
    const market = ethereum?.minGasPrice(latest, of) ?? 0n;
    const fee = ethereum?.nextBaseFee(latest, of) ?? 0n;
    const admission = ethereum?.admissionBaseFee(latest, of) ?? 0n;
    return { of, fee, quoted: admission > fee ? admission : fee, lowest: market > admitted ? market : admitted };
  };
  let known: ReturnType<typeof pricesOf> | undefined;
  const read = () => {
    if (known?.of !== ledger.state) known = pricesOf(ledger.state);
    return known;
  };
  return { nextBaseFee: () => read().fee, quotedBaseFee: () => read().quoted, lowest: () => read().lowest };
}
