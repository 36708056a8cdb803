/** `trace_*` of OpenEthereum (https://openethereum.github.io/JSONRPC-trace-module), as anvil and Erigon serve them. */
import { hexData } from '../../../core/bytes/hex.js';
import type { Height } from '../../../core/primitives.js';
import { toHeight } from '../../../core/primitives.js';
import { invalidParams, rpcErrorOf } from '../errors.js';
import { INVALID_RANGE } from '../log-range.js';
import { refuseWide } from '../log-search.js';
import { type Answer, failed, type Method, method, type MethodContext, ok } from '../method.js';
import { type BlockRef, LATEST, blockNumber, blockRef, isPending } from '../params/block-ref.js';
import { transactionArguments } from '../params/call-arguments.js';
import { type Field, fieldOf, fieldsOf } from '../params/fields.js';
import { address as addressParam, hash } from '../params/hex.js';
import { LOOSE_QUANTITY, looseNumber } from '../params/numbers.js';
import { NO_OVERRIDES } from '../params/overrides.js';
import { bad, type Decoded, decodeEach, good, type Param, required, withDefault, wrongKind } from '../params/param.js';
import { traceKinds } from '../params/trace-kinds.js';
import { type Resolved, resolveBlock, resolveHeight } from '../resolve.js';
import { FLAT_CALLS, replay, REPLAY_TRACERS, type TraceKind } from '../traces/parity.js';
import { type Executed, machineStates } from '../traces/machine-states.js';
import { NOT_FOUND, textOf, textsOfBlock, traceText } from '../traces/run.js';
import { MACHINE_STATES, type VmTrace } from '../traces/vm-trace.js';
import { executionOf } from './calls.js';
import * as result from '../results.js';
import * as schema from '../schema.js';

/** A set of addresses in lower-case hex with 0x; an empty set matches every address. */
const addresses: Field<ReadonlySet<string>> = {
  type: '[]common.Address',
  schema: schema.anyOf(schema.ADDRESS, schema.listOf(schema.ADDRESS)),
  decode(value) {
    const decoded = decodeEach(Array.isArray(value) ? value : [value], (item: unknown) => addressParam.decode(item));
    return decoded.ok ? good(new Set(decoded.value.map(hexData))) : decoded;
  },
};
const amount: Field<bigint> = {
  type: 'number',
  schema: LOOSE_QUANTITY,
  decode(value) {
    const number = looseNumber(value);
    return number === undefined ? bad('after and count are numbers') : good(number);
  },
};
const FILTER = fieldsOf('TraceFilter', {
  fromBlock: fieldOf(blockNumber),
  toBlock: fieldOf(blockNumber),
  fromAddress: addresses,
  toAddress: addresses,
  mode: { type: 'string', schema: schema.oneOfTexts('union', 'intersection'), decode: good<unknown> },
  after: amount,
  count: amount,
});
const filter: Param<TraceFilter> = {
  ...required('filter', schema.objectOf(FILTER.schemas, []), decodeFilter),
  isPending: ({ from, to }) => isPending(from) || isPending(to),
};
const position: Param<readonly number[]> = required('trace address', schema.listOf(LOOSE_QUANTITY), (value) => {
  if (!Array.isArray(value)) return wrongKind(value, '[]uint64');
  const indices = value.map(looseNumber);
  return indices.every((index) => index !== undefined) ? good(indices.map(Number)) : bad('not a list of indices');
});

export const traceMethods: readonly Method[] = [
  method(
    'trace_transaction',
    'Calls of a transaction',
    [hash],
    schema.orNull(schema.listOf(result.FLAT_TRACE)),
    async ([value], context) => answerOf(await known(value, context, () => textOf(value, FLAT_CALLS, context))),
  ),
  method(
    'trace_get',
    'A call of a transaction by its place',
    [hash, position],
    schema.orNull(result.FLAT_TRACE),
    async ([value, path], context) => {
      const traced = await known(value, context, () => textOf(value, FLAT_CALLS, context));
      if (!traced.ok) return failed(traced.error);
      const traces = JSON.parse(traced.value) as readonly FlatTrace[] | null;
      return ok(JSON.stringify(traces?.find(({ traceAddress }) => String(traceAddress) === String(path)) ?? null));
    },
  ),
  method(
    'trace_block',
    'Calls of all transactions of a block',
    [blockRef],
    schema.orNull(schema.listOf(result.FLAT_TRACE)),
    async ([ref], context) => {
      const block = resolveBlock(context.api, ref);
      if (!block.ok) return failed(block.error);
      if (block.value === undefined) return ok('null');
      return answerOf(joined(await textsOfBlock(block.value, FLAT_CALLS, context)));
    },
  ),
  method(
    'trace_replayTransaction',
    'Executes a transaction of the chain again',
    [hash, traceKinds],
    result.REPLAY,
    async ([value, kinds], context) => {
      const traced = await textOf(value, REPLAY_TRACERS, context);
      if (!traced.ok) return failed(traced.error);
      const placed = context.api.transaction(value);
      if (placed === undefined) return NOT_FOUND;
      const states = await statesWhere(kinds, [placed.transaction.transaction], placed.block.height, context, () =>
        textsOfTransaction(value, context),
      );
      return states.ok ? ok(JSON.stringify(replay(traced.value, kinds, states.value[0]))) : failed(states.error);
    },
  ),
  method(
    'trace_replayBlockTransactions',
    'Executes all transactions of a block again',
    [blockRef, traceKinds],
    schema.orNull(schema.listOf(result.REPLAY)),
    async ([ref, kinds], context) => {
      const resolved = resolveBlock(context.api, ref);
      if (!resolved.ok) return failed(resolved.error);
      const { value: block } = resolved;
      if (block === undefined) return ok('null');
      const texts = await textsOfBlock(block, REPLAY_TRACERS, context);
      if (!texts.ok) return failed(texts.error);
      const executed = block.transactions.map(({ transaction }) => transaction);
      const states = await statesWhere(kinds, executed, block.height, context, () =>
        textsOfBlock(block, MACHINE_STATES, context),
      );
      if (!states.ok) return failed(states.error);
      const replayed = block.transactions.map(({ hash: value }, index) => ({
        ...replay(texts.value[index] ?? '{}', kinds, states.value[index]),
        transactionHash: hexData(value),
      }));
      return ok(JSON.stringify(replayed));
    },
  ),
  method(
    'trace_call',
    'Executes a call and traces it',
    [transactionArguments, traceKinds, withDefault(blockRef, LATEST)],
    result.REPLAY,
    async ([args, kinds, ref], context) => {
      const execution = executionOf(context, args, ref, NO_OVERRIDES);
      if (!execution.ok) return execution;
      const { call, height, overrides } = execution.value;
      const trace = async (options: string): Promise<Resolved<readonly [string]>> => {
        const traced = await context.api.traceCall(call, height, overrides, {}, options);
        if (!traced.ok) return failed(rpcErrorOf(traced.error));
        const text = traceText(traced.value);
        return text.ok ? good([text.value]) : text;
      };
      const traced = await trace(REPLAY_TRACERS);
      if (!traced.ok) return failed(traced.error);
      const states = await statesWhere(kinds, [call], height, context, () => trace(MACHINE_STATES));
      return states.ok ? ok(JSON.stringify(replay(traced.value[0], kinds, states.value[0]))) : failed(states.error);
    },
  ),
  method(
    'trace_filter',
    'Calls in a range of blocks, from or to accounts',
    [filter],
    schema.listOf(result.FLAT_TRACE),
    ([request], context) => filtered(request, context),
  ),
];

interface FlatTrace {
  readonly traceAddress: readonly number[];
  readonly action: Readonly<Record<string, string | undefined>>;
  readonly result?: Readonly<Record<string, string | undefined>> | null;
}

/** The `vmTrace` of each execution if requested, else none. */
async function statesWhere(
  kinds: ReadonlySet<TraceKind>,
  executed: readonly Executed[],
  height: Height,
  { api }: MethodContext,
  structLogs: () => Promise<Resolved<readonly string[]>>,
): Promise<Resolved<readonly VmTrace[]>> {
  if (!kinds.has('vmTrace')) return { ok: true, value: [] };
  const texts = await structLogs();
  return texts.ok ? machineStates(executed, texts.value, height, api) : texts;
}

async function textsOfTransaction(value: Uint8Array, context: MethodContext): Promise<Resolved<readonly string[]>> {
  const text = await textOf(value, MACHINE_STATES, context);
  return text.ok ? { ok: true, value: [text.value] } : text;
}

/** Converts "transaction not found" to null. */
function known(
  value: Uint8Array,
  { api }: MethodContext,
  trace: () => Promise<Resolved<string>>,
): Promise<Resolved<string>> {
  return api.transaction(value) === undefined ? Promise.resolve({ ok: true, value: 'null' }) : trace();
}

function joined(texts: Resolved<readonly string[]>): Resolved<string> {
  if (!texts.ok) return texts;
  const parts = texts.value.map((text) => text.slice(1, -1)).filter((text) => text !== '');
  return { ok: true, value: `[${parts.join(',')}]` };
}

function answerOf(text: Resolved<string>): Answer {
  return text.ok ? ok(text.value) : failed(text.error);
}

interface TraceFilter {
  readonly from: BlockRef;
  readonly to: BlockRef;
  readonly fromAddresses: ReadonlySet<string>;
  readonly toAddresses: ReadonlySet<string>;
  /** True if both addresses must match; else either. */
  readonly isIntersection: boolean;
  readonly after: number;
  readonly count: number;
}

const EARLIEST: BlockRef = { kind: 'tag', tag: 'earliest' };
const EVERY_ADDRESS: ReadonlySet<string> = new Set();

/**
 * Decodes a filter. Without bounds it covers all blocks (Erigon `turbo/jsonrpc/trace_filtering.go`; so does anvil).
 */
function decodeFilter(value: unknown): Decoded<TraceFilter> {
  const read = FILTER.read(value);
  if (!read.ok) return read;
  const { fromBlock, toBlock, fromAddress, toAddress, mode, after, count } = read.value;
  return good({
    from: fromBlock ?? EARLIEST,
    to: toBlock ?? LATEST,
    fromAddresses: fromAddress ?? EVERY_ADDRESS,
    toAddresses: toAddress ?? EVERY_ADDRESS,
    isIntersection: mode === 'intersection',
    after: Number(after ?? 0n),
    count: Number(count ?? Number.MAX_SAFE_INTEGER),
  });
}

/** `trace_filter`: re-executes blocks one at a time, up to a limit. */
async function filtered(request: TraceFilter, context: MethodContext): Promise<Answer> {
  const { api, limits, timers } = context;
  const range = rangeOf(request, context);
  if (!range.ok) return failed(range.error);
  const found: string[] = [];
  let [skipped, bytes, executed] = [0, 0, 0];
  for (let height: bigint = range.value.from; height <= range.value.to; height += 1n) {
    await timers.yield();
    const block = api.block(toHeight(height));
    if (block === undefined || block.transactions.length === 0) continue;
    executed += 1;
    if (executed > limits.traceFilterBlocks)
      return failed(invalidParams(`limit traceFilterBlocks (${limits.traceFilterBlocks}) exceeded`));
    const texts = await textsOfBlock(block, FLAT_CALLS, context);
    if (!texts.ok) return failed(texts.error);
    for (const text of texts.value) {
      for (const trace of JSON.parse(text) as readonly FlatTrace[]) {
        if (!accepts(request, trace)) continue;
        skipped += 1;
        if (skipped <= request.after) continue;
        if (found.length >= request.count) return ok(`[${found.join(',')}]`);
        const shown = JSON.stringify(trace);
        bytes += shown.length;
        if (bytes > limits.ethTraceBytes)
          return failed(invalidParams(`limit ethTraceBytes (${limits.ethTraceBytes}) exceeded`));
        found.push(shown);
      }
    }
  }
  return ok(`[${found.join(',')}]`);
}

function rangeOf(
  { from, to }: TraceFilter,
  { api, limits }: MethodContext,
): Resolved<{ readonly from: Height; readonly to: Height }> {
  const first = resolveHeight(api, from);
  if (!first.ok) return first;
  const last = resolveHeight(api, to);
  if (!last.ok) return last;
  if (first.value > last.value) return { ok: false, error: INVALID_RANGE };
  const tooWide = refuseWide(first.value, last.value, limits);
  if (tooWide !== undefined) return { ok: false, error: tooWide };
  return { ok: true, value: { from: first.value, to: last.value } };
}

function accepts({ fromAddresses, toAddresses, isIntersection }: TraceFilter, { action, result }: FlatTrace): boolean {
  const from = (action['from'] ?? action['address'] ?? action['author'] ?? '').toLowerCase();
  const to = (action['to'] ?? action['refundAddress'] ?? result?.['address'] ?? '').toLowerCase();
  const fromMatches = fromAddresses.size === 0 ? undefined : fromAddresses.has(from);
  const toMatches = toAddresses.size === 0 ? undefined : toAddresses.has(to);
  if (fromMatches === undefined || toMatches === undefined) return fromMatches ?? toMatches ?? true;
  return isIntersection ? fromMatches && toMatches : fromMatches || toMatches;
}
