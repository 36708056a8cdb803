/** WERC-20 methods of the native coin, which needs no wrapping (cosmos/evm v0.6 `precompiles/werc20`). */
import { getSpendable } from '../../modules/bank/spendable.js';
import { moveCoins } from '../../modules/evm/coins.js';
import { evmCoin } from '../../sdk/coins/evm-coin.js';
import { EMPTY } from '../../bytes/bytes.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import type { ContractCall } from '../../sdk/module/stateful-precompile.js';
import { padded, uint256 } from '../abi/words.js';
import { emitLog, type Method, writeMethod } from '../contract.js';

/** Returns the call's value to its sender. */
export function deposit(context: Context, call: ContractCall): Uint8Array {
  const { address, caller, value } = call;
  moveCoins(context, address, caller, value);
  emitLog(context, call, 'Deposit(address,uint256)', [padded(caller)], uint256.encode(value));
  return EMPTY;
}

export const depositMethod: Method = writeMethod('deposit', [], [], (context, _, call) => {
  deposit(context, call);
  return [];
});

/** Emits a Withdrawal event if the sender has the amount; moves nothing. */
export const withdrawMethod: Method = writeMethod('withdraw', [uint256], [], (context, [amount], call) => {
  const { denom, unit } = evmCoin(context);
  const balance = getSpendable(context, call.caller, denom);
  if (balance * unit < amount) throw plainError(`account balance ${balance} is lower than withdraw balance ${amount}`);
  emitLog(context, call, 'Withdrawal(address,uint256)', [padded(call.caller)], uint256.encode(amount));
  return [];
});
