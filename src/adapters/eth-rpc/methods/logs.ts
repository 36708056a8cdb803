/**
 * `eth_getLogs` and polling filters (geth v1.17 `eth/filters/api.go`). The filter manager holds the filters, their
 * expiry and their cursors.
 */
import type { FilterChanges, FilterCriteria, Polled } from '../../../core/ethereum/api.js';
import type { EthereumBlock } from '../../../core/ethereum/block-view.js';
import { concatTexts } from '../../../core/ethereum/json/concat-texts.js';
import { dataArray, removedLogJson } from '../../../core/ethereum/json/log-json.js';
import { pendingTransactionJson } from '../../../core/ethereum/json/transaction-json.js';
import { matchesLog } from '../../../core/ethereum/log-match.js';
import { removedLogs } from '../../../core/ethereum/removed-logs.js';
import type { Outcome } from '../../../core/node-api.js';
import { FIXED_LIMITS } from '../../../core/limits/limits.js';
import { toHeight } from '../../../core/primitives.js';
import { isInRange } from '../../../core/subscriptions/index.js';
import { FILTER_NOT_FOUND, type RpcError, limitExceeded, rpcErrorOf, serverError } from '../errors.js';
import { filterRange, searchRange } from '../log-range.js';
import { assembledLogs } from '../assembled.js';
import { type LogTexts, logsOfBlock, manyLogs, partsOfEntries, termsOf, writeTexts } from '../block-logs.js';
import { type FoundLogs, searchAllLogs, searchLogs } from '../log-search.js';
import {
  type Answer,
  type Answering,
  type Method,
  type MethodContext,
  type Streamed,
  failed,
  method,
  ok,
  quoted,
} from '../method.js';
import { type RawCriteria, criteria } from '../params/criteria.js';
import { bool, good, required, withDefault, wrongKind } from '../params/param.js';
import { notPruned, type Resolved } from '../resolve.js';
import * as result from '../results.js';
import * as schema from '../schema.js';

/** A filter id: a quantity on the wire, 32 hex digits internally. Any other text matches no filter. */
const filterId = required('filter id', schema.TEXT, (value) =>
  typeof value === 'string'
    ? good(
        value
          .replace(/^0[xX]/u, '')
          .toLowerCase()
          .padStart(32, '0'),
      )
    : wrongKind(value, 'rpc.ID'),
);

export const logMethods: readonly Method[] = [
  method('eth_getLogs', 'Logs that match a filter', [criteria], schema.listOf(result.LOG), ([filter], context) =>
    getLogs(filter, context),
  ),
  method(
    'eth_newFilter',
    'Makes a polling filter of logs; answers its id',
    [criteria],
    schema.QUANTITY,
    ([filter], context) => {
      const range = filterRange(context.api, filter);
      if (!range.ok) return failed(range.error);
      return createFilter(
        { kind: 'logs', criteria: { ...range.value, addresses: filter.addresses, topics: filter.topics } },
        context,
      );
    },
  ),
  method(
    'eth_newBlockFilter',
    'Makes a polling filter of new blocks; answers its id',
    [],
    schema.QUANTITY,
    (_values, context) => createFilter({ kind: 'block' }, context),
  ),
  method(
    'eth_newPendingTransactionFilter',
    'Makes a polling filter of transactions that begin to wait; answers its id',
    [withDefault(bool, false)],
    schema.QUANTITY,
    ([full], context) => createFilter({ kind: 'pending', ...(full && { fullTransactions: true }) }, context),
  ),
  method(
    'eth_getFilterChanges',
    'What came since the last poll of a filter',
    [filterId],
    schema.anyOf(schema.listOf(schema.HASH), schema.listOf(result.LOG), schema.listOf(result.TRANSACTION)),
    ([id], context) => filterChanges(id, context),
  ),
  method(
    'eth_getFilterLogs',
    'All logs that match a filter of logs',
    [filterId],
    schema.listOf(result.LOG),
    ([id], context) => filterLogs(id, context),
  ),
  method(
    'eth_uninstallFilter',
    'Removes a filter; answers whether there was one',
    [filterId],
    schema.BOOLEAN,
    async ([id], { api }) => {
      const removed = await api.filters.uninstall(id);
      return removed.ok ? ok(String(removed.value)) : failed(rpcErrorOf(removed.error));
    },
  ),
];

function getLogs(filter: RawCriteria, context: MethodContext): Answering {
  const { api } = context;
  if (filter.blockHash !== undefined) {
    const height = api.heightOfBlock(filter.blockHash);
    const block = height === undefined ? undefined : api.block(height);
    return block === undefined ? failed(serverError('unknown block')) : logsOfOne(block, filter, context);
  }
  const range = searchRange(api, filter);
  if (!range.ok) return failed(range.error);
  const { from, to } = range.value;
  // Fast path: a single block in memory needs neither the index nor pauses.
  const only = from === to && api.isInMemory(from) ? api.block(from) : undefined;
  return only === undefined
    ? searchAllLogs(from, to, filter, context).then((found) => answerOf(found, context))
    : logsOfOne(only, filter, context);
}

function logsOfOne(block: EthereumBlock, filter: RawCriteria, context: MethodContext): Answering {
  const search = (): Answer | Promise<Answer | Streamed> => {
    const found = logsOfBlock(block, termsOf(filter));
    return answerLogs([found], found.count, context);
  };
  return manyLogs(block.transactions, context.timers)?.then(search) ?? search();
}

/** Answers the logs of some blocks; many in slices. */
function answerLogs(
  parts: readonly LogTexts[],
  count: number,
  context: MethodContext,
): Answer | Promise<Answer | Streamed> {
  if (count <= FIXED_LIMITS.ethLogTextsPerTurn) return ok(`[${textOf(parts)}]`);
  return assembledLogs(count, partsOfEntries(parts.flatMap(({ entries }) => entries)), context);
}

/** Comma-separated JSON of the logs of some blocks. */
function textOf(parts: readonly LogTexts[]): string {
  return concatTexts(parts, ({ text }) => text);
}

async function createFilter(filter: FilterCriteria, { api, connection }: MethodContext): Promise<Answer> {
  const created = await api.filters.create(filter, connection.client);
  if (created.ok) return quoted(`0x${created.value.replace(/^0+(?=.)/u, '')}`);
  const { error } = created;
  if (error.code !== 'limit-exceeded') return failed(rpcErrorOf(error));
  return failed({
    ...limitExceeded('error creating filter: max limit reached'),
    data: { limit: error.limit, maximum: String(error.maximum) },
  });
}

async function filterChanges(id: string, context: MethodContext): Promise<Answer> {
  let refusal: RpcError | undefined;
  const polled = await context.api.filters.poll(id, async (changes): Promise<Outcome<Polled<string>>> => {
    const read = await readChanges(changes, context);
    if (read.ok) return read;
    refusal = read.error;
    // the cursor has not moved: the next poll covers the same range
    return { ok: false, error: { code: 'busy', what: 'filter' } };
  });
  if (refusal !== undefined) return failed(refusal);
  if (!polled.ok) return failed(rpcErrorOf(polled.error));
  return polled.value === undefined ? failed(FILTER_NOT_FOUND) : ok(polled.value);
}

async function readChanges(changes: FilterChanges, context: MethodContext): Promise<Resolved<Polled<string>>> {
  switch (changes.kind) {
    case 'pending':
      return {
        ok: true,
        value: {
          value:
            changes.fullTransactions === true ? wholeTransactions(changes.hashes, context) : dataArray(changes.hashes),
        },
      };
    case 'blocks': {
      const [first] = changes.heights;
      const kept = first === undefined ? undefined : notPruned(context.api, first);
      if (kept?.ok === false) return kept;
      return {
        ok: true,
        value: { value: dataArray(changes.heights.flatMap((height) => context.api.block(height)?.hash ?? [])) },
      };
    }
    case 'logs': {
      const removed = removedTexts(changes, context);
      if (changes.from > changes.to) return { ok: true, value: { value: `[${removed.join(',')}]` } };
      const found = await searchLogs(changes.from, changes.to, changes.criteria, context);
      if (!found.ok) return found;
      const { parts, count, through } = found.value;
      if (count > FIXED_LIMITS.ethLogTextsPerTurn)
        await writeTexts(
          parts.flatMap(({ entries }) => entries),
          context.timers,
        );
      const text = textOf(parts);
      return { ok: true, value: { value: `[${[...removed, ...(text === '' ? [] : [text])].join(',')}]`, through } };
    }
  }
}

/** JSON of full transactions as they were admitted, also of those mined since; dropped ones are omitted. */
function wholeTransactions(hashes: readonly Uint8Array[], { api }: MethodContext): string {
  const texts = hashes.flatMap((hash) => {
    const waiting = api.pending(hash) ?? api.transaction(hash)?.transaction;
    return waiting === undefined ? [] : [pendingTransactionJson(waiting)];
  });
  return `[${texts.join(',')}]`;
}

/** Logs that the filter has returned and a revert has removed since, newest first. */
function removedTexts(
  { criteria, answered }: Extract<FilterChanges, { readonly kind: 'logs' }>,
  { api, limits }: MethodContext,
): readonly string[] {
  if (answered === undefined) return [];
  const blocks = api.abandonedSince(answered.position).filter(({ height }) => height <= answered.height);
  return removedLogs(blocks)
    .filter(({ log, block }) => isInRange(criteria, block.height) && matchesLog(criteria, log))
    .slice(0, limits.ethLogsResults)
    .map(({ log, transaction, block }) => removedLogJson(log, transaction, block));
}

/** `eth_getFilterLogs`: all logs in the filter's range; does not move its cursor. Fails if the range is pruned. */
async function filterLogs(id: string, context: MethodContext): Promise<Answer | Streamed> {
  const { api } = context;
  const filter = api.filters.criteria(id);
  if (filter?.kind !== 'logs') return failed(FILTER_NOT_FOUND);
  const head = api.blockNumber();
  const { fromBlock = head, toBlock = head } = filter.criteria;
  const to = toBlock > head ? head : toBlock;
  const from = toHeight(fromBlock);
  if (from > to) return ok('[]');
  const kept = notPruned(api, from);
  return kept.ok ? answerOf(await searchAllLogs(from, toHeight(to), filter.criteria, context), context) : kept;
}

function answerOf(found: Resolved<FoundLogs>, context: MethodContext): Answer | Promise<Answer | Streamed> {
  return found.ok ? answerLogs(found.value.parts, found.value.count, context) : failed(found.error);
}
