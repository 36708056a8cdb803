/**
 * Prices of gas that the node suggests, wei. Each is one that admission and the next block accept, whatever the next
 * block holds.
 */
import type { EthereumApi } from './api.js';

/** Two gwei: the least price of gas, in wei, that a client is told to pay for a Cosmos transaction. */
export const LEAST_COSMOS_PRICE = 2_000_000_000n;
/** The part of a base fee by which the next one can be higher (EIP-1559, with the elasticity of 2). */
const RISE = 8n;

type Prices = Pick<EthereumApi, 'leastTip' | 'lowestGasPrice' | 'nextBaseFee' | 'quotedBaseFee'>;

/** A price with room for one rise of the base fee. */
export const afterRise = (baseFee: bigint): bigint => baseFee + baseFee / RISE;

export const highest = (first: bigint, ...others: readonly bigint[]): bigint =>
  others.reduce((maximum, one) => (one > maximum ? one : maximum), first);

/** The tip that the next base fee lacks to admission, which compares with the head's, too; 0 where it lacks none. */
export function missingTip(api: Omit<Prices, 'leastTip'>): bigint {
  return highest(api.lowestGasPrice(), api.quotedBaseFee()) - api.nextBaseFee();
}

/**
 * Suggested tip: the amount by which the base fee can rise in one block, so that base fee and tip still suffice for the
 * next block, and at least the preset's lowest. It is larger when the sum would be below the lowest admitted price.
 */
export function suggestedTip(api: Prices): bigint {
  return highest(api.leastTip, api.lowestGasPrice() - api.nextBaseFee(), api.quotedBaseFee() / RISE);
}

/** Suggested price: base fee and tip, and at least the lowest admitted price. */
export function suggestedPrice(api: Prices): bigint {
  const baseFee = api.quotedBaseFee();
  return highest(api.lowestGasPrice(), baseFee + highest(api.leastTip, baseFee / RISE));
}
