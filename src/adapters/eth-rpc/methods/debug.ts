/** Traces (geth v1.17 `eth/tracers/api.go`). */
import type { EthereumBlockOverrides } from '../../../core/ethereum/api.js';
import { hexData } from '../../../core/bytes/hex.js';
import type { EvmTrace } from '../../../core/evm/engine.js';
import { isObject } from '../envelope.js';
import { rpcErrorOf, serverError } from '../errors.js';
import { type Answer, type Method, type MethodContext, failed, method, ok } from '../method.js';
import { type BlockRef, LATEST, blockNumber, blockRef } from '../params/block-ref.js';
import { transactionArguments } from '../params/call-arguments.js';
import { hash } from '../params/hex.js';
import {
  NO_BLOCK_OVERRIDES,
  NO_OVERRIDES,
  type StateOverrides,
  blockOverrides,
  stateOverrides,
} from '../params/overrides.js';
import { type Param, bad, good, kindOf, required, withDefault } from '../params/param.js';
import { NO_OPTIONS, type TraceOptions, decodeTraceOptions } from '../params/trace-options.js';
import { type Resolved, resolveBlock } from '../resolve.js';
import { executionOf } from './calls.js';

const options: Param<TraceOptions> = withDefault(
  required('trace options', (value) => decodeTraceOptions(value, 'TraceConfig')),
  NO_OPTIONS,
);

/** Options of `debug_traceCall`: those of a trace, and edits of accounts and block. */
const callOptions: Param<{
  readonly config: TraceOptions;
  readonly state: StateOverrides;
  readonly block: EthereumBlockOverrides;
}> = withDefault(
  required('trace options', (value) => {
    if (!isObject(value))
      return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type tracers.TraceCallConfig`);
    const { stateOverrides: accounts, blockOverrides: edits, txIndex } = value;
    const config = decodeTraceOptions(value, 'TraceCallConfig');
    if (!config.ok) return config;
    const state = (accounts ?? null) === null ? good(NO_OVERRIDES) : stateOverrides.decode(accounts);
    if (!state.ok) return state;
    const block = (edits ?? null) === null ? good(NO_BLOCK_OVERRIDES) : blockOverrides.decode(edits);
    // a call cannot run between two transactions of a block, and the state at the end of the block would give another
    // answer
    const options =
      (txIndex ?? null) === null ? config.value : ({ ok: false, message: 'txIndex is not supported' } as const);
    return block.ok ? good({ config: options, state: state.value, block: block.value }) : block;
  }),
  { config: NO_OPTIONS, state: NO_OVERRIDES, block: NO_BLOCK_OVERRIDES },
);

export const debugMethods: readonly Method[] = [
  method('debug_traceTransaction', [hash, options], async ([value, config], context) => {
    if (context.api.transaction(value) === undefined) return answerOf(undefined);
    const traced = await tracesOf([value], config, context);
    return traced.ok ? answerOf(traced.value[0]) : failed(traced.error);
  }),
  method(
    'debug_traceCall',
    [transactionArguments, withDefault(blockRef, LATEST), callOptions],
    async ([args, ref, { config, state, block }], context) => {
      if (ref.kind === 'tag' && ref.tag === 'pending')
        return failed(serverError('tracing on top of pending is not supported'));
      const asked = executionOf(context, args, ref, state);
      if (!asked.ok) return failed(asked.error);
      if (!config.ok) return failed(serverError(config.message));
      const { call, height, overrides } = asked.value;
      const traced = await context.api.traceCall(call, height, overrides, block, config.json);
      return traced.ok ? answerOf(traced.value) : failed(rpcErrorOf(traced.error));
    },
  ),
  method('debug_traceBlockByNumber', [blockNumber, options], ([ref, config], context) =>
    traceBlock(ref, config, context),
  ),
  method('debug_traceBlockByHash', [hash, options], ([value, config], context) =>
    traceBlock({ kind: 'hash', hash: value }, config, context),
  ),
];

async function traceBlock(ref: BlockRef, config: TraceOptions, context: MethodContext): Promise<Answer> {
  const block = resolveBlock(context.api, ref);
  if (!block.ok) return failed(block.error);
  if (block.value === undefined) return failed(serverError(unknownBlock(ref)));
  if (block.value.height === 0n) return failed(serverError('genesis is not traceable'));
  const hashes = block.value.transactions.map(({ hash: value }) => value);
  const traced = await tracesOf(hashes, config, context);
  if (!traced.ok) return failed(traced.error);
  const results = traced.value.map((trace) =>
    trace.ok ? `"result":${trace.json}` : `"error":${JSON.stringify(trace.message)}`,
  );
  return ok(`[${hashes.map((value, at) => `{"txHash":"${hexData(value)}",${results[at]}}`).join(',')}]`);
}

/** The traces of the given transactions, all of one block. */
async function tracesOf(
  hashes: readonly Uint8Array[],
  config: TraceOptions,
  { api, limits }: MethodContext,
): Promise<Resolved<readonly EvmTrace[]>> {
  if (!config.ok) return { ok: false, error: serverError(config.message) };
  const traced = await api.traceTransactions(hashes, config.json, limits.ethTraceBytes);
  if (!traced.ok) return { ok: false, error: rpcErrorOf(traced.error) };
  if (traced.value === undefined)
    return { ok: false, error: serverError(`trace too large: limit ethTraceBytes (${limits.ethTraceBytes}) exceeded`) };
  // undefined when the block was reverted meanwhile
  return traced.value.length === hashes.length
    ? { ok: true, value: traced.value }
    : { ok: false, error: serverError('transaction not found') };
}

function answerOf(trace: EvmTrace | undefined): Answer {
  if (trace === undefined) return failed(serverError('transaction not found'));
  return trace.ok ? ok(trace.json) : failed(serverError(trace.message));
}

function unknownBlock(ref: BlockRef): string {
  if (ref.kind === 'hash') return `block ${hexData(ref.hash)} not found`;
  return ref.kind === 'number' ? `block #${ref.number} not found` : 'block not found';
}
