import type { AccountLines, Line, LineEntry } from './account-lines.js';
import { Heap } from './heap.js';
import type { PoolEntry } from './pool-entry.js';
import { effectiveTip, isCommand, type PoolTransaction } from './pool-transaction.js';

/** Tag and length of one entry of `Data.txs` (tag 1 byte, length up to 4 bytes for `txBytes`). */
const PROTO_OVERHEAD = 5;

/** The most that a block holds; a negative `gas` is no limit. */
export interface BlockRoom {
  readonly bytes: number;
  readonly gas: bigint;
  /** Number of transactions; undefined is no limit. */
  readonly txs?: number;
}

/**
 * Transactions for a block at `baseFee`: by falling effective tip, then by admission; those of an account in order of
 * nonces. Transactions that do not pay the base fee are left out, with their successors. Commands come first and have a
 * block of their own: a setter of dev mode mines nothing that waits.
 */
export function fillBlock(
  entries: Iterable<PoolEntry>,
  lines: AccountLines,
  maximum: BlockRoom,
  baseFee: bigint,
): readonly PoolTransaction[] {
  const txs: PoolTransaction[] = [];
  let bytes = 0;
  let gas = 0n;
  inTurn({
    entries,
    lineOf: (address) => lines.of(address),
    rankOf: ({ place, transaction }) => (place === 'pending' ? effectiveTip(transaction, baseFee) : undefined),
    take(transaction) {
      const { tx, gasWanted } = transaction;
      if (txs.length === maximum.txs) return false;
      const [first] = txs;
      if (first !== undefined && isCommand(first) && !isCommand(transaction)) return false;
      const size = tx.length + PROTO_OVERHEAD;
      // Other transactions may still fit.
      if (bytes + size > maximum.bytes || (maximum.gas >= 0n && gas + gasWanted > maximum.gas)) return false;
      bytes += size;
      gas += gasWanted;
      txs.push(transaction);
      return true;
    },
  });
  return txs;
}

/** Transactions in order of admission, those of an account in order of nonces. */
export function byAdmission(entries: readonly PoolEntry[]): readonly PoolTransaction[] {
  const admitted = entries.toSorted((a, b) => a.arrival - b.arrival);
  // Only a transaction that replaced another one, or that waited for its nonce, was admitted after a successor.
  if (hasRisingNonces(admitted)) return admitted.map(({ transaction }) => transaction);
  const lines = new Map<string, LineEntry[]>();
  for (const entry of admitted) {
    for (const { address, nonce } of entry.transaction.accounts) {
      const line = lines.get(address);
      if (line === undefined) lines.set(address, [{ nonce, entry }]);
      else line.push({ nonce, entry });
    }
  }
  for (const line of lines.values()) line.sort((a, b) => (a.nonce < b.nonce ? -1 : 1));
  const ordered: PoolTransaction[] = [];
  inTurn({
    entries: admitted,
    lineOf: (address) => lines.get(address) ?? [],
    rankOf: () => 0n,
    take: (transaction) => ordered.push(transaction) > 0,
  });
  return ordered;
}

/** True when of each account the nonces follow each other upwards. */
function hasRisingNonces(entries: readonly PoolEntry[]): boolean {
  const last = new Map<string, bigint>();
  for (const { transaction } of entries) {
    for (const { address, nonce } of transaction.accounts) {
      if ((last.get(address) ?? -1n) > nonce) return false;
      last.set(address, nonce);
    }
  }
  return true;
}

interface Turns {
  readonly entries: Iterable<PoolEntry>;
  /** The transactions of an account that come one after the other. */
  readonly lineOf: (address: string) => Line;
  /** The highest comes first, of equal ones the first admission; undefined for one that is left out. */
  readonly rankOf: (entry: PoolEntry) => bigint | undefined;
  /** False leaves the transaction out. */
  readonly take: (transaction: PoolTransaction) => boolean;
}

/**
 * Takes entries by rank, but each after those with lower nonces of a shared account. The successors of one that is left
 * out are left out, too.
 */
function inTurn({ entries, lineOf, rankOf, take }: Turns): void {
  /** Number of transactions of an account that were taken. */
  const taken = new Map<string, number>();
  const headOf = (address: string): PoolEntry | undefined => lineOf(address)[taken.get(address) ?? 0]?.entry;
  const heap = new Heap<{ readonly entry: PoolEntry; readonly rank: bigint }>((a, b) =>
    a.rank === b.rank ? a.entry.arrival < b.entry.arrival : a.rank > b.rank,
  );
  const offer = (entry: PoolEntry): void => {
    if (!entry.transaction.accounts.every(({ address }) => headOf(address) === entry)) return;
    const rank = rankOf(entry);
    if (rank !== undefined) heap.put({ entry, rank });
  };
  for (const entry of entries) offer(entry);
  for (let next = heap.take(); next !== undefined; next = heap.take()) {
    const { transaction } = next.entry;
    if (!take(transaction)) continue;
    const { accounts } = transaction;
    for (const { address } of accounts) taken.set(address, (taken.get(address) ?? 0) + 1);
    for (const entry of new Set(accounts.map(({ address }) => headOf(address)))) if (entry !== undefined) offer(entry);
  }
}
