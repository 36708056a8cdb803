import type { Context } from './context.js';

/**
 * Lowest gas price at which this node admits a transaction (`--minimum-gas-price`), base fee included, wei. 0 in blocks
 * and simulations, which execute what other nodes admitted.
 */
export function admittedPrice({ mode, chain }: Pick<Context, 'mode' | 'chain'>): bigint {
  return mode === 'check' ? chain.minGasPrice : 0n;
}
