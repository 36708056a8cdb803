import type { EvmAccountChange } from '../../evm/outcome.js';
import type { Context } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { preinstall, type Preinstall } from './preinstalls.js';

/** Rules of what the EVM executes. */
export interface ExecutionRules {
  /** The changes of a failed transaction that stay; undefined: none. */
  readonly keptOfFailed: (changes: readonly EvmAccountChange[]) => readonly EvmAccountChange[] | undefined;
  /** With 'nonce' the nonce of a call's sender rises, which its authorizations see (EIP-7702). */
  readonly callFees: 'nonce' | 'none';
  /** The search for a gas limit ends when the limit is known up to this part, in thousandths. */
  readonly estimateTolerance: bigint;
  /** Installs a contract by a message; returns the problem, undefined on success. */
  readonly preinstall: (context: Context, contract: Preinstall) => string | undefined;
}

/** A failed transaction keeps its authorizations (EIP-7702), and geth stops searching at 1.5 %. */
export const executionRules = new RuleSet<ExecutionRules>({
  keptOfFailed: (changes) => changes,
  callFees: 'nonce',
  estimateTolerance: 15n,
  preinstall,
});
