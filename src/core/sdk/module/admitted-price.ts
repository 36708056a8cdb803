import type { Context } from './context.js';

/**
 * Lowest gas price for mempool admission (`--minimum-gas-price`), base fee included, in wei. 0 in blocks and
 * simulations, which execute transactions that other nodes admitted.
 */
export function admittedPrice({ mode, chain }: Pick<Context, 'mode' | 'chain'>): bigint {
  return mode === 'check' ? chain.minGasPrice : 0n;
}
