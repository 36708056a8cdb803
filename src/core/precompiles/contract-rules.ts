import type { Coin } from '../proto/cosmos/base/v1beta1/coin_pb.js';
import { RuleSet } from '../sdk/module/rule-set.js';
import type { ContractCall } from '../sdk/module/stateful-precompile.js';

/** Rules of single contracts of the chain. Each may throw SdkError. */
export interface ContractRules {
  /** The value of a call, wei. */
  readonly valueOf: (call: ContractCall) => bigint;
  /** The amount of the first coin that was withdrawn. */
  readonly firstAmount: (coins: readonly Coin[]) => bigint;
}

export const contractRules = new RuleSet<ContractRules>({
  valueOf: ({ value }) => value,
  firstAmount: ([first]) => BigInt(first?.amount ?? '0'),
});
