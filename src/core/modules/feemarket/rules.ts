import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, truncateDec } from '../../sdk/coins/dec.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import type { FeeMarketParams } from './params.js';

/** Rules of the fee market. */
export interface FeemarketRules {
  /**
   * Base fee (10^-18 wei) after a block that counted `gas` under a limit of `gasLimit`, whose own is in `params`.
   * `unit`: wei of one coin of bank, which the fee counts.
   */
  readonly nextBaseFee: (params: FeeMarketParams, gas: bigint, gasLimit: bigint, unit: bigint) => bigint;
  /** Gas that the transactions of the block want. */
  readonly gasWanted: (context: Context) => bigint;
}

export const feemarketRules = new RuleSet<FeemarketRules>({
  nextBaseFee: nextWholeBaseFee,
  gasWanted: ({ block }) => block.tally.gasWanted,
});

/**
 * The next base fee in whole wei, as EIP-1559 says: a base fee of 7 wei falls no further. It falls to the lowest price
 * of the fee market at most, and stays where blocks hold no gas.
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
