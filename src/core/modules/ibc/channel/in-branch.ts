import { abciEvent } from '../../../sdk/module/abci-event.js';
import { branch } from '../../../sdk/module/branch.js';
import type { Context } from '../../../sdk/module/context.js';

/** Prefix for events and attributes of an application that returned an error. */
const REFUSED = 'ibccallbackerror-';

/**
 * Runs an application's packet callback in a branch. If it fails, only its events remain, with prefixed names (ibc-go
 * v10 `modules/core/internal/errors`).
 */
export function inBranch<Result>(
  context: Context,
  take: (inner: Context) => Result,
  isTaken: (result: Result) => boolean,
): Result {
  const { context: inner, commit } = branch(context);
  const result = take(inner);
  if (isTaken(result)) {
    commit();
    return result;
  }
  context.evm?.clear();
  if (context.mode !== 'check')
    for (const { type, attributes } of inner.events)
      context.events.push(
        abciEvent(
          `${REFUSED}${type}`,
          attributes.map(({ key, value }) => [`${REFUSED}${key}`, value] as const),
        ),
      );
  return result;
}
