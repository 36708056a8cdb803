import { OutOfGas } from './gas.js';
import { RecoveredPanic, SdkError, wrapped } from './sdk-error.js';

/**
 * True for an error that a function of the SDK returns, so that its caller may put it in other words. Gas that runs out
 * and what Go's code panics with pass by every caller, up to the one who recovers (cosmos-sdk v0.53
 * `baseapp/recovery.go`); errors that are no SdkError are this program's own.
 */
export function isReturned(error: unknown): error is SdkError {
  return error instanceof SdkError && !(error instanceof OutOfGas || error instanceof RecoveredPanic);
}

/** Does `action`, and puts `text` before the error that it returns. */
export function wrapping<Result>(text: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw wrapped(error, text);
  }
}
