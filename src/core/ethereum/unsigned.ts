import { bigintOfBytes } from '../bytes/big-endian.js';
import type { EthereumTransaction } from './transaction.js';

/** The fields that a sender signs. */
export type UnsignedTransaction<Transaction extends EthereumTransaction = EthereumTransaction> =
  Transaction extends EthereumTransaction ? Omit<Transaction, 'r' | 's' | 'yParity'> : never;

/** Above every address, so that the value is never zero: go-ethereum's client refuses to read an r of zero. */
const MARK = 1n << 160n;

/**
 * The transaction of an impersonated sender (dev mode), for which no private key signs: r names the sender, so that two
 * senders never have transactions with one hash, and s is 1, which no signer makes.
 */
export function unsignedBy(transaction: UnsignedTransaction, sender: Uint8Array): EthereumTransaction {
  return { ...transaction, yParity: 0, r: markOf(sender), s: 1n };
}

/** True for a transaction that `unsignedBy` made for this sender. */
export function isUnsignedBy({ r, s }: Pick<EthereumTransaction, 'r' | 's'>, sender: Uint8Array): boolean {
  return s === 1n && r === markOf(sender);
}

function markOf(sender: Uint8Array): bigint {
  return MARK | bigintOfBytes(sender);
}
