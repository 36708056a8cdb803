import type { EvmResult } from '../../evm/engine.js';

/** geth's words for how an execution ended; empty on success. The engine's reasons of halts are geth's already. */
export function vmErrorOf(result: Pick<EvmResult, 'status' | 'reason'>): string {
  if (result.status === 'success') return '';
  return result.status === 'revert' ? 'execution reverted' : (result.reason ?? 'execution failed');
}
