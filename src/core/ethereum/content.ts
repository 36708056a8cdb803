import type { Crypto } from '../ports/crypto.js';
import { decodeTransaction } from './transaction-codec.js';
import type { EthereumTransaction } from './transaction.js';
import { unwrapTransaction, type WrappedTransaction } from './wrapped-transaction.js';

/** A decoded and hashed Ethereum transaction with the sender in its wrapper. */
export interface EthereumContent extends WrappedTransaction {
  readonly transaction: EthereumTransaction;
  /** keccak256 of its raw bytes. */
  readonly hash: Uint8Array;
}

/**
 * Contents by the array of the wrapping transaction. It is the same unchanged array from admission to the block view,
 * so each transaction is decoded and hashed once.
 */
const known = new WeakMap<Uint8Array, EthereumContent>();

/** Caches the content of `consensusTx` for a caller that built it. */
export function rememberContent(consensusTx: Uint8Array, content: EthereumContent): void {
  known.set(consensusTx, content);
}

/** True when `contentOf` returns without decoding. */
export function isContentKnown(consensusTx: Uint8Array): boolean {
  return known.has(consensusTx);
}

/** Ethereum transaction inside a consensus transaction; undefined when it has none or its bytes do not decode. */
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

/** Ethereum hash of the transaction inside, even when its bytes do not decode; undefined when there is none. */
export function ethereumHashOf(crypto: Pick<Crypto, 'keccak256'>, consensusTx: Uint8Array): Uint8Array | undefined {
  const content = known.get(consensusTx);
  if (content !== undefined) return content.hash;
  const wrapped = unwrapTransaction(consensusTx);
  return wrapped === undefined ? undefined : crypto.keccak256(wrapped.raw);
}
