import { sdkErrors } from '../../core/sdk/module/sdk-error.js';

/** The result of a transaction that failed, or was not admitted. */
export interface FailedResult {
  readonly code: number;
  readonly codespace: string;
  /** `failed to execute message; message index: 0: <reason>: <text of the registered error>`. */
  readonly log: string;
}

/** Words that `src/core/app/run-tx.ts` puts before the reason; the transaction of a command has one message. */
const FRAME = 'failed to execute message; message index: 0: ';

/** The reason alone: callers of a command know nothing of its message. */
export function refusalText({ code, codespace, log }: FailedResult): string {
  const reason = log.startsWith(FRAME) ? log.slice(FRAME.length) : log;
  const registered = Object.values(sdkErrors).find((one) => one.code === code && one.codespace === codespace);
  const end = registered === undefined ? '' : `: ${registered.text}`;
  return reason.endsWith(end) ? reason.slice(0, reason.length - end.length) : reason;
}
