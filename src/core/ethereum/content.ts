import type { Crypto } from '../ports/crypto.js';
import { decodeTransaction } from './transaction-codec.js';
import type { EthereumTransaction } from './transaction.js';
import { unwrapTransaction, type WrappedTransaction } from './wrapped-transaction.js';

/** The Ethereum transaction of a consensus transaction, decoded and hashed. */
export interface EthereumContent extends WrappedTransaction {
  readonly transaction: EthereumTransaction;
  /** keccak256 of its raw bytes. */
  readonly hash: Uint8Array;
}

/**
 * By the bytes of the consensus transaction, which stay the same array, unchanged, from the admission to the block and its
 * view: one that is sent here is decoded and hashed once, by whoever receives it.
 */
const known = new WeakMap<Uint8Array, EthereumContent>();

/** Says what `consensusTx` holds: its maker knows. */
export function rememberContent(consensusTx: Uint8Array, content: EthereumContent): void {
  known.set(consensusTx, content);
}

/** What a consensus transaction holds; undefined for any other kind, and for bytes that are no Ethereum transaction. */
export function contentOf(crypto: Pick<Crypto, 'keccak256'>, consensusTx: Uint8Array): EthereumContent | undefined {
  const before = known.get(consensusTx);
  if (before !== undefined) return before;
  const wrapped = unwrapTransaction(consensusTx);
  const decoded = wrapped === undefined ? undefined : decodeTransaction(wrapped.raw);
  if (wrapped === undefined || decoded?.ok !== true) return undefined;
  const content = { ...wrapped, transaction: decoded.transaction, hash: crypto.keccak256(wrapped.raw) };
  known.set(consensusTx, content);
  return content;
}

/** Hash by which the Ethereum transaction inside is found, also when its bytes are none; undefined for any other kind. */
export function ethereumHashOf(crypto: Pick<Crypto, 'keccak256'>, consensusTx: Uint8Array): Uint8Array | undefined {
  const content = contentOf(crypto, consensusTx);
  if (content !== undefined) return content.hash;
  const wrapped = unwrapTransaction(consensusTx);
  return wrapped === undefined ? undefined : crypto.keccak256(wrapped.raw);
}
