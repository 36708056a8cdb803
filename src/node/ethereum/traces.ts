import type { BlockContext } from '../../core/application-requests.js';
import { answerTooLarge, traceTooLarge, type EthereumApi } from '../../core/ethereum/api.js';
import type { EthereumBlockOverrides, EthereumCall } from '../../core/ethereum/call.js';
import { refuseLongSequence } from '../../core/ethereum/call-sequence.js';
import { refusedSimulation } from '../../core/ethereum/simulation.js';
import type { EvmOverride } from '../../core/evm/state.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Height } from '../../core/primitives.js';
import type { Pool } from '../../runtime/pool/pool.js';
import type { ChangedState, TraceTask } from '../../runtime/pool/protocol.js';
import { streamOf } from '../../runtime/pool/pull-streams.js';
import type { ExecutedBlocks } from './executed-blocks.js';
import { TraceLimit } from './trace-limit.js';

export interface TracesOptions extends ExecutedBlocks {
  readonly pool: Pool;
  readonly limits: Pick<Limits, 'ethTraceBytes' | 'ethTracesAtOnce'>;
}

/** The methods of `EthereumApi` that trace calls and transactions on the pool. */
export type Traces = Pick<
  EthereumApi,
  'traceCall' | 'streamCallTrace' | 'callSequence' | 'traceTransactions' | 'streamTraces'
>;

/** The error for a call on a block that was reverted meanwhile. */
const REVERTED = { ok: false, message: 'block not found' } as const;

/** Creates the trace methods. */
export function createTraces(options: TracesOptions): Traces {
  const { pool, limits, pendingAt, contextAt, executedBlock, placeOf } = options;
  const limit = new TraceLimit(limits.ethTracesAtOnce);
  /** Pool task that traces a call, and its context; undefined if the block was reverted meanwhile. */
  const callTrace = (
    call: EthereumCall,
    height: Height,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    trace: string,
    hash: Uint8Array | undefined,
  ):
    | readonly [Extract<TraceTask, { readonly kind: 'trace-call' }>, BlockContext, ChangedState | undefined]
    | undefined => {
    const task = {
      kind: 'trace-call',
      call,
      overrides,
      block,
      options: trace,
      maxBytes: limits.ethTraceBytes,
    } as const;
    const context = contextAt(height);
    if (hash === undefined) return [{ ...task, within: undefined }, context, pendingAt(height)?.changed];
    const index = placeOf(hash)?.index;
    const executed = executedBlock(height);
    if (index === undefined || executed === undefined) return undefined;
    return [
      { ...task, within: { block: executed.request, index } },
      { ...context, height: executed.before },
      undefined,
    ];
  };
  /** Pool task that traces transactions of one block, and its context; undefined if one of them is missing. */
  const blockTraces = (
    hashes: readonly Uint8Array[],
    trace: string,
    maxBytes: number,
  ): readonly [Extract<TraceTask, { readonly kind: 'trace-transactions' }>, BlockContext] | undefined => {
    const found = hashes.flatMap((hash) => placeOf(hash) ?? []);
    const height = found[0]?.height;
    const executed = height === undefined ? undefined : executedBlock(height);
    if (height === undefined || executed === undefined) return undefined;
    const { request: block, before } = executed;
    const indices = found.map(({ index }) => index);
    return [
      { kind: 'trace-transactions', block, indices, options: trace, maxBytes },
      { ...contextAt(height), height: before },
    ];
  };
  return {
    traceCall: (call, height, overrides, block, trace, before) =>
      limit.run(async () => {
        const traceTask = callTrace(call, height, overrides, block, trace, before);
        if (traceTask === undefined) return { ok: true, value: REVERTED };
        const traced = await pool.run<'trace-call'>(...traceTask);
        if (!traced.ok) return traced;
        const [made] = traced.value ?? [];
        return { ok: true, value: made ?? { ok: false, message: traceTooLarge(limits.ethTraceBytes) } };
      }),
    streamCallTrace: (call, height, overrides, block, trace, before) =>
      limit.stream(async () => {
        const traceTask = callTrace(call, height, overrides, block, trace, before);
        return traceTask === undefined
          ? { ok: true, value: streamOf([{ kind: 'end', trace: REVERTED } as const]) }
          : pool.stream(...traceTask);
      }),
    callSequence: (sequence, height) =>
      limit.run(async () => {
        const refused = refuseLongSequence(sequence);
        if (refused !== undefined) return { ok: true, value: refused };
        const { ethTraceBytes: maxBytes } = limits;
        const task = { kind: 'eth-calls', sequence, maxBytes } as const;
        const called = await pool.run(task, contextAt(height), pendingAt(height)?.changed);
        if (!called.ok) return called;
        return { ok: true, value: called.value ?? refusedSimulation('plain', answerTooLarge(maxBytes)) };
      }),
    async traceTransactions(hashes, trace, maxBytes) {
      const task = blockTraces(hashes, trace, maxBytes);
      return task === undefined ? { ok: true, value: [] } : limit.run(() => pool.run<'trace-transactions'>(...task));
    },
    async streamTraces(hashes, trace) {
      const task = blockTraces(hashes, trace, limits.ethTraceBytes);
      return task === undefined ? { ok: true, value: streamOf([]) } : limit.stream(() => pool.stream(...task));
    },
  };
}
