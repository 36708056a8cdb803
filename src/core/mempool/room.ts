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
  /** Number of transactions in that place. */
  readonly queued: number;
}

/** A transaction that may come in. */
export interface Newcomer {
  readonly transaction: PoolTransaction;
  readonly place: PoolPlace;
  /** The transaction with the same nonce of the same account. */
  readonly rival: PoolTransaction | undefined;
}

/** The transactions that must leave for another one, or the reason to refuse it. */
export type Room =
  | { readonly ok: true; readonly displaced: readonly PoolTransaction[] }
  | { readonly ok: false; readonly error: DomainError };

/**
 * Room for a transaction. Its rival leaves when it pays enough more. In a full pool the cheapest transactions without
 * successors leave when it pays more at `baseFee`, queued ones first.
 */
export function roomFor(content: PoolContent, newcomer: Newcomer, limits: RoomLimits, baseFee: bigint): Room {
  const { transaction, rival } = newcomer;
  if (rival === undefined) {
    const error = accountLimit(content, newcomer, limits);
    return error === undefined ? displacedFor(content, newcomer, limits, baseFee) : { ok: false, error };
  }
  // A replacement changes no count; an SDK transaction cannot be replaced.
  const replaces = rival.kind === 'ethereum' && transaction.kind === 'ethereum' && isReplacement(rival, transaction);
  return replaces ? { ok: true, displaced: [rival] } : { ok: false, error: { code: 'replacement-underpriced' } };
}

/** The error for an account that has too many transactions in this place already. */
function accountLimit(
  { lines }: PoolContent,
  { transaction, place }: Newcomer,
  limits: RoomLimits,
): DomainError | undefined {
  const limit = place === 'queued' ? 'mempoolQueuedPerAccount' : 'mempoolTxsPerAccount';
  const maximum = limits[limit];
  const isFull = transaction.accounts.some(({ address }) => {
    const line = lines.of(address);
    // With fewer in both places together, those of one place need not be counted.
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
  const victims = byWorth(content, baseFee);
  for (let victim = victims.take(); count > 0 || bytes > 0 || queued > 0; victim = victims.take()) {
    if (victim === undefined) return full(content, limits);
    const { transaction: old, place: oldPlace } = victim.entry;
    if (queued > 0 && count <= 0 && bytes <= 0 && oldPlace !== 'queued') return full(content, limits);
    const yields = victim.tip < tip || (oldPlace === 'queued' && place === 'pending');
    if (!yields || old.accounts.some(({ address }) => transaction.accounts.some((mine) => mine.address === address)))
      return full(content, limits);
    displaced.push(old);
    count -= 1;
    bytes -= old.tx.length;
    if (oldPlace === 'queued') queued -= 1;
  }
  return { ok: true, displaced };
}

/** Last transactions of their accounts in order of removal: queued before pending, then by tip, then the newest. */
function byWorth({ entries, lines }: PoolContent, baseFee: bigint) {
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
