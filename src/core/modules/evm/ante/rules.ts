/** Rules of Ethereum transactions that depend on state and block; each throws SdkError. */
import { hex } from '../../../bytes/hex.js';
import { costOf } from '../../../ethereum/check-transaction.js';
import { effectiveGasPrice, feeCapOf, recoverSender } from '../../../ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../../ethereum/transaction.js';
import { isUnsignedBy } from '../../../ethereum/unsigned.js';
import { checksumAddress } from '../../../keys/address.js';
import { AccessType } from '../../../proto/cosmos/evm/vm/v1/evm_pb.js';
import { delegateOfCode } from '../../../evm/delegation.js';
import { admittedPrice } from '../../../sdk/module/admitted-price.js';
import type { Context } from '../../../sdk/module/context.js';
import { SdkError, sdkErrors } from '../../../sdk/module/sdk-error.js';
import { isDevelopmentChain } from '../../../sdk/module/development-chain.js';
import { unmetMinimumFee } from '../../feemarket/minimum-fee.js';
import { getParams as getFeeMarketParams } from '../../feemarket/params.js';
import type { EthereumMessage } from '../ethereum-message.js';
import { blockRules } from '../block-rules.js';
import { ruleError, ethereumRefusals } from './refusals.js';
import { getCode, getCodeHash, getParams, isEmptyCodeHash } from '../store.js';

/** Requires a fee cap of at least the node's minimum price, as for Cosmos transactions. */
export function requireAdmittedPrice(context: Context, transaction: EthereumTransaction): void {
  const minGasPrice = admittedPrice(context);
  const offered = feeCapOf(transaction);
  if (offered >= minGasPrice) return;
  throw ethereumRefusals.of(context).notAdmitted(transaction, offered, minGasPrice);
}

/** Requires an effective price of at least the fee market's minimum (cosmos/evm v0.6 `ante/evm/utils.go`). */
export function requireMinimumPrice(context: Context, transaction: EthereumTransaction, baseFee: bigint): void {
  const price =
    transaction.type === 2 || transaction.type === 4 ? effectiveGasPrice(transaction, baseFee) : feeCapOf(transaction);
  const fee = price * transaction.gasLimit;
  const minimum = unmetMinimumFee(getFeeMarketParams(context), fee, transaction.gasLimit);
  if (minimum === undefined) return;
  throw ethereumRefusals
    .of(context)
    .belowMinimum(
      `provided fee < minimum global fee (${fee} < ${minimum}). Please increase the priority tip (for EIP-1559 txs) or the gas prices (for access list or legacy txs)`,
    );
}

/** Rejects creations or calls that the parameter `access_control` forbids (EVM errors 5 and 6). */
export function requireAccess(context: Context, { to }: EthereumTransaction): void {
  const control = getParams(context).accessControl;
  if (to === undefined && control?.create?.accessType === AccessType.RESTRICTED) {
    throw new SdkError(
      { codespace: 'evm', code: 5, text: 'EVM create operation is disabled' },
      'failed to create new contract',
    );
  }
  if (to !== undefined && control?.call?.accessType === AccessType.RESTRICTED) {
    throw new SdkError(
      { codespace: 'evm', code: 6, text: 'EVM Call operation is disabled' },
      'failed to perform a call',
    );
  }
}

/**
 * Requires a signature for this chain by the message's sender. Blocks of a dev chain may contain transactions of
 * impersonated senders and without chain id: a node in dev mode admits only its own, as `verified`; CheckTx of
 * outside transactions rejects them. Other chains reject them from commands too, because blocks are executed without
 * `verified`.
 */
export function requireSender(context: Context, { transaction, from }: EthereumMessage, verified: boolean): void {
  const isUnsigned = isUnsignedBy(transaction, from);
  const isUnprotected = transaction.chainId === undefined;
  const isAdmitted =
    (isUnsigned || isUnprotected) && (verified || context.mode === 'deliver') && isDevelopmentChain(context);
  if (isUnprotected && !isAdmitted)
    throw new SdkError(sdkErrors.invalidSigner, 'only replay-protected (EIP-155) transactions allowed');
  if (isUnsigned ? isAdmitted : verified) return;
  const recovered = recoverSender(context.crypto, transaction, context.chain.evmChainId);
  if (!recovered.ok) throw ruleError(recovered.message);
  if (hex(recovered.sender) === hex(from)) return;
  throw wrongSender(checksumAddress(context.crypto, recovered.sender), hex(from));
}

/** Error for a sender that did not sign; `from` is the message's text, in hexadecimal. */
export const wrongSender = (signer: string, from: string): SdkError =>
  new SdkError(
    sdkErrors.invalidSigner,
    `signature verification failed: sender verification failed. got ${signer}, expected 0x${from}`,
  );

/** Rejects senders with code, unless they are impersonated (dev mode) or delegate (EIP-7702). */
export function requireNoCode(context: Context, from: Uint8Array, transaction: EthereumTransaction): void {
  if (isUnsignedBy(transaction, from)) return;
  const hash = getCodeHash(context, from);
  if (isEmptyCodeHash(hash)) return;
  const code = getCode(context, hash) ?? new Uint8Array(0);
  if (code.length === 0 || delegateOfCode(code) !== undefined) return;
  const address = checksumAddress(context.crypto, from);
  throw ethereumRefusals.of(context).senderIsContract(address, code.length);
}

/** Requires a balance (wei) for value and gas limit at the fee cap. */
export function requireFunds(context: Context, balance: bigint, transaction: EthereumTransaction): void {
  const cost = costOf(transaction);
  if (balance < cost) throw ethereumRefusals.of(context).insufficientFunds(balance, cost);
}

/** Requires a fee cap of at least the base fee (EIP-1559), both in wei per gas. */
export function requireFeeCap(context: Context, transaction: EthereumTransaction, baseFee: bigint): void {
  const feeCap = feeCapOf(transaction);
  if (feeCap < baseFee) throw ethereumRefusals.of(context).belowBaseFee(feeCap, baseFee);
}

/** Fee to deduct in advance: the gas limit at the effective price. Unused gas is refunded after execution. */
export function feeOf(transaction: EthereumTransaction, baseFee: bigint): bigint {
  return effectiveGasPrice(transaction, baseFee) * transaction.gasLimit;
}

/** Requires the sender's next nonce. */
export function requireNonce(context: Context, next: bigint, { nonce }: EthereumTransaction): void {
  if (nonce > next) throw ethereumRefusals.of(context).nonceTooHigh(next, nonce);
  if (nonce < next) throw ethereumRefusals.of(context).nonceTooLow(next, nonce);
}

/** Requires a gas limit within the block's. */
export function requireBlockGas(context: Context, gas: bigint): void {
  const limit = blockRules.of(context).gasLimit(context);
  if (gas > limit) throw ethereumRefusals.of(context).aboveBlockGas(gas, limit);
}
