/**
 * Rules of an Ethereum transaction alone, in the order of evmd: those of the message come before the ante rules
 * (cosmos/evm v0.6 `x/vm/types/msg.go` ValidateBasic), the others are the first of them (go-ethereum v1.16.2
 * `core/txpool/validation.go`, called by `ante/evm/mono_decorator.go`).
 */
import { hex } from '../../../bytes/hex.js';
import { floorShortage, intrinsicShortage, MAX_INITCODE_SIZE, type GasShortage } from '../../../ethereum/gas-rules.js';
import { feeCapOf, recoverSender, tipCapOf } from '../../../ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../../ethereum/transaction.js';
import type { Context } from '../../../sdk/module/context.js';
import type { ValidationRules } from '../../../sdk/module/module.js';
import { plainError, RecoveredPanic, SdkError, sdkErrors } from '../../../sdk/module/sdk-error.js';
import { readEthereumMessage, type EthereumMessage } from '../ethereum-message.js';
import { hasRulesOfGeth } from '../refusals.js';

const ADDRESS_BYTES = 20;
/** The deletion of the gas used before, in a transient store (`ante/evm/01_setup_ctx.go`). */
const RESET_GAS = 100n;

/** Rules of the message; the other rules of geth have their own place. */
export function validateMessage(value: Uint8Array, rules: ValidationRules): void {
  const { transaction, from } = readEthereumMessage(value);
  if (hasRulesOfGeth(rules)) {
    if (from.length === ADDRESS_BYTES) return;
    throw new SdkError(sdkErrors.invalidAddress, `the sender of an Ethereum transaction has ${ADDRESS_BYTES} bytes`);
  }
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

/**
 * The refusal of a sender that did not sign. The sender in the message may have any length, and is written into the
 * text of an address, which has room for 20 bytes (cosmos/evm v0.6 `x/vm/types/msg.go` VerifySender, `utils.go`
 * HexAddress).
 */
export function wrongSender(signer: string, from: Uint8Array): SdkError {
  const room = 2 * ADDRESS_BYTES;
  if (from.length > ADDRESS_BYTES)
    return new RecoveredPanic(`runtime error: index out of range [${room}] with length ${room}`, RESET_GAS);
  const expected = hex(from).padEnd(room, '\0');
  return new SdkError(
    sdkErrors.invalidSigner,
    `signature verification failed: sender verification failed. got ${signer}, expected 0x${expected}`,
  );
}
