import type { EvmTransaction } from '../../evm/transaction.js';

/** Transaction for a call by the chain itself: no fee and no value. */
export function freeTransaction(
  call: Pick<EvmTransaction, 'from' | 'nonce' | 'gasLimit' | 'data'> & { readonly to: Uint8Array },
): EvmTransaction {
  return {
    ...call,
    type: 0,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: undefined,
    value: 0n,
    accessList: [],
    authorizations: [],
  };
}
