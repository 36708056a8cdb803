import type { EvmResult } from '../../evm/outcome.js';

/** The engine's halt reason when a transaction calls a precompile that halts. */
const CONTRACT_HALTED = 'precompile failed';

/**
 * geth's error text for a failed execution; empty on success. The engine's halt reasons already have geth's texts.
 * `halted`: error text of the last precompile that halted.
 */
export function vmErrorOf(result: Pick<EvmResult, 'status' | 'reason'>, halted = ''): string {
  if (result.status === 'success') return '';
  if (result.reason === CONTRACT_HALTED && halted !== '') return halted;
  return result.status === 'revert' ? 'execution reverted' : (result.reason ?? 'execution failed');
}
