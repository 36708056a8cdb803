import type { DomainError } from '../errors.js';
import type { Limits } from '../limits/limits.js';
import { AccountLines } from './account-lines.js';
import { byAdmission, fillBlock, type BlockRoom } from './order.js';
import type { PoolEntry, PoolPlace } from './pool-entry.js';
import { effectiveTip, type PoolTransaction } from './pool-transaction.js';
import { RecentHashes } from './recent-hashes.js';
import { roomFor, type Room, type RoomLimits } from './room.js';

export type { PoolPlace } from './pool-entry.js';

export type PoolLimits = RoomLimits & Pick<Limits, 'txBytes' | 'mempoolCache'>;

/**
 * The transaction pool: Ethereum and Cosmos transactions by account and nonce. It is mutable, because admission must
 * not copy it. It decides place and order; CheckTx decides validity before `add`.
 */
export class TransactionPool {
  readonly #limits: PoolLimits;
  readonly #entries = new Map<string, PoolEntry>();
  /** Hash by alias. */
  readonly #aliases = new Map<string, string>();
  readonly #lines = new AccountLines();
  readonly #committed: RecentHashes;
  #bytes = 0;
  #queued = 0;
  #pendingGas = 0n;
  #arrivals = 0;
  #content: object = {};
  /** Hash of the pending transaction found by the last `hasPayingTransaction`. */
  #paying: string | undefined;
  /** The lowest base fee known to be paid by no pending transaction. */
  #unpaid: bigint | undefined;

  /** `committed`: hashes of recently committed transactions, which are refused as duplicates. */
  constructor(limits: PoolLimits, committed = new RecentHashes(limits.mempoolCache)) {
    this.#limits = limits;
    this.#committed = committed;
  }

  /** Number of pending transactions. */
  get pending(): number {
    return this.#entries.size - this.#queued;
  }

  get queued(): number {
    return this.#queued;
  }

  /** A different object after each change of the transactions or their places. */
  get content(): object {
    return this.#content;
  }

  /** Sum of the gas limits of pending transactions. */
  get pendingGas(): bigint {
    return this.#pendingGas;
  }

  /** Bytes of all transactions, queued ones included. */
  get bytes(): number {
    return this.#bytes;
  }

  has(hash: string): boolean {
    return this.#entries.has(hash);
  }

  /** Finds a transaction by hash or alias. */
  get(hash: string): PoolTransaction | undefined {
    return this.#entries.get(this.#aliases.get(hash) ?? hash)?.transaction;
  }

  placeOf(hash: string): PoolPlace | undefined {
    return this.#entries.get(hash)?.place;
  }

  /** The reason to refuse a transaction before decoding it; undefined when there is none. */
  refusalOf(hash: string, bytes: number): DomainError | undefined {
    if (bytes > this.#limits.txBytes) return { code: 'tx-too-large', bytes, maximum: this.#limits.txBytes };
    return this.#entries.has(hash) || this.#committed.has(hash) ? { code: 'tx-in-cache' } : undefined;
  }

  /** The pool transaction with the same account and nonce. */
  rival(transaction: PoolTransaction): PoolTransaction | undefined {
    for (const { address, nonce } of transaction.accounts) {
      const rival = this.#lines.find(address, nonce);
      if (rival !== undefined) return rival.transaction;
    }
    return undefined;
  }

  /** Calls `roomFor` of `src/core/mempool/room.ts`; changes nothing. */
  roomFor(transaction: PoolTransaction, place: PoolPlace, baseFee: bigint): Room {
    const content = { entries: this.#entries, lines: this.#lines, bytes: this.#bytes, queued: this.#queued };
    return roomFor(content, { transaction, place, rival: this.rival(transaction) }, this.#limits, baseFee);
  }

  /** True when a transaction of this size fits without evicting another. */
  hasRoom(bytes: number): boolean {
    const { mempoolTxs, mempoolBytes } = this.#limits;
    return this.#entries.size < mempoolTxs && this.#bytes + bytes <= mempoolBytes;
  }

  /** Adds a checked transaction; the caller has removed the transactions named by `roomFor`. */
  add(transaction: PoolTransaction, place: PoolPlace): void {
    const arrival = this.#arrivals;
    this.#arrivals += 1;
    this.#insert({ transaction, place, arrival });
  }

  /** Queued transactions of an account that continue at `nextNonce` without a gap, in order. */
  ready(address: string, nextNonce: bigint): readonly PoolTransaction[] {
    const found: PoolTransaction[] = [];
    for (let nonce = nextNonce; ; nonce += 1n) {
      const entry = this.#lines.find(address, nonce);
      if (entry === undefined || entry.place !== 'queued') return found;
      found.push(entry.transaction);
    }
  }

  /** Changes the place of a transaction. */
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

  /** Removes all transactions and clears the duplicate cache. */
  clear(): void {
    this.#entries.clear();
    this.#aliases.clear();
    this.#lines.clear();
    this.#committed.clear();
    this.#content = {};
    this.#bytes = 0;
    this.#queued = 0;
    this.#pendingGas = 0n;
  }

  /** The transactions of an account, by nonce. */
  ofAccount(address: string): readonly PoolEntry[] {
    return this.#lines.of(address).map(({ entry }) => entry);
  }

  /** For each account of a transaction, its pool transaction with the lowest nonce. */
  firstOfEach({ accounts }: PoolTransaction): readonly PoolTransaction[] {
    return accounts.flatMap(({ address }) => this.#lines.of(address)[0]?.entry.transaction ?? []);
  }

  /**
   * True when a pending transaction pays this base fee. Called at each admission; the result is cached, so all
   * transactions are scanned only after the base fee fell or the cached transaction left.
   */
  hasPayingTransaction(baseFee: bigint): boolean {
    if (this.#paying !== undefined) {
      const entry = this.#entries.get(this.#paying);
      if (entry?.place === 'pending' && effectiveTip(entry.transaction, baseFee) !== undefined) return true;
      this.#paying = undefined;
    }
    if (this.#unpaid !== undefined && baseFee >= this.#unpaid) return false;
    for (const { place, transaction } of this.#entries.values()) {
      if (place !== 'pending' || effectiveTip(transaction, baseFee) === undefined) continue;
      this.#paying = transaction.hash;
      this.#unpaid = undefined;
      return true;
    }
    this.#unpaid = baseFee;
    return false;
  }

  /** Transactions of one place by admission, and per account by nonce. */
  entries(place: PoolPlace): readonly PoolTransaction[] {
    if (place === 'queued' && this.#queued === 0) return [];
    return byAdmission([...this.#entries.values()].filter((entry) => entry.place === place));
  }

  /** Selects transactions for a block (`fillBlock`). They stay in the pool until the block is committed. */
  reap(room: BlockRoom, baseFee: bigint): readonly PoolTransaction[] {
    return fillBlock(this.#entries.values(), this.#lines, room, baseFee);
  }

  #insert(entry: PoolEntry): void {
    const { transaction, place } = entry;
    this.#content = {};
    this.#entries.set(transaction.hash, entry);
    if (transaction.alias !== undefined) this.#aliases.set(transaction.alias, transaction.hash);
    this.#bytes += transaction.tx.length;
    if (place === 'queued') this.#queued += 1;
    else this.#insertedPending(transaction);
    this.#lines.insert(entry);
  }

  #insertedPending(transaction: PoolTransaction): void {
    this.#pendingGas += transaction.gasWanted;
    if (this.#unpaid === undefined || effectiveTip(transaction, this.#unpaid) === undefined) return;
    this.#paying = transaction.hash;
    this.#unpaid = undefined;
  }

  #delete(entry: PoolEntry): void {
    const { transaction, place } = entry;
    this.#content = {};
    this.#entries.delete(transaction.hash);
    if (transaction.alias !== undefined && this.#aliases.get(transaction.alias) === transaction.hash)
      this.#aliases.delete(transaction.alias);
    this.#bytes -= transaction.tx.length;
    if (place === 'queued') this.#queued -= 1;
    else this.#pendingGas -= transaction.gasWanted;
    this.#lines.remove(entry);
  }
}
