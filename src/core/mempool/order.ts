import type { AccountLines, AccountLine, LineEntry } from './account-lines.js';
import { Heap } from './heap.js';
import type { PoolEntry } from './pool-entry.js';
import { effectiveTip, isCommand, type PoolTransaction } from './pool-transaction.js';

/** Protobuf overhead of one entry of `Data.txs`: tag (1 byte) and length (up to 4 bytes for `txBytes`). */
const PROTO_OVERHEAD = 5;

/** Limits of a block; a negative `gas` is unlimited. */
export interface BlockRoom {
  readonly bytes: number;
  readonly gas: bigint;
  /** Number of transactions; undefined is unlimited. */
  readonly txs?: number;
}

/**
 * Selects transactions for a block at `baseFee`: by descending effective tip, then by admission, and per account in
 * nonce order. Transactions that do not pay the base fee are skipped together with their successors. Dev commands come
 * first and get a block of their own, so a dev setter never mines pending transactions.
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
  takeByRank({
    entries,
    lineOf: (address) => lines.of(address),
    rankOf: ({ place, transaction }) => (place === 'pending' ? effectiveTip(transaction, baseFee) : undefined),
    take(transaction) {
      const { tx, gasWanted } = transaction;
      if (txs.length === maximum.txs) return false;
      const [first] = txs;
      if (first !== undefined && isCommand(first) && !isCommand(transaction)) return false;
      const size = tx.length + PROTO_OVERHEAD;
      // Skip it; smaller ones may still fit.
      if (bytes + size > maximum.bytes || (maximum.gas >= 0n && gas + gasWanted > maximum.gas)) return false;
      bytes += size;
      gas += gasWanted;
      txs.push(transaction);
      return true;
    },
  });
  return txs;
}

/** Sorts by admission, and per account by nonce. */
export function byAdmission(entries: readonly PoolEntry[]): readonly PoolTransaction[] {
  const admitted = entries.toSorted((a, b) => a.arrival - b.arrival);
  // Order differs from nonce order only after a replacement, or when a queued transaction became pending.
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
  takeByRank({
    entries: admitted,
    lineOf: (address) => lines.get(address) ?? [],
    rankOf: () => 0n,
    take: (transaction) => ordered.push(transaction) > 0,
  });
  return ordered;
}

/** True when the nonces of each account ascend. */
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

interface RankedEntries {
  readonly entries: Iterable<PoolEntry>;
  /** The transactions of an account, which must be taken in this order. */
  readonly lineOf: (address: string) => AccountLine;
  /** Rank: highest first, ties by admission; undefined skips the entry. */
  readonly rankOf: (entry: PoolEntry) => bigint | undefined;
  /** Takes a transaction; false skips it. */
  readonly take: (transaction: PoolTransaction) => boolean;
}

/**
 * Takes entries by rank, but each only after the entries with lower nonces of its accounts. Successors of a skipped
 * entry are skipped, too.
 */
function takeByRank({ entries, lineOf, rankOf, take }: RankedEntries): void {
  /** Number of transactions taken, per account. */
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
