import type { Context } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { ensureAccount } from '../auth/accounts.js';
import { callContract, type InternalCall, type InternalResult } from '../evm/internal-call.js';

export interface CallbackRules {
  /** Creates the account that holds tokens for a callback. */
  readonly makeAccount: (context: Context, address: Uint8Array) => void;
  /** Calls a contract after a timeout; `cheap` is `context` with free store accesses. */
  readonly callAfterTimeout: (context: Context, cheap: Context, call: InternalCall) => InternalResult;
}

export const callbackRules = new RuleSet<CallbackRules>({
  makeAccount: ensureAccount,
  callAfterTimeout: (_context, cheap, call) => callContract(cheap, call),
});
