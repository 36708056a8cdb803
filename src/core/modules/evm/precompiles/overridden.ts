import type { EvmAccountChange } from '../../../evm/outcome.js';
import type { EvmOverride } from '../../../evm/state.js';
import type { Context } from '../../../sdk/module/context.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { CacheStore } from '../../../state/overlay.js';
import { applyChanges } from '../apply-changes.js';
import { evmState } from '../state.js';
import { EMPTY_CODE_HASH } from '../store.js';

/** Context over a store with a call's overrides, so that precompiles see them too. */
export function overridden(context: Context, overrides: readonly EvmOverride[]): Context {
  if (overrides.length === 0) return context;
  const edited: Context = { ...context, store: new CacheStore(context.store), events: [] };
  for (const edit of overrides) applyEdit(edited, changeOf(edited, edit));
  return edited;
}

/** Writes an override, which need not follow the chain's rules. */
export function applyEdit(context: Context, change: EvmAccountChange): void {
  try {
    applyChanges({ ...context, events: [] }, [change]);
  } catch (error) {
    // For example coins from nothing, or for an account that may not receive: only the EVM sees them.
    if (!(error instanceof SdkError)) throw error;
  }
}

function changeOf(context: Context, edit: EvmOverride): EvmAccountChange {
  const { address, balance, nonce, code, storage, slots = [] } = edit;
  const before = evmState(context).account(address) ?? { balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH };
  return {
    kind: 'changed',
    address,
    created: storage !== undefined,
    balance: balance ?? before.balance,
    nonce: nonce ?? before.nonce,
    codeHash: code === undefined ? before.codeHash : context.crypto.keccak256(code),
    code,
    slots: [...(storage ?? []), ...slots],
  };
}
