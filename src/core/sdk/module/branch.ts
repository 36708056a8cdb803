import { CacheStore } from '../../state/overlay.js';
import type { Context } from './context.js';
import { MeteredStore, OutOfGas, unmetered } from './gas.js';
import { SdkError } from './sdk-error.js';

/** A context whose writes and events reach the one that it was made from by `commit` only. */
export interface Branch {
  readonly context: Context;
  readonly commit: () => void;
}

/** The SDK's `Context.CacheContext`: accesses of the branch pay gas as those of `context` do. */
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
      context.events.push(...inner.events);
    },
  };
}

/**
 * Runs `action` in a branch, which is committed unless it throws SdkError; returns that error. A transaction whose gas
 * is used up ends all the same, as a panic does in the SDK.
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
