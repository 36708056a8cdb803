/** The work of listeners after an Ethereum transaction (cosmos/evm v0.6 `ApplyTransaction` in `x/vm/keeper`). */
import { branch, type Branch } from '../../sdk/module/branch.js';
import { type Context, withStore } from '../../sdk/module/context.js';
import type { EthereumHooks, ExecutedTransaction } from '../../sdk/module/hooks.js';
import { SdkError } from '../../sdk/module/sdk-error.js';

/**
 * Tells the listeners of a transaction that was executed in the branch `attempted` of `context`. All of them together
 * act, or nothing of theirs stays; a refusal also undoes a transaction that succeeded, and is the text for its
 * `vm_error`. What a failed transaction leaves (EIP-7702's authorizations) stays whatever they do.
 */
export function tellListeners(
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
  // the engine does not know what listeners write
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
