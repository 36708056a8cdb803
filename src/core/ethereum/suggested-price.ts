/**
 * Gas prices that the node suggests, in wei. Admission and the next block accept them, no matter how full the head
 * is.
 */
import type { EthereumApi } from './api.js';

/** Two gwei: the lowest gas price that clients are told to pay for a Cosmos transaction. */
export const MIN_COSMOS_GAS_PRICE = 2_000_000_000n;
/** The base fee rises by at most one part in this number per block (EIP-1559 with elasticity 2). */
const RISE = 8n;

type Prices = Pick<EthereumApi, 'minTip' | 'lowestGasPrice' | 'nextBaseFee' | 'quotedBaseFee'>;

/** Price that still suffices after one maximal rise of the base fee. */
export const afterRise = (baseFee: bigint): bigint => baseFee + baseFee / RISE;

export const highest = (first: bigint, ...others: readonly bigint[]): bigint =>
  others.reduce((maximum, one) => (one > maximum ? one : maximum), first);

/**
 * Part of the tip that lifts the next base fee to the head's, against which admission checks; 0 when it is not lower.
 */
export function missingTip(api: Omit<Prices, 'minTip'>): bigint {
  return highest(api.lowestGasPrice(), api.quotedBaseFee()) - api.nextBaseFee();
}

/**
 * Suggested tip: one maximal rise of the base fee, so that base fee plus tip suffices in the next block, and at least
 * the preset's minimum. Higher when the sum would be below the lowest admitted price.
 */
export function suggestedTip(api: Prices): bigint {
  return highest(api.minTip, api.lowestGasPrice() - api.nextBaseFee(), api.quotedBaseFee() / RISE);
}

/** Suggested gas price: base fee plus tip, and at least the lowest admitted price. */
export function suggestedPrice(api: Prices): bigint {
  const baseFee = api.quotedBaseFee();
  return highest(api.lowestGasPrice(), baseFee + highest(api.minTip, baseFee / RISE));
}
