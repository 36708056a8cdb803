import { CacheStore } from '../../state/overlay.js';
import type { Context } from './context.js';
import { MeteredStore, OutOfGas, unmetered } from './gas.js';
import { SdkError } from './sdk-error.js';

/** A branched context: its writes and events reach the parent context only through `commit`. */
export interface Branch {
  readonly context: Context;
  readonly commit: () => void;
}

/** Creates a branch like the SDK's `Context.CacheContext`; its store accesses use the gas meter of `context`. */
export function branch(context: Context): Branch {
  const parent = unmetered(context.store);
  const cache = new CacheStore(parent);
  const store =
    context.store instanceof MeteredStore ? new MeteredStore(cache, context.gas, context.store.atLastPage) : cache;
  const inner: Context = { ...context, store, events: [] };
  return {
    context: inner,
    commit: () => {
      cache.commitTo(parent);
      for (const event of inner.events) context.events.push(event);
    },
  };
}

/**
 * Runs `action` in a branch and commits it, unless `action` throws SdkError, which is returned. Out-of-gas errors
 * propagate, like a panic in the SDK.
 */
export function attempt(context: Context, action: (context: Context) => void): SdkError | undefined {
  const { context: inner, commit } = branch(context);
  try {
    action(inner);
  } catch (error) {
    if (!(error instanceof SdkError) || (error instanceof OutOfGas && context.gas.limit !== undefined)) throw error;
    context.evm?.clear();
    return error;
  }
  commit();
  return undefined;
}
