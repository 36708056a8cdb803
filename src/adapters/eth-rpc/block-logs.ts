/** JSON text of a block's logs for searches, log filters and receipts; each log is encoded once. */
import type { LogCriteria } from '../../core/ethereum/api.js';
import type { EthereumBlock, EthereumBlockTransaction, EthereumLog } from '../../core/ethereum/block-view.js';
import { logJson, partsOfLog } from '../../core/ethereum/json/log-json.js';
import { receiptParts } from '../../core/ethereum/json/receipt-json.js';
import { matchesLog } from '../../core/ethereum/log-match.js';
import { onFirstCall } from '../../core/on-first-call.js';
import { toOrderedString } from '../../core/bytes/key-order.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import { arrayParts } from './assembled.js';

/** Search terms for logs, with a cache key. */
export interface Terms extends Pick<LogCriteria, 'addresses' | 'topics'> {
  readonly key: string;
}

export interface LogTexts {
  readonly count: number;
  readonly entries: readonly Entry[];
  /** Comma-separated JSON objects; empty without logs. Written on first use, because a search may refuse the count. */
  readonly text: string;
}

/** A log with its transaction and block. */
export interface Entry {
  readonly log: EthereumLog;
  readonly transaction: EthereumBlockTransaction;
  readonly block: EthereumBlock;
}

interface BlockLogs {
  readonly entries: readonly Entry[];
  /** Entries by address, in order. */
  readonly byAddress: ReadonlyMap<string, readonly Entry[]>;
  /** The last result, cached because many clients request the logs of the same contract. */
  last: (LogTexts & { readonly key: string }) | undefined;
}

const NOTHING: LogTexts = { count: 0, entries: [], text: '' };
const known = new WeakMap<EthereumBlock, BlockLogs>();

/**
 * Adds the cache key to the terms. Addresses and topics have fixed lengths, so their counts and bytes are
 * unambiguous.
 */
export function termsOf({ addresses, topics }: Pick<LogCriteria, 'addresses' | 'topics'>): Terms {
  const counts = [addresses, ...topics].map(({ length }) => length).join();
  return { addresses, topics, key: `${counts}/${[...addresses, ...topics.flat()].map(toOrderedString).join('')}` };
}

/** The matching logs of a block, in order. */
export function logsOfBlock(block: EthereumBlock, terms: Terms): LogTexts {
  const logs = known.get(block) ?? logsIn(block);
  if (logs.entries.length === 0) return NOTHING;
  if (logs.last?.key === terms.key) return logs.last;
  const found = candidates(logs, terms).filter(({ log }) => matchesLog(terms, log));
  if (found.length === 0) return NOTHING;
  const text = onFirstCall(() => found.map(textOf).join(','));
  logs.last = {
    key: terms.key,
    count: found.length,
    entries: found,
    get text() {
      return text();
    },
  };
  return logs.last;
}

/** Entries to filter: those of a single address, else all logs of the block, because several addresses interleave. */
function candidates({ entries, byAddress }: BlockLogs, { addresses }: Terms): readonly Entry[] {
  const [only, ...others] = addresses;
  if (only === undefined) return entries;
  if (others.length === 0) return byAddress.get(toOrderedString(only)) ?? [];
  return addresses.some((address) => byAddress.has(toOrderedString(address))) ? entries : [];
}

function logsIn(block: EthereumBlock): BlockLogs {
  const entries = entriesOf(block.transactions, block);
  const byAddress = new Map<string, Entry[]>();
  for (const entry of entries) {
    const address = toOrderedString(entry.log.address);
    const before = byAddress.get(address);
    if (before === undefined) byAddress.set(address, [entry]);
    else before.push(entry);
  }
  const logs: BlockLogs = { entries, byAddress, last: undefined };
  known.set(block, logs);
  return logs;
}

function entriesOf(transactions: readonly EthereumBlockTransaction[], block: EthereumBlock): readonly Entry[] {
  return transactions.flatMap((transaction) => transaction.receipt.logs.map((log) => ({ log, transaction, block })));
}

const textOf = ({ log, transaction, block }: Entry): string => logJson(log, transaction, block);

/** Writes the texts of logs, over several turns of the event loop if they are many. Later uses find them written. */
export async function writeTexts(entries: readonly Entry[], timers: Pick<Timers, 'yield'>): Promise<void> {
  for (const [index, entry] of entries.entries()) {
    if (index % FIXED_LIMITS.ethLogTextsPerTurn === FIXED_LIMITS.ethLogTextsPerTurn - 1) await timers.yield();
    textOf(entry);
  }
}

/** Writes the texts of many logs of `transactions`; undefined if they are few. */
export function manyTexts(
  transactions: readonly EthereumBlockTransaction[],
  block: EthereumBlock,
  timers: Pick<Timers, 'yield'>,
): Promise<void> | undefined {
  return manyLogs(transactions, timers)?.then(() => writeTexts(entriesOf(transactions, block), timers));
}

/** Parts of the JSON array of entries. */
export function partsOfEntries(entries: Iterable<Entry>): Iterable<string> {
  return arrayParts(entries, ({ log, transaction, block }) => [partsOfLog(log, transaction, block).join('')]);
}

/** Parts of the JSON array of the logs of a transaction. */
export function partsOfLogs(transaction: EthereumBlockTransaction, block: EthereumBlock): Iterable<string> {
  return partsOfEntries(entriesOf([transaction], block));
}

/** Parts of the JSON of a receipt. */
export function partsOfReceipt(transaction: EthereumBlockTransaction, block: EthereumBlock): Iterable<string> {
  return receiptParts(transaction, block, partsOfLogs(transaction, block));
}

/** Decodes many logs of `transactions` over several turns of the event loop; undefined if they are few. */
export function manyLogs(
  transactions: readonly EthereumBlockTransaction[],
  timers: Pick<Timers, 'yield'>,
): Promise<void> | undefined {
  const count = transactions.reduce((sum, { receipt }) => sum + receipt.logCount, 0);
  return count <= FIXED_LIMITS.ethLogTextsPerTurn ? undefined : decodeLogs(transactions, timers);
}

async function decodeLogs(
  transactions: readonly EthereumBlockTransaction[],
  timers: Pick<Timers, 'yield'>,
): Promise<void> {
  let left = 0;
  for (const { receipt } of transactions) {
    if (receipt.logCount > left) {
      await timers.yield();
      left = FIXED_LIMITS.ethLogTextsPerTurn;
    }
    while (receipt.decodeLogs?.(left) === false) await timers.yield();
    left -= receipt.logCount;
  }
  await timers.yield();
}
