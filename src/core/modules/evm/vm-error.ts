import type { EvmResult } from '../../evm/outcome.js';

/** The engine's reason when the target of a transaction is a contract of the chain that halts. */
const CONTRACT_HALTED = 'precompile failed';

/**
 * geth's text for the failure of an execution; empty on success. The engine's reasons of halts already have geth's
 * texts. `halted`: the text of the last contract of the chain that halted.
 */
export function vmErrorOf(result: Pick<EvmResult, 'status' | 'reason'>, halted = ''): string {
  if (result.status === 'success') return '';
  if (result.reason === CONTRACT_HALTED && halted !== '') return halted;
  return result.status === 'revert' ? 'execution reverted' : (result.reason ?? 'execution failed');
}
