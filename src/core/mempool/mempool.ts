import type { DomainError } from '../errors.js';
import type { Limits } from '../limits.js';

/** A transaction that passed CheckTx and waits for a block. */
export interface PendingTx {
  readonly hash: string;
  readonly tx: Uint8Array;
  readonly gasWanted: bigint;
}

/**
 * Pending transactions in order of admission, with the cache of hashes that refuses duplicates
 * (CometBFT's list mempool: `tx already exists in cache`; the cache also remembers committed transactions).
 * Owner-mutable: admission must not copy the pool (design section 6).
 */
export class Mempool {
  readonly #limits: Pick<Limits, 'mempoolTxs' | 'mempoolBytes' | 'txBytes' | 'mempoolCache'>;
  readonly #pending = new Map<string, PendingTx>();
  readonly #seen = new Set<string>();
  #bytes = 0;

  constructor(limits: Pick<Limits, 'mempoolTxs' | 'mempoolBytes' | 'txBytes' | 'mempoolCache'>) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#pending.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Says why a transaction may not even be checked, or undefined when it may. */
  refuses(hash: string, bytes: number): DomainError | undefined {
    if (bytes > this.#limits.txBytes) return { code: 'tx-too-large', bytes, maximum: this.#limits.txBytes };
    if (this.#pending.size >= this.#limits.mempoolTxs || this.#bytes + bytes > this.#limits.mempoolBytes) {
      return {
        code: 'mempool-full',
        txs: this.#pending.size,
        bytes: this.#bytes,
        maximumTxs: this.#limits.mempoolTxs,
        maximumBytes: this.#limits.mempoolBytes,
      };
    }
    if (this.#seen.has(hash)) return { code: 'tx-in-cache' };
    return undefined;
  }

  has(hash: string): boolean {
    return this.#pending.has(hash);
  }

  /** Adds a checked transaction at the end. */
  add(entry: PendingTx): void {
    this.#remember(entry.hash);
    this.#pending.set(entry.hash, entry);
    this.#bytes += entry.tx.length;
  }

  /** Takes a transaction out; it may be sent again unless it was committed. */
  remove(hash: string, reason: 'committed' | 'invalid'): void {
    const entry = this.#pending.get(hash);
    if (entry !== undefined) {
      this.#pending.delete(hash);
      this.#bytes -= entry.tx.length;
    }
    if (reason === 'committed') this.#remember(hash);
    else this.#seen.delete(hash);
  }

  /** The first transactions that fit into a block; nothing is removed before the block is committed. */
  reap(maximum: { readonly bytes: number; readonly gas: bigint }): readonly Uint8Array[] {
    const txs: Uint8Array[] = [];
    let bytes = 0;
    let gas = 0n;
    for (const entry of this.#pending.values()) {
      bytes += entry.tx.length + PROTO_OVERHEAD;
      gas += entry.gasWanted;
      if (bytes > maximum.bytes || (maximum.gas >= 0n && gas > maximum.gas)) break;
      txs.push(entry.tx);
    }
    return txs;
  }

  entries(): IterableIterator<PendingTx> {
    return this.#pending.values();
  }

  #remember(hash: string): void {
    this.#seen.delete(hash);
    this.#seen.add(hash);
    if (this.#seen.size <= this.#limits.mempoolCache) return;
    for (const oldest of this.#seen) {
      // A pending transaction is never forgotten: a second copy of it could not be told apart in a block.
      if (this.#pending.has(oldest)) continue;
      this.#seen.delete(oldest);
      break;
    }
  }
}

/** Tag and length of one entry of `Data.txs` (tag 1 byte, length up to 4 bytes for `txBytes`). */
const PROTO_OVERHEAD = 5;
