import type { DomainError } from '../errors.js';
import type { Limits } from '../limits/limits.js';
import type { AccountLines } from './account-lines.js';
import { Heap } from './heap.js';
import type { PoolEntry, PoolPlace } from './pool-entry.js';
import { effectiveTip, isReplacement, type PoolTransaction } from './pool-transaction.js';

export type RoomLimits = Pick<
  Limits,
  'mempoolTxs' | 'mempoolBytes' | 'mempoolTxsPerAccount' | 'mempoolQueued' | 'mempoolQueuedPerAccount'
>;

export interface PoolContent {
  readonly entries: ReadonlyMap<string, PoolEntry>;
  readonly lines: AccountLines;
  /** Bytes of all transactions. */
  readonly bytes: number;
  /** Number of queued transactions. */
  readonly queued: number;
}

/** A transaction to be admitted. */
export interface Newcomer {
  readonly transaction: PoolTransaction;
  readonly place: PoolPlace;
  /** The pool transaction with the same account and nonce. */
  readonly rival: PoolTransaction | undefined;
}

/** The transactions to evict for a new one, or the reason to refuse it. */
export type Room =
  | { readonly ok: true; readonly displaced: readonly PoolTransaction[] }
  | { readonly ok: false; readonly error: DomainError };

/**
 * Decides whether there is room for a transaction. It replaces its rival if it pays enough more. In a full pool it
 * evicts the cheapest transactions without successors, queued ones first, if it pays more at `baseFee`.
 */
export function roomFor(content: PoolContent, newcomer: Newcomer, limits: RoomLimits, baseFee: bigint): Room {
  const { transaction, rival } = newcomer;
  if (rival === undefined) {
    const error = accountLimit(content, newcomer, limits);
    return error === undefined ? displacedFor(content, newcomer, limits, baseFee) : { ok: false, error };
  }
  // A replacement changes no counts; a Cosmos transaction cannot be replaced.
  const replaces = rival.kind === 'ethereum' && transaction.kind === 'ethereum' && isReplacement(rival, transaction);
  return replaces ? { ok: true, displaced: [rival] } : { ok: false, error: { code: 'replacement-underpriced' } };
}

/** The error when an account has too many transactions in this place; undefined otherwise. */
function accountLimit(
  { lines }: PoolContent,
  { transaction, place }: Newcomer,
  limits: RoomLimits,
): DomainError | undefined {
  const limit = place === 'queued' ? 'mempoolQueuedPerAccount' : 'mempoolTxsPerAccount';
  const maximum = limits[limit];
  const isFull = transaction.accounts.some(({ address }) => {
    const line = lines.of(address);
    // Cheap test first: count one place only when the total reaches the maximum.
    return line.length >= maximum && line.filter(({ entry }) => entry.place === place).length >= maximum;
  });
  return isFull ? { code: 'limit-exceeded', limit, maximum } : undefined;
}

function displacedFor(
  content: PoolContent,
  { transaction, place }: Newcomer,
  limits: RoomLimits,
  baseFee: bigint,
): Room {
  let count = content.entries.size + 1 - limits.mempoolTxs;
  let bytes = content.bytes + transaction.tx.length - limits.mempoolBytes;
  let queued = place === 'queued' ? content.queued + 1 - limits.mempoolQueued : 0;
  if (count <= 0 && bytes <= 0 && queued <= 0) return { ok: true, displaced: [] };
  const displaced: PoolTransaction[] = [];
  const tip = effectiveTip(transaction, baseFee) ?? -1n;
  const candidates = evictionOrder(content, baseFee);
  for (let candidate = candidates.take(); count > 0 || bytes > 0 || queued > 0; candidate = candidates.take()) {
    if (candidate === undefined) return full(content, limits);
    const { transaction: old, place: oldPlace } = candidate.entry;
    if (queued > 0 && count <= 0 && bytes <= 0 && oldPlace !== 'queued') return full(content, limits);
    const yields = candidate.tip < tip || (oldPlace === 'queued' && place === 'pending');
    if (!yields || old.accounts.some(({ address }) => transaction.accounts.some((mine) => mine.address === address)))
      return full(content, limits);
    displaced.push(old);
    count -= 1;
    bytes -= old.tx.length;
    if (oldPlace === 'queued') queued -= 1;
  }
  return { ok: true, displaced };
}

/** The last transactions of their accounts, in eviction order: queued before pending, then lowest tip, then newest. */
function evictionOrder({ entries, lines }: PoolContent, baseFee: bigint) {
  const heap = new Heap<{ readonly entry: PoolEntry; readonly tip: bigint }>((a, b) => {
    if (a.entry.place !== b.entry.place) return a.entry.place === 'queued';
    return a.tip === b.tip ? a.entry.arrival > b.entry.arrival : a.tip < b.tip;
  });
  for (const entry of entries.values()) {
    const { transaction } = entry;
    const isLast = transaction.accounts.every(({ address }) => lines.of(address).at(-1)?.entry === entry);
    if (isLast) heap.put({ entry, tip: effectiveTip(transaction, baseFee) ?? -1n });
  }
  return heap;
}

function full({ entries, bytes }: PoolContent, { mempoolTxs, mempoolBytes }: RoomLimits): Room {
  return {
    ok: false,
    error: {
      code: 'mempool-full',
      txs: entries.size,
      bytes,
      maximumTxs: mempoolTxs,
      maximumBytes: mempoolBytes,
    },
  };
}
