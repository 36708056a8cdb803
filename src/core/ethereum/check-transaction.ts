/**
 * Rules of transactions that do not depend on the state, in geth's order and texts (geth v1.17
 * `core/txpool/validation.go`).
 */
import { gasShortage, MAX_INITCODE_SIZE } from './gas-rules.js';
import type { EthereumTransaction } from './transaction.js';
import { feeCapOf, tipCapOf } from './transaction-sender.js';

/** EIP-2681: the highest nonce that an account may use; the one after it is the last that fits 64 bits. */
export const MAX_NONCE = (1n << 64n) - 2n;

/** geth's text for the first broken rule; undefined when all hold. `gasLimit` of the block is checked when given. */
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

/** Largest amount that a transaction can take from its sender: gas at the highest price, and its value. wei. */
export function costOf(transaction: EthereumTransaction): bigint {
  return transaction.gasLimit * feeCapOf(transaction) + transaction.value;
}

/** Error text for a nonce below the next one; this text and the next three serve the ante rules and the pool alike. */
export const nonceTooLow = (next: bigint, got: bigint): string => `nonce too low: next nonce ${next}, tx nonce ${got}`;
/** Error text for a nonce after the sender's next one. */
export const nonceTooHigh = (next: bigint, got: bigint): string =>
  `nonce too high: next nonce ${next}, tx nonce ${got}`;
/** Error text for a balance below the cost of a transaction; both are wei. */
export const insufficientFunds = (balance: bigint, cost: bigint): string =>
  `insufficient funds for gas * price + value: balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`;
/** Error text for a highest price below the base fee; both are wei per gas. */
export const feeBelowBaseFee = (feeCap: bigint, baseFee: bigint): string =>
  `max fee per gas less than block base fee: maxFeePerGas: ${feeCap}, baseFee: ${baseFee}`;
