/**
 * Rules of an Ethereum transaction alone, in the order of evmd: those of the message come before the ante rules
 * (cosmos/evm v0.6 `x/vm/types/msg.go` ValidateBasic), the others are the first of them (go-ethereum v1.16.2
 * `core/txpool/validation.go`, called by `ante/evm/mono_decorator.go`).
 */
import { floorShortage, intrinsicShortage, MAX_INITCODE_SIZE, type GasShortage } from '../../../ethereum/gas-rules.js';
import { feeCapOf, recoverSender, tipCapOf } from '../../../ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../../ethereum/transaction.js';
import type { Context } from '../../../sdk/context.js';
import type { ValidationRules } from '../../../sdk/module.js';
import { plainError } from '../../../sdk/sdk-error.js';
import { readEthereumMessage, type EthereumMessage } from '../ethereum-message.js';
import { hasRulesOfGeth } from '../refusals.js';

/** Rules of the message; the other rules of geth have their own place. */
export function validateMessage(value: Uint8Array, rules: ValidationRules): void {
  if (hasRulesOfGeth(rules)) return;
  const { transaction } = readEthereumMessage(value);
  if (feeCapOf(transaction) < tipCapOf(transaction))
    throw plainError('max priority fee per gas higher than max fee per gas');
  refuseShortage(transaction, intrinsicShortage(transaction, transaction.gasLimit));
  if (transaction.type === 4 && transaction.authorizations.length === 0)
    throw plainError('set code tx must have at least one authorization tuple');
}

/** `verified`: the signature was verified before. */
export function requireValid(context: Context, { transaction }: EthereumMessage, verified: boolean): void {
  const { data, to, gasLimit } = transaction;
  if (to === undefined && data.length > MAX_INITCODE_SIZE)
    throw plainError(`max initcode size exceeded: code size ${data.length}, limit ${MAX_INITCODE_SIZE}`);
  if (!verified) {
    const recovered = recoverSender(context.crypto, transaction, context.chain.evmChainId);
    if (!recovered.ok) throw plainError(recovered.message);
  }
  refuseShortage(transaction, floorShortage(data, gasLimit));
}

function refuseShortage({ gasLimit }: EthereumTransaction, shortage: GasShortage | undefined): void {
  if (shortage !== undefined) throw plainError(`${shortage.text}: gas ${gasLimit}, minimum needed ${shortage.needed}`);
}
