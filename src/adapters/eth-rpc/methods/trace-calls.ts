/** `trace_callMany` and `trace_rawTransaction` (OpenEthereum). */
import type { TracedCall } from '../../../core/ethereum/call-sequence.js';
import type { EvmTrace } from '../../../core/evm/outcome.js';
import { ETHEREUM_LIMITS } from '../../../core/limits/limits.js';
import type { Height } from '../../../core/primitives.js';
import { serverError } from '../errors.js';
import { failed, type Method, method, type MethodContext, ok } from '../method.js';
import { blockRef, LATEST } from '../params/block-ref.js';
import { TRANSACTION, type TransactionArguments, transactionArguments } from '../params/call-arguments.js';
import { data } from '../params/hex.js';
import { bad, type Decoded, decodeEach, good, type Param, required, withDefault, wrongKind } from '../params/param.js';
import { traceKinds } from '../params/trace-kinds.js';
import { type Resolved, resolveState } from '../resolve.js';
import { REPLAY } from '../results.js';
import { listOf, tupleOf } from '../schema.js';
import { machineStates } from '../traces/machine-states.js';
import { replay, REPLAY_TRACERS, type TraceKind } from '../traces/parity.js';
import { traceText } from '../traces/run.js';
import { MACHINE_STATES } from '../traces/vm-trace.js';
import { runSequence, signedCall, tracedCall } from './sequence.js';

type Kinds = ReadonlySet<TraceKind>;

interface KindsOfCall {
  readonly args: TransactionArguments;
  readonly kinds: Kinds;
}

const { simulatedCallsOfBlock: maximum } = ETHEREUM_LIMITS;
const CALLS = listOf(tupleOf(TRANSACTION, traceKinds.schema), maximum);

/** Pairs of a call and its requested trace kinds. */
const tracedCalls: Param<readonly KindsOfCall[]> = required(
  'calls',
  CALLS,
  (value): Decoded<readonly KindsOfCall[]> => {
    if (!Array.isArray(value)) return wrongKind(value, '[]TraceCall');
    if (value.length > maximum) return bad(`limit simulatedCallsOfBlock (${maximum}) exceeded`);
    return decodeEach(value, (pair: unknown) => {
      if (!Array.isArray(pair) || pair.length !== 2) return bad('not a pair of a call and the kinds of its traces');
      const args = transactionArguments.decode(pair[0]);
      if (!args.ok) return args;
      const kinds = traceKinds.decode(pair[1]);
      return kinds.ok ? good({ args: args.value, kinds: kinds.value }) : kinds;
    });
  },
);

const atBlock = withDefault(blockRef, LATEST);

export const traceCallMethods: readonly Method[] = [
  method(
    'trace_callMany',
    'Executes calls over each other and traces them',
    [tracedCalls, atBlock],
    listOf(REPLAY),
    async ([requests, ref], context) => {
      const height = resolveState(context.api, ref);
      if (!height.ok) return failed(height.error);
      const calls = decodeEach(requests, ({ args, kinds }) => tracedCall(context.api, args, tracersOf(kinds)));
      if (!calls.ok) return calls;
      const kindsOfCalls = requests.map(({ kinds }) => kinds);
      const traced = await traceSequence(calls.value, kindsOfCalls, false, height.value, context);
      return traced.ok ? ok(JSON.stringify(traced.value)) : failed(traced.error);
    },
  ),
  method(
    'trace_rawTransaction',
    'Traces a signed transaction, and does not send it',
    [data, traceKinds, atBlock],
    REPLAY,
    async ([raw, kinds, ref], context) => {
      const height = resolveState(context.api, ref);
      if (!height.ok) return failed(height.error);
      const signed = signedCall(context, raw, tracersOf(kinds));
      if (!signed.ok) return failed(signed.error);
      const traced = await traceSequence([signed.value.call], [kinds], true, height.value, context);
      return traced.ok ? ok(JSON.stringify(traced.value[0])) : failed(traced.error);
    },
  ),
];

function tracersOf(kinds: Kinds): readonly string[] {
  return kinds.has('vmTrace') ? [REPLAY_TRACERS, MACHINE_STATES] : [REPLAY_TRACERS];
}

/**
 * Traces calls in one block, each on the state that the previous ones left; with `validation` they are checked like
 * transactions.
 */
async function traceSequence(
  calls: readonly TracedCall[],
  wanted: readonly Kinds[],
  validation: boolean,
  height: Height,
  context: MethodContext,
): Promise<Resolved<readonly object[]>> {
  const done = await runSequence(context, { accounts: [], blocks: [{ block: {}, calls }], validation }, height);
  if (!done.ok) return done;
  const traces = done.value.traces.values();
  const replayed: string[] = [];
  const structLogs: string[] = [];
  for (const kinds of wanted) {
    const text = textOf(traces.next().value);
    if (!text.ok) return text;
    replayed.push(text.value);
    if (!kinds.has('vmTrace')) continue;
    const logs = textOf(traces.next().value);
    if (!logs.ok) return logs;
    structLogs.push(logs.value);
  }
  const stated = calls.filter((_, index) => wanted[index]?.has('vmTrace'));
  const states = machineStates(stated, structLogs, height, context.api);
  if (!states.ok) return states;
  const left = states.value.values();
  const results = wanted.map((kinds, index) =>
    replay(replayed[index] ?? '{}', kinds, kinds.has('vmTrace') ? left.next().value : undefined),
  );
  return { ok: true, value: results };
}

const NO_TRACE = failed(serverError('the call was not traced'));

function textOf(trace: EvmTrace | undefined): Resolved<string> {
  return trace === undefined ? NO_TRACE : traceText(trace);
}
