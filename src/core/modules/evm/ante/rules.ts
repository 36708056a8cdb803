/** Rules of an Ethereum transaction against the state and the block; each throws SdkError. */
import { hex } from '../../../bytes/hex.js';
import {
  costOf,
  feeBelowBaseFee,
  insufficientFunds,
  nonceTooHigh,
  nonceTooLow,
} from '../../../ethereum/check-transaction.js';
import { effectiveGasPrice, feeCapOf, recoverSender } from '../../../ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../../ethereum/transaction.js';
import { isUnsignedBy } from '../../../ethereum/unsigned.js';
import { checksumAddress } from '../../../keys/address.js';
import { AccessType } from '../../../proto/cosmos/evm/vm/v1/evm_pb.js';
import { delegateOfCode } from '../../../evm/delegation.js';
import { admittedPrice } from '../../../sdk/module/admitted-price.js';
import type { Context } from '../../../sdk/module/context.js';
import { plainError, SdkError, sdkErrors } from '../../../sdk/module/sdk-error.js';
import { isDevelopmentChain } from '../../../sdk/module/development-chain.js';
import { evmGasLimit } from '../../feemarket/base-fee.js';
import { missedMinimumFee } from '../../feemarket/minimum-fee.js';
import { getParams as getFeeMarketParams } from '../../feemarket/params.js';
import { statedFee, type EthereumMessage } from '../ethereum-message.js';
import { brokenRule, hasRulesOfGeth, refusal } from '../refusals.js';
import { wrongSender } from './rules-of-evmd.js';
import { getCode, getCodeHash, getParams, isEmptyCodeHash } from '../store.js';
import { evmCoin } from '../../../sdk/coins/evm-coin.js';

/** The highest price reaches the lowest price of admission, as for Cosmos transactions. */
export function requireAdmittedPrice(context: Context, transaction: EthereumTransaction): void {
  const minGasPrice = admittedPrice(context);
  const offered = feeCapOf(transaction);
  if (offered >= minGasPrice) return;
  throw refusal(
    context,
    sdkErrors.insufficientFee,
    `transaction underpriced: gas price ${offered}, minimum needed ${minGasPrice}`,
    () =>
      new SdkError(
        sdkErrors.insufficientFee,
        `insufficient fee; got: ${statedFee(transaction)} required: ${minGasPrice * transaction.gasLimit}`,
      ),
  );
}

/**
 * The price that is paid reaches the lowest price of the fee market, which counts coins of bank; evmd takes it for wei
 * (cosmos/evm v0.6 `ante/evm/utils.go`).
 */
export function requireMinimumPrice(context: Context, transaction: EthereumTransaction, baseFee: bigint): void {
  const price =
    transaction.type === 2 || transaction.type === 4 ? effectiveGasPrice(transaction, baseFee) : feeCapOf(transaction);
  const fee = price * transaction.gasLimit;
  const { minGasPrice: stated } = getFeeMarketParams(context);
  const minGasPrice = hasRulesOfGeth(context) ? stated * evmCoin(context).unit : stated;
  const minimum = missedMinimumFee({ minGasPrice }, fee, transaction.gasLimit);
  if (minimum === undefined) return;
  const text = `provided fee < minimum global fee (${fee} < ${minimum}). Please increase the priority tip (for EIP-1559 txs) or the gas prices (for access list or legacy txs)`;
  throw refusal(
    context,
    sdkErrors.insufficientFee,
    `transaction underpriced: ${text}`,
    () => new SdkError(sdkErrors.insufficientFee, text),
  );
}

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
 * The transaction is signed for this chain, by the sender in the message. Blocks of a development chain may hold
 * transactions of impersonated senders, and transactions without a chain id: a node in dev mode admits them by its own
 * commands, as `verified`, and no check of a transaction that comes from elsewhere lets them in. Another chain takes
 * them from no command, either: the block is executed again without `verified`.
 */
export function requireSender(context: Context, { transaction, from }: EthereumMessage, verified: boolean): void {
  const isUnsigned = isUnsignedBy(transaction, from);
  // cosmos/evm v0.6 has this rule on its Ethereum face alone
  const isUnprotected = transaction.chainId === undefined && hasRulesOfGeth(context);
  const isAdmitted =
    (isUnsigned || isUnprotected) && (verified || context.mode === 'deliver') && isDevelopmentChain(context);
  if (isUnprotected && !isAdmitted)
    throw new SdkError(sdkErrors.invalidSigner, 'only replay-protected (EIP-155) transactions allowed');
  if (isUnsigned ? isAdmitted : verified) return;
  const recovered = recoverSender(context.crypto, transaction, context.chain.evmChainId);
  if (!recovered.ok) throw brokenRule(context, recovered.message);
  if (hex(recovered.sender) === hex(from)) return;
  throw wrongSender(checksumAddress(context.crypto, recovered.sender), from);
}

/**
 * Contracts send nothing, unless they are impersonated (dev mode); an account that delegates (EIP-7702) is not a
 * contract.
 */
export function requireNoCode(context: Context, from: Uint8Array, transaction: EthereumTransaction): void {
  if (isUnsignedBy(transaction, from)) return;
  const hash = getCodeHash(context, from);
  if (isEmptyCodeHash(hash)) return;
  const code = getCode(context, hash) ?? new Uint8Array(0);
  if (code.length === 0 || delegateOfCode(code) !== undefined) return;
  const address = checksumAddress(context.crypto, from);
  throw refusal(
    context,
    sdkErrors.invalidType,
    `sender not an eoa: address ${address}, len(code): ${code.length}`,
    () => new SdkError(sdkErrors.invalidType, `the sender is not EOA: address ${address}`),
  );
}

export function requireFunds(context: Context, balance: bigint, transaction: EthereumTransaction): void {
  const cost = costOf(transaction);
  if (balance >= cost) return;
  throw refusal(
    context,
    sdkErrors.insufficientFunds,
    insufficientFunds(balance, cost),
    () =>
      new SdkError(
        sdkErrors.insufficientFunds,
        `failed to check sender balance: sender balance < tx cost (${balance} < ${cost})`,
      ),
  );
}

export function requireFeeCap(context: Context, transaction: EthereumTransaction, baseFee: bigint): void {
  const feeCap = feeCapOf(transaction);
  if (feeCap >= baseFee) return;
  throw refusal(
    context,
    sdkErrors.insufficientFee,
    feeBelowBaseFee(feeCap, baseFee),
    () => new SdkError(sdkErrors.insufficientFee, `max fee per gas less than block base fee (${feeCap} < ${baseFee})`),
  );
}

/** The whole gas limit is paid in advance at the effective price; the rest comes back after the execution. */
export function feeOf(transaction: EthereumTransaction, baseFee: bigint): bigint {
  return effectiveGasPrice(transaction, baseFee) * transaction.gasLimit;
}

export function requireNonce(context: Context, next: bigint, { nonce }: EthereumTransaction): void {
  if (nonce > next) {
    throw refusal(context, sdkErrors.wrongSequence, nonceTooHigh(next, nonce), () =>
      plainError(`tx nonce: ${nonce}, account accountNonce: ${next}: tx nonce is higher than account nonce`),
    );
  }
  if (nonce < next) {
    throw refusal(context, sdkErrors.wrongSequence, nonceTooLow(next, nonce), () =>
      plainError(`invalid nonce; got ${nonce}, expected ${next}: tx nonce is lower than account nonce`),
    );
  }
}

export function requireBlockGas(context: Context, wanted: bigint): void {
  const limit = evmGasLimit(context);
  if (wanted <= limit) return;
  throw refusal(
    context,
    sdkErrors.outOfGas,
    'exceeds block gas limit',
    () => new SdkError(sdkErrors.outOfGas, `tx gas (${wanted}) exceeds block gas limit (${limit})`),
  );
}
