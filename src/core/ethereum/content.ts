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
 * Contents by the bytes of the consensus transaction, which stay the same unchanged array from admission to the block
 * and its view, so that each transaction is decoded and hashed once.
 */
const known = new WeakMap<Uint8Array, EthereumContent>();

/** Records the content of `consensusTx`, which its maker knows without decoding. */
export function rememberContent(consensusTx: Uint8Array, content: EthereumContent): void {
  known.set(consensusTx, content);
}

/** True when `contentOf` answers without decoding. */
export function isContentKnown(consensusTx: Uint8Array): boolean {
  return known.has(consensusTx);
}

/**
 * The content of a consensus transaction; undefined for one of another kind, and for bytes that are not an Ethereum
 * transaction.
 */
export function contentOf(crypto: Pick<Crypto, 'keccak256'>, consensusTx: Uint8Array): EthereumContent | undefined {
  const before = known.get(consensusTx);
  if (before !== undefined) return before;
  const wrapped = unwrapTransaction(consensusTx);
  const decoded = wrapped === undefined ? undefined : decodeTransaction(wrapped.raw);
  if (wrapped === undefined || decoded?.ok !== true) return undefined;
  const { from, raw } = wrapped;
  const content = { from, raw, transaction: decoded.transaction, hash: crypto.keccak256(raw) };
  known.set(consensusTx, content);
  return content;
}

/**
 * Hash by which the Ethereum transaction inside is found, even when its bytes do not decode; undefined for a
 * transaction of another kind.
 */
export function ethereumHashOf(crypto: Pick<Crypto, 'keccak256'>, consensusTx: Uint8Array): Uint8Array | undefined {
  const content = known.get(consensusTx);
  if (content !== undefined) return content.hash;
  const wrapped = unwrapTransaction(consensusTx);
  return wrapped === undefined ? undefined : crypto.keccak256(wrapped.raw);
}
