/** Reads the logs of a range of blocks in order, within the limits of one answer. */
import type { EthereumBlock } from '../../core/ethereum/block-view.js';
import { logJson } from '../../core/ethereum/json/log-json.js';
import { matchesLog } from '../../core/ethereum/log-match.js';
import type { LogCriteria } from '../../core/ethereum/api.js';
import { type Height, toHeight } from '../../core/primitives.js';
import { rpcErrorOf, serverError } from './errors.js';
import type { MethodContext } from './method.js';
import type { Resolved } from './resolve.js';

type Terms = Pick<LogCriteria, 'addresses' | 'topics'>;

export interface FoundLogs {
  /** JSON text of each log. */
  readonly logs: readonly string[];
  /** The last block that was searched completely: below the end of the range when the logs exceed the limits. */
  readonly through: Height;
}

/** Blocks read between two yields to the event loop. */
const BLOCKS_PER_TURN = 4;

/** All matching logs of a block. */
export function logsOfBlock(block: EthereumBlock, terms: Terms): readonly string[] {
  return block.transactions.flatMap((transaction) =>
    transaction.receipt.logs.filter((log) => matchesLog(terms, log)).map((log) => logJson(log, transaction, block)),
  );
}

/**
 * Matching logs from block `from` to block `to`. Stops before the block whose logs exceed the limits, but always
 * answers at least one whole block.
 */
export async function searchLogs(
  from: Height,
  to: Height,
  terms: Terms,
  { api, limits, timers }: MethodContext,
): Promise<Resolved<FoundLogs>> {
  const candidates = await api.candidateBlocks(from, to, terms.addresses, terms.topics);
  if (!candidates.ok) return { ok: false, error: rpcErrorOf(candidates.error) };
  const logs: string[] = [];
  for (const [index, height] of candidates.value.entries()) {
    if (index % BLOCKS_PER_TURN === BLOCKS_PER_TURN - 1) await timers.yield();
    const block = api.block(height);
    if (block === undefined)
      return { ok: false, error: rpcErrorOf({ code: 'height-pruned', height, lowest: api.earliestBlock() }) };
    const found = logsOfBlock(block, terms);
    if (height > from && logs.length + found.length > limits.ethLogsResults)
      return { ok: true, value: { logs, through: toHeight(height - 1n) } };
    for (const log of found) logs.push(log);
  }
  return { ok: true, value: { logs, through: to } };
}

/** As `searchLogs`, but refuses a range that is too wide or holds too many logs, and names a range that fits. */
export async function searchAllLogs(
  from: Height,
  to: Height,
  terms: Terms,
  context: MethodContext,
): Promise<Resolved<string>> {
  const { ethLogsBlockRange, ethLogsResults } = context.limits;
  if (to - from > BigInt(ethLogsBlockRange)) {
    const fits = { from: hint(from), to: hint(from + BigInt(ethLogsBlockRange)), cap: String(ethLogsBlockRange) };
    return {
      ok: false,
      error: { code: -32602, message: `maximum [from, to] blocks distance: ${ethLogsBlockRange}`, data: fits },
    };
  }
  const found = await searchLogs(from, to, terms, context);
  if (!found.ok) return found;
  const { logs, through } = found.value;
  if (through === to) return { ok: true, value: `[${logs.join(',')}]` };
  const fits = { from: hint(from), to: hint(through), cap: String(ethLogsResults) };
  return { ok: false, error: { ...serverError(`query returned more than ${ethLogsResults} results`), data: fits } };
}

function hint(height: bigint): string {
  return `0x${height.toString(16)}`;
}
