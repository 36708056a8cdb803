/** Hooks after an Ethereum transaction (cosmos/evm v0.6 `ApplyTransaction` in `x/vm/keeper`). */
import { branch, type Branch } from '../../sdk/module/branch.js';
import { type Context, withStore } from '../../sdk/module/context.js';
import type { EthereumHooks, ExecutedTransaction } from '../../sdk/module/hooks.js';
import { SdkError } from '../../sdk/module/sdk-error.js';

/**
 * Calls the hooks for a transaction executed in the branch `attempted` of `context`. Either all hooks succeed or none
 * has effects; an error also reverts a successful transaction and becomes its `vm_error`. What a failed transaction
 * keeps (EIP-7702 authorizations) stays in any case.
 */
export function callPostTxHooks(
  context: Context,
  listeners: readonly EthereumHooks[],
  attempted: Branch,
  executed: ExecutedTransaction,
): string | undefined {
  let whole = attempted;
  if (executed.status === 'failed') {
    attempted.commit();
    whole = branch(context);
  }
  const { evm } = context;
  // Reports the hooks' writes to the engine.
  const store = evm?.watch(whole.context.store) ?? whole.context.store;
  const inner = withStore(whole.context, store);
  for (const { name, postTxProcessing } of listeners) {
    try {
      postTxProcessing(inner, executed);
    } catch (error) {
      if (!(error instanceof SdkError)) throw error;
      evm?.clear();
      return `failed to execute post transaction processing: EVM hook ${name} failed: ${error.message}`;
    }
  }
  whole.commit();
  return undefined;
}
