import { bigintOfBytes } from '../bytes/big-endian.js';
import type { EthereumTransaction } from './transaction.js';

/** The fields that a sender signs. */
export type UnsignedTransaction<Transaction extends EthereumTransaction = EthereumTransaction> =
  Transaction extends EthereumTransaction ? Omit<Transaction, 'r' | 's' | 'yParity'> : never;

/** Set in r so that it is never zero: go-ethereum's client rejects a zero r. */
const MARK = 1n << 160n;

/**
 * Transaction of an impersonated sender (dev mode), which no private key signs. r contains the sender, so
 * transactions of two senders never have equal hashes; s is 1, which no signer produces.
 */
export function unsignedBy(transaction: UnsignedTransaction, sender: Uint8Array): EthereumTransaction {
  return { ...transaction, yParity: 0, r: markOf(sender), s: 1n };
}

/** True for a transaction made by `unsignedBy` for this sender. */
export function isUnsignedBy({ r, s }: Pick<EthereumTransaction, 'r' | 's'>, sender: Uint8Array): boolean {
  return s === 1n && r === markOf(sender);
}

function markOf(sender: Uint8Array): bigint {
  return MARK | bigintOfBytes(sender);
}
