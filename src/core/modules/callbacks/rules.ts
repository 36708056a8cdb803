import type { Context } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { ensureAccount } from '../auth/accounts.js';
import { callContract, type InternalCall, type InternalResult } from '../evm/internal-call.js';

export interface CallbackRules {
  /** Makes the account that holds tokens for a callback. */
  readonly makeAccount: (context: Context, address: Uint8Array) => void;
  /** Calls a contract after a timeout; `cheap`: the state of `context` whose accesses cost nothing. */
  readonly callAfterTimeout: (context: Context, cheap: Context, call: InternalCall) => InternalResult;
}

export const callbackRules = new RuleSet<CallbackRules>({
  makeAccount: ensureAccount,
  callAfterTimeout: (_context, cheap, call) => callContract(cheap, call),
});
