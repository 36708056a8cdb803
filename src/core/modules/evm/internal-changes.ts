/**
 * Writes of a call by a module, which its transaction pays for (cosmos/evm v0.6 `x/vm/statedb/statedb.go`
 * commitWithCtx).
 */
import type { EvmAccountChange } from '../../evm/outcome.js';
import type { Context } from '../../sdk/module/context.js';
import { hasAccount } from '../auth/accounts.js';
import { applyChanges } from './apply-changes.js';

/** Writes accounts one after another, because the peer settles each balance separately. */
export function payForChanges(context: Context, changes: readonly EvmAccountChange[]): void {
  for (const change of changes) applyChanges(context, [change]);
}

/**
 * Adds accounts that were touched and created by the call: each write of them is paid. `context` is the one before
 * the call.
 */
export function withCreatedAccounts(
  context: Context,
  changes: readonly EvmAccountChange[],
): readonly EvmAccountChange[] {
  return changes.flatMap((change): readonly EvmAccountChange[] => {
    if (change.kind !== 'changed' || change.isTouch !== true) return [change];
    if (hasAccount(context, change.address)) return [];
    const { isTouch: _, ...made } = change;
    return [made];
  });
}
