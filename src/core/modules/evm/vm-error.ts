import type { EvmResult } from '../../evm/engine.js';

/**
 * geth's text for the failure of an execution; empty on success. The engine's reasons of halts already have geth's
 * texts.
 */
export function vmErrorOf(result: Pick<EvmResult, 'status' | 'reason'>): string {
  if (result.status === 'success') return '';
  return result.status === 'revert' ? 'execution reverted' : (result.reason ?? 'execution failed');
}
