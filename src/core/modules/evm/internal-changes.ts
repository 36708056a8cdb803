/**
 * The writes of a call by a module, which its transaction pays for (cosmos/evm v0.6 `x/vm/statedb/statedb.go`
 * commitWithCtx).
 */
import type { EvmAccountChange } from '../../evm/outcome.js';
import type { Context } from '../../sdk/module/context.js';
import { hasAccount } from '../auth/accounts.js';
import { applyChanges } from './apply-changes.js';

/** Writes one account after the other: the peer settles the balance of each by itself. */
export function payForChanges(context: Context, changes: readonly EvmAccountChange[]): void {
  for (const change of changes) applyChanges(context, [change]);
}

/**
 * The changes, with accounts that were only touched where the call made them: each time these are written, they are
 * paid for. `context`: before the call.
 */
export function withMadeAccounts(context: Context, changes: readonly EvmAccountChange[]): readonly EvmAccountChange[] {
  return changes.flatMap((change): readonly EvmAccountChange[] => {
    if (change.kind !== 'changed' || change.isTouch !== true) return [change];
    if (hasAccount(context, change.address)) return [];
    const { isTouch: _, ...made } = change;
    return [made];
  });
}
