/** Searches logs in a range of blocks, within the limits of one response. */
import type { LogCriteria } from '../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { type Height, toHeight } from '../../core/primitives.js';
import { type LogTexts, logsOfBlock, manyLogs, termsOf } from './block-logs.js';
import { type RpcError, rpcErrorOf, serverError } from './errors.js';
import type { MethodContext } from './method.js';
import { notPruned, type Resolved } from './resolve.js';

type LogTerms = Pick<LogCriteria, 'addresses' | 'topics'>;

export interface FoundLogs {
  /** The logs by block, in order. */
  readonly parts: readonly LogTexts[];
  readonly count: number;
  /** The last block that was searched completely; below the end of the range if the logs exceed the limits. */
  readonly through: Height;
}

/** Cost of a block that must be read and decoded, relative to a block in memory. */
const COST_OF_STORED = 16;
/** Number of transactions whose decoding costs as much as a block in memory. */
const TRANSACTIONS_PER_COST = 8;
/** Number of blocks per index search. */
const CANDIDATES = 16_384n;

/**
 * Finds matching logs from block `from` to block `to`. Stops before the block whose logs exceed the limits, but
 * always returns at least one whole block.
 */
export async function searchLogs(
  from: Height,
  to: Height,
  logTerms: LogTerms,
  { api, limits, timers }: MethodContext,
): Promise<Resolved<FoundLogs>> {
  const terms = termsOf(logTerms);
  const parts: LogTexts[] = [];
  const foundThrough = (through: Height): Resolved<FoundLogs> => ({ ok: true, value: { parts, count, through } });
  let count = 0;
  let cost = 0;
  for await (const candidate of candidatesOf(from, to, logTerms, api)) {
    if (!candidate.ok) return candidate;
    const height = candidate.value;
    const isInMemory = api.isInMemory(height);
    cost += isInMemory ? 1 : COST_OF_STORED;
    if (cost >= FIXED_LIMITS.ethLogsBlocksPerTurn) {
      await timers.yield();
      cost = 0;
    }
    const block = api.block(height);
    if (block === undefined)
      return { ok: false, error: rpcErrorOf({ code: 'height-pruned', height, lowest: api.earliestBlock() }) };
    if (!isInMemory) cost += block.transactions.length / TRANSACTIONS_PER_COST;
    const decoding = manyLogs(block.transactions, timers);
    if (decoding !== undefined) await decoding;
    const found = logsOfBlock(block, terms);
    if (height > from && count + found.count > limits.ethLogsResults) return foundThrough(toHeight(height - 1n));
    count += found.count;
    if (found.count > 0) parts.push(found);
  }
  return foundThrough(to);
}

/**
 * Yields blocks whose logs may match, ascending, in portions: a filter that was not polled for long may have very
 * many. Fails for pruned blocks, also if they are pruned during the search: the index then has no rows of them.
 */
async function* candidatesOf(
  from: Height,
  to: Height,
  { addresses, topics }: LogTerms,
  api: MethodContext['api'],
): AsyncGenerator<Resolved<Height>> {
  for (let low: bigint = from; low <= to; low += CANDIDATES) {
    const high = low + CANDIDATES - 1n;
    const found = await api.candidateBlocks(toHeight(low), high < to ? toHeight(high) : to, addresses, topics);
    if (!found.ok) return yield { ok: false, error: rpcErrorOf(found.error) };
    const kept = notPruned(api, toHeight(low));
    if (!kept.ok) return yield kept;
    for (const height of found.value) yield { ok: true, value: height };
  }
}

/**
 * Like `searchLogs`, but fails for a range that is too wide or has too many logs; the error suggests a range that
 * fits.
 */
export async function searchAllLogs(
  from: Height,
  to: Height,
  logTerms: LogTerms,
  context: MethodContext,
): Promise<Resolved<FoundLogs>> {
  const { ethLogsResults } = context.limits;
  const tooWide = refuseWide(from, to, context.limits);
  if (tooWide !== undefined) return { ok: false, error: tooWide };
  const found = await searchLogs(from, to, logTerms, context);
  if (!found.ok) return found;
  const { through } = found.value;
  if (through === to) return found;
  const fits = { from: hint(from), to: hint(through), cap: String(ethLogsResults) };
  return { ok: false, error: { ...serverError(`query returned more than ${ethLogsResults} results`), data: fits } };
}

/** The error for a range that is too wide; it suggests one that fits. */
export function refuseWide(
  from: bigint,
  to: bigint,
  { ethLogsBlockRange }: Pick<MethodContext['limits'], 'ethLogsBlockRange'>,
): RpcError | undefined {
  if (to - from <= BigInt(ethLogsBlockRange)) return undefined;
  const fits = { from: hint(from), to: hint(from + BigInt(ethLogsBlockRange)), cap: String(ethLogsBlockRange) };
  return { code: -32602, message: `maximum [from, to] blocks distance: ${ethLogsBlockRange}`, data: fits };
}

function hint(height: bigint): string {
  return `0x${height.toString(16)}`;
}
