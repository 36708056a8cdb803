import { OutOfGas } from './gas.js';
import { RecoveredPanic, SdkError, wrapped } from './sdk-error.js';

/**
 * True for an error that an SDK function returns, so that callers may wrap it. Out-of-gas errors and Go panics are
 * not returned but recovered further up (cosmos-sdk v0.53 `baseapp/recovery.go`); errors other than SdkError are this
 * program's own.
 */
export function isReturned(error: unknown): error is SdkError {
  return error instanceof SdkError && !(error instanceof OutOfGas || error instanceof RecoveredPanic);
}

/** Runs `action` and prefixes `text` to the error that it returns. */
export function wrapping<Result>(text: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw wrapped(error, text);
  }
}
