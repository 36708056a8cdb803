/** Transfers and approvals of the ERC-20 precompile (cosmos/evm v0.6 `precompiles/erc20/tx.go`, `approve.go`). */
import { isBlocked, requireSendEnabled } from '../../modules/bank/send-rules.js';
import { sendAmount } from '../../modules/bank/transfer.js';
import { moveCoins } from '../../modules/evm/coins.js';
import { evmCoin, evmDenom } from '../../sdk/coins/evm-coin.js';
import { getAllowance } from '../../modules/erc20/store.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { coin } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { ContractCall } from '../../sdk/module/stateful-precompile.js';
import { address, bool, padded, uint256 } from '../abi/words.js';
import { emitLog, type Method, writeMethod } from '../contract.js';
import { accountName } from '../requester.js';
import { allow } from './allowances.js';

/**
 * Moves tokens like precisebank, which emits an event for a fractional change of the native coin (cosmos/evm
 * `x/precisebank`).
 */
function moveToken(context: Context, from: Uint8Array, to: Uint8Array, denom: string, amount: bigint): void {
  if (denom === evmDenom(context)) moveCoins(context, from, to, amount);
  else sendAmount(context, from, to, { denom, amount });
}

/** Coin of the bank module for an amount of wei; its send-enabled switch decides whether wei may be sent. */
function coinOfBank(context: Context, wei: bigint): Coin {
  const { denom, unit } = evmCoin(context);
  return coin(denom, wei / unit);
}

function transfer(
  context: Context,
  call: ContractCall,
  denom: string,
  from: Uint8Array,
  to: Uint8Array,
  amount: bigint,
) {
  requireSendEnabled(context, [denom === evmDenom(context) ? coinOfBank(context, amount) : coin(denom, amount)]);
  if (isBlocked(context, to))
    throw new SdkError(sdkErrors.unauthorized, `${accountName(context, to)} is not allowed to receive funds`);
  try {
    moveToken(context, from, to, denom, amount);
  } catch (error) {
    if (error instanceof SdkError && error.message.includes('spendable balance'))
      throw plainError('ERC20: transfer amount exceeds balance');
    throw error;
  }
  emitLog(context, call, 'Transfer(address,address,uint256)', [padded(from), padded(to)], uint256.encode(amount));
}

function approval(context: Context, call: ContractCall, owner: Uint8Array, spender: Uint8Array, amount: bigint): void {
  emitLog(context, call, 'Approval(address,address,uint256)', [padded(owner), padded(spender)], uint256.encode(amount));
}

function requirePositive(denom: string, amount: bigint): void {
  if (amount === 0n) throw plainError(`coin 0${denom} amount is not positive`);
}

/** Methods `transfer`, `transferFrom` and `approve` for a denom. */
export function transferMethods(denom: string): readonly Method[] {
  return [
    writeMethod('transfer', [address, uint256], [bool], (context, [to, amount], call) => {
      requirePositive(denom, amount);
      transfer(context, call, denom, call.caller, to, amount);
      return [true];
    }),
    writeMethod('transferFrom', [address, address, uint256], [bool], (context, [from, to, amount], call) => {
      requirePositive(denom, amount);
      const allowed = { contract: call.address, owner: from, spender: call.caller };
      const left = getAllowance(context, [call.address, from, call.caller]) - amount;
      if (left < 0n) throw plainError('ERC20: insufficient allowance');
      allow(context, allowed, left);
      transfer(context, call, denom, from, to, amount);
      approval(context, call, from, call.caller, left);
      return [true];
    }),
    writeMethod('approve', [address, uint256], [bool], (context, [spender, amount], call) => {
      const { address: contract, caller: owner } = call;
      const before = getAllowance(context, [contract, owner, spender]);
      if (before > 0n || amount > 0n) allow(context, { contract, owner, spender }, amount);
      approval(context, call, owner, spender, amount);
      return [true];
    }),
  ];
}
