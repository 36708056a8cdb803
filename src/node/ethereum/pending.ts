import type { EthereumPendingTransaction } from '../../core/ethereum/api.js';
import { decodeTransaction } from '../../core/ethereum/transaction-codec.js';
import { unwrapTransaction } from '../../core/ethereum/wrapped-transaction.js';
import type { PoolTransaction } from '../../core/mempool/pool-transaction.js';
import type { Crypto } from '../../core/ports/crypto.js';

/** Ethereum transactions of the pool as the Ethereum face shows them. */
export class PendingEthereum {
  readonly #crypto: Crypto;
  /** By the bytes of the consensus transaction, which stay the same object from admission to block. */
  readonly #views = new WeakMap<Uint8Array, EthereumPendingTransaction>();

  constructor(crypto: Crypto) {
    this.#crypto = crypto;
  }

  /** undefined for transactions of the other kind. */
  view(transaction: PoolTransaction): EthereumPendingTransaction | undefined {
    if (transaction.kind !== 'ethereum') return undefined;
    const known = this.#views.get(transaction.tx);
    if (known !== undefined) return known;
    const view = this.viewOf(transaction.tx);
    if (view !== undefined) this.#views.set(transaction.tx, view);
    return view;
  }

  /** `tx` shows as `view`: whoever made it knows. */
  remember(tx: Uint8Array, view: EthereumPendingTransaction): void {
    this.#views.set(tx, view);
  }

  /** From the bytes of a consensus transaction. */
  viewOf(tx: Uint8Array): EthereumPendingTransaction | undefined {
    const wrapped = unwrapTransaction(tx);
    const decoded = wrapped === undefined ? undefined : decodeTransaction(wrapped.raw);
    if (wrapped === undefined || decoded?.ok !== true) return undefined;
    return { hash: this.#crypto.keccak256(wrapped.raw), from: wrapped.from, transaction: decoded.transaction };
  }
}
