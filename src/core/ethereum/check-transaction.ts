/** Stateless transaction rules in geth's order, with geth's texts (geth v1.17 `core/txpool/validation.go`). */
import { gasShortage, MAX_INITCODE_SIZE } from './gas-rules.js';
import type { EthereumTransaction } from './transaction.js';
import { feeCapOf, tipCapOf } from './transaction-sender.js';

/** Highest nonce of an account (EIP-2681). */
export const MAX_NONCE = (1n << 64n) - 2n;

/**
 * Returns geth's text for the first violated rule; undefined when all hold. Checks the block's gas limit when given.
 */
export function checkTransaction(transaction: EthereumTransaction, blockGasLimit?: bigint): string | undefined {
  const { gasLimit, data, to, nonce } = transaction;
  if (to === undefined && data.length > MAX_INITCODE_SIZE) {
    return `max initcode size exceeded: code size ${data.length}, limit ${MAX_INITCODE_SIZE}`;
  }
  if (blockGasLimit !== undefined && gasLimit > blockGasLimit) return `exceeds block gas limit`;
  if (feeCapOf(transaction) < tipCapOf(transaction)) return 'max priority fee per gas higher than max fee per gas';
  if (nonce > MAX_NONCE) return 'nonce has max value';
  const shortage = gasShortage(transaction, gasLimit);
  if (shortage !== undefined) return `${shortage.text}: gas ${gasLimit}, minimum needed ${shortage.needed}`;
  if (transaction.type === 4 && transaction.authorizations.length === 0)
    return 'set code tx must have at least one authorization tuple';
  return undefined;
}

/** Largest amount that a transaction can take from its sender, in wei: gas limit times fee cap, plus value. */
export function costOf(transaction: EthereumTransaction): bigint {
  return transaction.gasLimit * feeCapOf(transaction) + transaction.value;
}

/** Error text for a nonce below the next one. The ante handler and the pool share this text and the next three. */
export const nonceTooLow = (next: bigint, got: bigint): string => `nonce too low: next nonce ${next}, tx nonce ${got}`;
/** Error text for a nonce above the next one of the sender. */
export const nonceTooHigh = (next: bigint, got: bigint): string =>
  `nonce too high: next nonce ${next}, tx nonce ${got}`;
/** Error text for a balance below the cost of a transaction, both in wei. */
export const insufficientFunds = (balance: bigint, cost: bigint): string =>
  `insufficient funds for gas * price + value: balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`;
/** Error text for a fee cap below the base fee, both in wei per gas. */
export const feeBelowBaseFee = (feeCap: bigint, baseFee: bigint): string =>
  `max fee per gas less than block base fee: maxFeePerGas: ${feeCap}, baseFee: ${baseFee}`;
