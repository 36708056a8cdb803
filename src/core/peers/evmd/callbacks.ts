import { newAccount, setAccount } from '../../modules/auth/accounts.js';
import { callbackRules } from '../../modules/callbacks/rules.js';
import { callContract } from '../../modules/evm/internal-call.js';

export const callbacks = callbackRules.with({
  /** A new account replaces an existing one (cosmos/evm v0.6 `x/ibc/callbacks/keeper/keeper.go`). */
  makeAccount: (context, address) => setAccount(context, address, newAccount(context, address)),
  /** The callback pays for its parameters, for the EVM's gas, and for that gas a second time. */
  callAfterTimeout: (context, cheap, call) => callContract(context, { ...call, state: cheap }),
});
