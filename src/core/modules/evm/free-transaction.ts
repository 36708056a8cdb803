import type { EvmTransaction } from '../../evm/transaction.js';

/** A call of code by the chain itself, as a transaction that pays and sends nothing. */
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
