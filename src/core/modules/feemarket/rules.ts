import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, truncateDec } from '../../sdk/coins/dec.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import type { FeeMarketParams } from './params.js';

/** Rules of the fee market. */
export interface FeemarketRules {
  /**
   * Base fee (10^-18 wei) after a block with `gas` under the limit `gasLimit` and the base fee in `params`. `unit`:
   * wei of one bank coin, in which the fee is counted.
   */
  readonly nextBaseFee: (params: FeeMarketParams, gas: bigint, gasLimit: bigint, unit: bigint) => bigint;
  /** Gas wanted by the block's transactions. */
  readonly gasWanted: (context: Context) => bigint;
}

export const feemarketRules = new RuleSet<FeemarketRules>({
  nextBaseFee: nextWholeBaseFee,
  gasWanted: ({ block }) => block.tally.gasWanted,
});

/**
 * Next base fee in whole wei by EIP-1559: a base fee of 7 wei does not fall. It does not fall below the minimum gas
 * price, and stays when blocks have no gas.
 */
export function nextWholeBaseFee(params: FeeMarketParams, gas: bigint, gasLimit: bigint): bigint {
  const { elasticity, changeDenominator, minGasPrice } = params;
  const baseFee = truncateDec(params.baseFee);
  const target = gasLimit / elasticity;
  if (gas === target || target === 0n) return baseFee * DEC_ONE;
  const distance = gas > target ? gas - target : target - gas;
  const change = (distance * baseFee) / target / changeDenominator;
  if (gas > target) return (baseFee + (change > 1n ? change : 1n)) * DEC_ONE;
  const lowest = (minGasPrice + DEC_ONE - 1n) / DEC_ONE;
  return (baseFee - change > lowest ? baseFee - change : lowest) * DEC_ONE;
}
