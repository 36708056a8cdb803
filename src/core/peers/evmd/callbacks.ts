import { newAccount, setAccount } from '../../modules/auth/accounts.js';
import { callbackRules } from '../../modules/callbacks/rules.js';
import { callContract } from '../../modules/evm/internal-call.js';

export const callbacks = callbackRules.with({
  /** A new account takes the place of one that is there (cosmos/evm v0.6 `x/ibc/callbacks/keeper/keeper.go`). */
  makeAccount: (context, address) => setAccount(context, address, newAccount(context, address)),
  /** The callback pays for its settings and for the gas of the EVM, and then for that gas again. */
  callAfterTimeout: (context, cheap, call) => callContract(context, { ...call, state: cheap }),
});
