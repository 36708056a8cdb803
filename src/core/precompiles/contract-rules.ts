import type { Coin } from '../proto/cosmos/base/v1beta1/coin_pb.js';
import { RuleSet } from '../sdk/module/rule-set.js';
import type { ContractCall } from '../sdk/module/stateful-precompile.js';

/** Rules of the precompiles that peers change. Each may throw SdkError. */
export interface ContractRules {
  /** Returns the value of a call in wei. */
  readonly valueOf: (call: ContractCall) => bigint;
  /** Returns the amount of the first withdrawn coin. */
  readonly firstAmount: (coins: readonly Coin[]) => bigint;
}

export const contractRules = new RuleSet<ContractRules>({
  valueOf: ({ value }) => value,
  firstAmount: ([first]) => BigInt(first?.amount ?? '0'),
});
