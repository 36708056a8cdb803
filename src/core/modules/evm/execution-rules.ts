import type { EvmAccountChange } from '../../evm/outcome.js';
import type { Context } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { preinstall, type Preinstall } from './preinstalls.js';

/** Rules of EVM execution. */
export interface ExecutionRules {
  /** Changes of a failed transaction that persist; undefined: none. */
  readonly keptOfFailed: (changes: readonly EvmAccountChange[]) => readonly EvmAccountChange[] | undefined;
  /** With 'nonce' a call increments its sender's nonce, which its authorizations see (EIP-7702). */
  readonly callFees: 'nonce' | 'none';
  /** Gas estimation stops at this relative precision, in thousandths. */
  readonly estimateTolerance: bigint;
  /** Installs a contract by a message; returns an error text, or undefined on success. */
  readonly preinstall: (context: Context, contract: Preinstall) => string | undefined;
}

/** Defaults: a failed transaction keeps its authorizations (EIP-7702); estimates are precise to 1.5 %, as in geth. */
export const executionRules = new RuleSet<ExecutionRules>({
  keptOfFailed: (changes) => changes,
  callFees: 'nonce',
  estimateTolerance: 15n,
  preinstall,
});
