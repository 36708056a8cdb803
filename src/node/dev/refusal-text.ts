import { sdkErrors } from '../../core/sdk/module/sdk-error.js';

/** Result of a failed or rejected transaction. */
export interface FailedResult {
  readonly code: number;
  readonly codespace: string;
  /** `failed to execute message; message index: 0: <reason>: <text of the registered error>`. */
  readonly log: string;
}

/**
 * Prefix that `src/core/app/run-tx.ts` adds to the reason. A dev command's transaction has one message, so its index
 * is 0.
 */
const FRAME = 'failed to execute message; message index: 0: ';

/** The reason without the prefix, because callers of a command do not know its message. */
export function refusalText({ code, codespace, log }: FailedResult): string {
  const reason = log.startsWith(FRAME) ? log.slice(FRAME.length) : log;
  const registered = Object.values(sdkErrors).find((one) => one.code === code && one.codespace === codespace);
  const end = registered === undefined ? '' : `: ${registered.text}`;
  return reason.endsWith(end) ? reason.slice(0, reason.length - end.length) : reason;
}
