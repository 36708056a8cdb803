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
 * Waiting transactions of both kinds, with their nonces in order. The pool is mutable, because admission must not copy
 * it. It decides places and order; CheckTx decides validity before `add`.
 */
export class TransactionPool {
  readonly #limits: PoolLimits;
  readonly #entries = new Map<string, PoolEntry>();
  /** Hashes by their alias. */
  readonly #aliases = new Map<string, string>();
  readonly #lines = new AccountLines();
  readonly #committed: RecentHashes;
  #bytes = 0;
  #queued = 0;
  #pendingGas = 0n;
  #arrivals = 0;
  #content: object = {};
  /** Hash of a pending transaction that paid at the last call of `hasPaying`. */
  #paying: string | undefined;
  /** The lowest base fee of which it is known that no pending transaction pays it. */
  #unpaid: bigint | undefined;

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

  /** Another object after each change of the transactions or of their places. */
  get content(): object {
    return this.#content;
  }

  /** Gas limits of the transactions that the next block can hold. */
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
      const rival = this.#lines.find(address, nonce);
      if (rival !== undefined) return rival.transaction;
    }
    return undefined;
  }

  /** Answers as `roomFor` of `src/core/mempool/room.ts` does. Changes nothing. */
  roomFor(transaction: PoolTransaction, place: PoolPlace, baseFee: bigint): Room {
    const content = { entries: this.#entries, lines: this.#lines, bytes: this.#bytes, queued: this.#queued };
    return roomFor(content, { transaction, place, rival: this.rival(transaction) }, this.#limits, baseFee);
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
    const found: PoolTransaction[] = [];
    for (let nonce = nextNonce; ; nonce += 1n) {
      const entry = this.#lines.find(address, nonce);
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
    this.#lines.clear();
    this.#committed.clear();
    this.#content = {};
    this.#bytes = 0;
    this.#queued = 0;
    this.#pendingGas = 0n;
  }

  /** The transactions of an account by nonce. */
  ofAccount(address: string): readonly PoolEntry[] {
    return this.#lines.of(address).map(({ entry }) => entry);
  }

  /** The transaction with the lowest nonce of each account that a transaction of the pool uses. */
  firstOfEach({ accounts }: PoolTransaction): readonly PoolTransaction[] {
    return accounts.flatMap(({ address }) => this.#lines.of(address)[0]?.entry.transaction ?? []);
  }

  /**
   * True when a pending transaction pays this base fee. It is called at each admission and keeps its answer, so that
   * the transactions are gone through only when the base fee fell, or the one that paid has left.
   */
  hasPaying(baseFee: bigint): boolean {
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

  /** Transactions of one place in order of admission, those of an account in order of nonces. */
  entries(place: PoolPlace): readonly PoolTransaction[] {
    if (place === 'queued' && this.#queued === 0) return [];
    return byAdmission([...this.#entries.values()].filter((entry) => entry.place === place));
  }

  /** Transactions for a block, as `fillBlock` chooses them. All stay in the pool until the block is committed. */
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
