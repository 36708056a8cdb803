import type { DomainError } from '../errors.js';
import type { Limits } from '../limits.js';
import { Heap } from './heap.js';
import { RecentHashes } from './recent-hashes.js';
import { effectiveTip, isReplacement, type PoolTransaction } from './pool-transaction.js';

export type PoolLimits = Pick<
  Limits,
  | 'mempoolTxs'
  | 'mempoolBytes'
  | 'txBytes'
  | 'mempoolCache'
  | 'mempoolTxsPerAccount'
  | 'mempoolQueued'
  | 'mempoolQueuedPerAccount'
>;

/** `pending`: can be in the next block; `queued`: waits for a lower nonce. */
export type PoolPlace = 'pending' | 'queued';

interface Entry {
  readonly transaction: PoolTransaction;
  readonly place: PoolPlace;
  /** Order of admission. */
  readonly arrival: number;
}

/**
 * Waiting transactions of both kinds, with their nonces in order. The pool is mutable, because admission must not copy
 * it. It decides places and order; CheckTx decides validity before `add`.
 */
export class TransactionPool {
  readonly #limits: PoolLimits;
  readonly #entries = new Map<string, Entry>();
  /** Hashes by their alias. */
  readonly #aliases = new Map<string, string>();
  /** The entries of each account by nonce. */
  readonly #accounts = new Map<string, Map<bigint, Entry>>();
  readonly #committed: RecentHashes;
  #bytes = 0;
  #queued = 0;
  #arrivals = 0;

  /** `committed`: transactions of the last blocks, which are not let in again. */
  constructor(limits: PoolLimits, committed = new RecentHashes(limits.mempoolCache)) {
    this.#limits = limits;
    this.#committed = committed;
  }

  /** Number of transactions that the next block can hold. */
  get pending(): number {
    return this.#entries.size - this.#queued;
  }

  get queued(): number {
    return this.#queued;
  }

  /** Bytes of all transactions, queued ones included. */
  get bytes(): number {
    return this.#bytes;
  }

  has(hash: string): boolean {
    return this.#entries.has(hash);
  }

  /** Finds a transaction by its hash or its alias. */
  get(hash: string): PoolTransaction | undefined {
    return this.#entries.get(this.#aliases.get(hash) ?? hash)?.transaction;
  }

  placeOf(hash: string): PoolPlace | undefined {
    return this.#entries.get(hash)?.place;
  }

  /** Reason to refuse a transaction before it is decoded; undefined without one. */
  refuses(hash: string, bytes: number): DomainError | undefined {
    if (bytes > this.#limits.txBytes) return { code: 'tx-too-large', bytes, maximum: this.#limits.txBytes };
    return this.#entries.has(hash) || this.#committed.has(hash) ? { code: 'tx-in-cache' } : undefined;
  }

  /** The transaction with the same nonce of the same account. */
  rival(transaction: PoolTransaction): PoolTransaction | undefined {
    for (const { address, nonce } of transaction.accounts) {
      const rival = this.#accounts.get(address)?.get(nonce);
      if (rival !== undefined) return rival.transaction;
    }
    return undefined;
  }

  /**
   * The transactions that must leave to admit `transaction` at `place`, or the reason to refuse it. Changes nothing. In
   * a full pool the cheapest transactions without successors leave when the new one pays more at `baseFee`, queued ones
   * first.
   */
  roomFor(
    transaction: PoolTransaction,
    place: PoolPlace,
    baseFee: bigint,
  ):
    | { readonly ok: true; readonly leaving: readonly PoolTransaction[] }
    | { readonly ok: false; readonly error: DomainError } {
    const rival = this.rival(transaction);
    if (rival !== undefined) {
      // A replacement changes no count; an SDK transaction cannot be replaced.
      const replaces =
        rival.kind === 'ethereum' && transaction.kind === 'ethereum' && isReplacement(rival, transaction);
      return replaces ? { ok: true, leaving: [rival] } : { ok: false, error: { code: 'replacement-underpriced' } };
    }
    for (const { address } of transaction.accounts) {
      const [limit, maximum] =
        place === 'queued'
          ? (['mempoolQueuedPerAccount', this.#limits.mempoolQueuedPerAccount] as const)
          : (['mempoolTxsPerAccount', this.#limits.mempoolTxsPerAccount] as const);
      const nonces = this.#accounts.get(address);
      // With fewer nonces in both places together, those of one place need not be counted.
      if (nonces === undefined || nonces.size < maximum) continue;
      const used = [...nonces.values()].filter((entry) => entry.place === place).length;
      if (used >= maximum) return { ok: false, error: { code: 'limit-exceeded', limit, maximum } };
    }
    const { mempoolTxs, mempoolBytes, mempoolQueued } = this.#limits;
    let count = this.#entries.size + 1 - mempoolTxs;
    let bytes = this.#bytes + transaction.tx.length - mempoolBytes;
    let queued = place === 'queued' ? this.#queued + 1 - mempoolQueued : 0;
    if (count <= 0 && bytes <= 0 && queued <= 0) return { ok: true, leaving: [] };
    const leaving: PoolTransaction[] = [];
    const tip = effectiveTip(transaction, baseFee) ?? -1n;
    const victims = this.#byWorth(baseFee);
    for (let victim = victims.take(); count > 0 || bytes > 0 || queued > 0; victim = victims.take()) {
      if (victim === undefined) return this.#full();
      const { transaction: old, place: oldPlace } = victim;
      if (queued > 0 && count <= 0 && bytes <= 0 && oldPlace !== 'queued') return this.#full();
      const cheaper = (effectiveTip(old, baseFee) ?? -1n) < tip;
      const yields = cheaper || (oldPlace === 'queued' && place === 'pending');
      if (!yields || old.accounts.some(({ address }) => transaction.accounts.some((mine) => mine.address === address)))
        return this.#full();
      leaving.push(old);
      count -= 1;
      bytes -= old.tx.length;
      if (oldPlace === 'queued') queued -= 1;
    }
    return { ok: true, leaving };
  }

  /** True when a transaction of so many bytes fits without another one leaving. */
  hasRoom(bytes: number): boolean {
    const { mempoolTxs, mempoolBytes } = this.#limits;
    return this.#entries.size < mempoolTxs && this.#bytes + bytes <= mempoolBytes;
  }

  /** Adds a checked transaction, after the transactions that `roomFor` named were removed. */
  add(transaction: PoolTransaction, place: PoolPlace): void {
    const arrival = this.#arrivals;
    this.#arrivals += 1;
    this.#insert({ transaction, place, arrival });
  }

  /** Transactions of an account with exactly its next nonces, in order; `promote` moves each. */
  ready(address: string, nextNonce: bigint): readonly PoolTransaction[] {
    const nonces = this.#accounts.get(address);
    const found: PoolTransaction[] = [];
    for (let nonce = nextNonce; ; nonce += 1n) {
      const entry = nonces?.get(nonce);
      if (entry === undefined || entry.place !== 'queued') return found;
      found.push(entry.transaction);
    }
  }

  /** Moves a transaction to the other place. */
  move(hash: string, place: PoolPlace): void {
    const entry = this.#entries.get(hash);
    if (entry === undefined || entry.place === place) return;
    this.#delete(entry);
    this.#insert({ ...entry, place });
  }

  /** Removes a transaction; it may be sent again unless it was committed. */
  remove(hash: string, reason: 'committed' | 'invalid'): void {
    const entry = this.#entries.get(hash);
    if (entry !== undefined) this.#delete(entry);
    if (reason === 'committed') this.#committed.add(hash);
  }

  /** Forgets all transactions, and all hashes that would be refused as duplicates. */
  clear(): void {
    this.#entries.clear();
    this.#aliases.clear();
    this.#accounts.clear();
    this.#committed.clear();
    this.#bytes = 0;
    this.#queued = 0;
  }

  /** The transactions of an account by nonce. */
  ofAccount(address: string): readonly { readonly transaction: PoolTransaction; readonly place: PoolPlace }[] {
    return [...(this.#accounts.get(address) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }

  some(place: PoolPlace, holds: (transaction: PoolTransaction) => boolean): boolean {
    for (const entry of this.#entries.values()) if (entry.place === place && holds(entry.transaction)) return true;
    return false;
  }

  /** Transactions of one place in order of admission, those of an account in order of nonces. */
  entries(place: PoolPlace): readonly PoolTransaction[] {
    return this.#sequence(
      [...this.#entries.values()].filter((entry) => entry.place === place),
      (a, b) => a.arrival < b.arrival,
    );
  }

  /**
   * Transactions for a block at `baseFee`: by falling effective tip, then by admission; those of an account in order of
   * nonces. Transactions that do not pay the base fee are left out, with their successors. All stay in the pool until
   * the block is committed.
   */
  reap(maximum: { readonly bytes: number; readonly gas: bigint }, baseFee: bigint): readonly Uint8Array[] {
    const paying = [...this.#entries.values()].filter(
      (entry) => entry.place === 'pending' && effectiveTip(entry.transaction, baseFee) !== undefined,
    );
    const tips = new Map(paying.map((entry) => [entry, effectiveTip(entry.transaction, baseFee) ?? 0n]));
    const tip = (entry: Entry): bigint => tips.get(entry) ?? 0n;
    const txs: Uint8Array[] = [];
    let bytes = 0;
    let gas = 0n;
    const skipped = new Set<string>();
    for (const { tx, gasWanted, accounts } of this.#sequence(
      paying,
      (a, b) => (tip(a) === tip(b) ? a.arrival < b.arrival : tip(a) > tip(b)),
      true,
    )) {
      if (accounts.some(({ address }) => skipped.has(address))) continue;
      const fits =
        bytes + tx.length + PROTO_OVERHEAD <= maximum.bytes && (maximum.gas < 0n || gas + gasWanted <= maximum.gas);
      if (!fits) {
        // Its successors cannot come before it; other transactions may still fit.
        for (const { address } of accounts) skipped.add(address);
        continue;
      }
      bytes += tx.length + PROTO_OVERHEAD;
      gas += gasWanted;
      txs.push(tx);
    }
    return txs;
  }

  /**
   * Orders entries by `before`, but each after those with lower nonces of a shared account. With `closed`, an entry is
   * left out when its predecessor in the pool is not among `entries`.
   */
  #sequence(
    entries: readonly Entry[],
    before: (a: Entry, b: Entry) => boolean,
    closed = false,
  ): readonly PoolTransaction[] {
    const among = new Set(entries);
    // For each account, its entries by nonce; an entry is free when it is the first in all of its accounts.
    const lines = new Map<string, { readonly line: readonly Entry[]; at: number }>();
    const blocked = new Set<Entry>();
    for (const { transaction } of entries) {
      for (const { address } of transaction.accounts) {
        if (lines.has(address)) continue;
        const all = [...(this.#accounts.get(address) ?? [])]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([, entry]) => entry);
        const gap = closed ? all.findIndex((entry) => !among.has(entry)) : -1;
        if (gap >= 0) for (const entry of all.slice(gap)) blocked.add(entry);
        lines.set(address, { line: all.filter((entry) => among.has(entry)), at: 0 });
      }
    }
    const isFree = (entry: Entry): boolean =>
      entry.transaction.accounts.every(({ address }) => {
        const line = lines.get(address);
        return line === undefined || line.line[line.at] === entry;
      });
    const heap = new Heap<Entry>(before);
    for (const entry of entries) if (!blocked.has(entry) && isFree(entry)) heap.put(entry);
    const ordered: PoolTransaction[] = [];
    for (let entry = heap.take(); entry !== undefined; entry = heap.take()) {
      ordered.push(entry.transaction);
      for (const { address } of entry.transaction.accounts) {
        const line = lines.get(address);
        if (line === undefined) continue;
        line.at += 1;
      }
      const freed = new Set<Entry>();
      for (const { address } of entry.transaction.accounts) {
        const line = lines.get(address);
        const next = line?.line[line.at];
        if (next !== undefined && !blocked.has(next) && isFree(next)) freed.add(next);
      }
      for (const next of freed) heap.put(next);
    }
    return ordered;
  }

  /** Last transactions of their accounts in order of removal: queued before pending, then by tip, then the newest. */
  #byWorth(baseFee: bigint): Heap<Entry> {
    const tip = ({ transaction }: Entry): bigint => effectiveTip(transaction, baseFee) ?? -1n;
    const heap = new Heap<Entry>((a, b) => {
      if (a.place !== b.place) return a.place === 'queued';
      const [left, right] = [tip(a), tip(b)];
      return left === right ? a.arrival > b.arrival : left < right;
    });
    for (const entry of this.#entries.values()) {
      const last = entry.transaction.accounts.every(({ address, nonce }) =>
        [...(this.#accounts.get(address)?.keys() ?? [])].every((other) => other <= nonce),
      );
      if (last) heap.put(entry);
    }
    return heap;
  }

  #full(): { readonly ok: false; readonly error: DomainError } {
    const { mempoolTxs, mempoolBytes } = this.#limits;
    return {
      ok: false,
      error: {
        code: 'mempool-full',
        txs: this.#entries.size,
        bytes: this.#bytes,
        maximumTxs: mempoolTxs,
        maximumBytes: mempoolBytes,
      },
    };
  }

  #insert(entry: Entry): void {
    const { transaction, place } = entry;
    this.#entries.set(transaction.hash, entry);
    if (transaction.alias !== undefined) this.#aliases.set(transaction.alias, transaction.hash);
    this.#bytes += transaction.tx.length;
    if (place === 'queued') this.#queued += 1;
    for (const { address, nonce } of transaction.accounts) {
      const nonces = this.#accounts.get(address);
      if (nonces === undefined) this.#accounts.set(address, new Map([[nonce, entry]]));
      else nonces.set(nonce, entry);
    }
  }

  #delete(entry: Entry): void {
    const { transaction, place } = entry;
    this.#entries.delete(transaction.hash);
    if (transaction.alias !== undefined && this.#aliases.get(transaction.alias) === transaction.hash)
      this.#aliases.delete(transaction.alias);
    this.#bytes -= transaction.tx.length;
    if (place === 'queued') this.#queued -= 1;
    for (const { address, nonce } of transaction.accounts) {
      const nonces = this.#accounts.get(address);
      if (nonces?.get(nonce) !== entry) continue;
      nonces.delete(nonce);
      if (nonces.size === 0) this.#accounts.delete(address);
    }
  }
}

/** Tag and length of one entry of `Data.txs` (tag 1 byte, length up to 4 bytes for `txBytes`). */
const PROTO_OVERHEAD = 5;
