/** `debug_trace*` methods (geth v1.17 `eth/tracers/api.go`). */
import { bigintOfBytes } from '../../../core/bytes/big-endian.js';
import { equal } from '../../../core/bytes/bytes.js';
import { hexData } from '../../../core/bytes/hex.js';
import { encodeBlock } from '../../../core/ethereum/header-encoding.js';
import { decodeRlp } from '../../../core/ethereum/rlp.js';
import type { EvmTrace } from '../../../core/evm/outcome.js';
import { toHeight } from '../../../core/primitives.js';
import { rpcErrorOf, serverError } from '../errors.js';
import { type Answer, type Method, type MethodContext, type Streamed, failed, method, ok } from '../method.js';
import { type BlockRef, LATEST, blockRef, isPending } from '../params/block-ref.js';
import { transactionArguments } from '../params/call-arguments.js';
import { type Field, fieldOf, fieldsOf } from '../params/fields.js';
import { data, hash } from '../params/hex.js';
import {
  type CallBlockOverrides,
  NO_BLOCK_OVERRIDES,
  NO_OVERRIDES,
  type StateOverrides,
  blockOverrides,
  stateOverrides,
} from '../params/overrides.js';
import { LOOSE_QUANTITY, looseNumber } from '../params/numbers.js';
import { type Param, good, required, withDefault, wrongKind } from '../params/param.js';
import { NO_OPTIONS, TRACE_OPTIONS, type TraceOptions, decodeTraceOptions } from '../params/trace-options.js';
import { existingBlock } from '../resolve.js';
import { NOT_FOUND, traceText, tracesOf } from '../traces/run.js';
import { streamedBlock, streamedTrace } from '../traces/stream.js';
import { byBlock } from './by-block.js';
import { executionOf } from './calls.js';
import * as result from '../results.js';
import * as schema from '../schema.js';

const options: Param<TraceOptions> = withDefault(
  required('trace options', TRACE_OPTIONS, (value) => decodeTraceOptions(value, 'TraceConfig')),
  NO_OPTIONS,
);

const txIndex: Field<bigint> = {
  type: 'hexutil.Uint',
  schema: LOOSE_QUANTITY,
  decode(value, { type, field }) {
    const number = looseNumber(value);
    return number === undefined ? wrongKind(value, type, field) : good(number);
  },
};
const EDITS = fieldsOf('TraceCallConfig', {
  stateOverrides: fieldOf(stateOverrides),
  blockOverrides: fieldOf(blockOverrides),
  txIndex,
});
const CALL_OPTIONS = schema.objectOf({ ...TRACE_OPTIONS.properties, ...EDITS.schemas }, []);

/** Options of `debug_traceCall`: trace options, and state and block overrides. */
const callOptions: Param<{
  readonly config: TraceOptions;
  readonly state: StateOverrides;
  readonly block: CallBlockOverrides;
  /** Runs the call before the transaction at this index of the block. */
  readonly index: bigint | undefined;
}> = withDefault(
  required('trace options', CALL_OPTIONS, (value) => {
    const config = decodeTraceOptions(value, 'TraceCallConfig');
    if (!config.ok) return config;
    const edits = EDITS.read(value);
    if (!edits.ok) return edits;
    const { stateOverrides: state = NO_OVERRIDES, blockOverrides: block = NO_BLOCK_OVERRIDES } = edits.value;
    return good({ config: config.value, state, block, index: edits.value.txIndex });
  }),
  { config: NO_OPTIONS, state: NO_OVERRIDES, block: NO_BLOCK_OVERRIDES, index: undefined },
);

export const debugMethods: readonly Method[] = [
  method(
    'debug_traceTransaction',
    'Executes a transaction of the chain again; answers what the tracer collects',
    [hash, options],
    schema.ANYTHING,
    async ([value, config], context) => {
      if (context.api.transaction(value) === undefined) return answerOf(undefined);
      if (!config.ok) return failed(serverError(config.message));
      if (isStreamed(config, context)) {
        const started = await context.api.streamTraces([value], config.json);
        return started.ok ? streamedTrace(started.value) : failed(rpcErrorOf(started.error));
      }
      const traced = await tracesOf([value], config.json, context);
      return traced.ok ? answerOf(traced.value[0]) : failed(traced.error);
    },
  ),
  method(
    'debug_traceCall',
    'Executes a call; answers what the tracer collects',
    [transactionArguments, withDefault(blockRef, LATEST), callOptions],
    schema.ANYTHING,
    async ([args, ref, { config, state, block, index }], context) => {
      if (isPending(ref) && context.api.pendingHeight() === context.api.blockNumber())
        return failed(serverError('tracing on top of pending is not supported'));
      const execution = executionOf(context, args, ref, state);
      if (!execution.ok) return failed(execution.error);
      if (!config.ok) return failed(serverError(config.message));
      if (!block.ok) return failed(serverError(block.message));
      const { call, height, overrides } = execution.value;
      const { api } = context;
      const transactions = index === undefined ? [] : (api.block(height)?.transactions ?? []);
      const before = index === undefined ? undefined : transactions[Number(index)]?.hash;
      if (index !== undefined && before === undefined)
        return failed(
          serverError(
            `transaction index ${index} out of range for block ${hexData(api.block(height)?.hash ?? new Uint8Array(0))}`,
          ),
        );
      if (isStreamed(config, context)) {
        const started = await api.streamCallTrace(call, height, overrides, block.overrides, config.json, before);
        return started.ok ? streamedTrace(started.value) : failed(rpcErrorOf(started.error));
      }
      const traced = await api.traceCall(call, height, overrides, block.overrides, config.json, before);
      return traced.ok ? answerOf(traced.value) : failed(rpcErrorOf(traced.error));
    },
  ),
  ...byBlock(
    ['debug_traceBlockByNumber', 'debug_traceBlockByHash'],
    'Traces of all transactions of a block',
    [options],
    result.BLOCK_TRACES,
    ([ref, config], context) => traceBlock(ref, config, context),
  ),
  method(
    'debug_traceBlock',
    'Traces of all transactions of a block of this chain, given as RLP',
    [data, options],
    result.BLOCK_TRACES,
    ([rlp, config], context) => {
      const block = blockOfRlp(rlp, context);
      return block === undefined
        ? failed(serverError('only blocks of this chain can be traced'))
        : traceBlock({ kind: 'number', number: block }, config, context);
    },
  ),
];

/** Index of the number in an RLP header. */
const NUMBER = 8;

/** The height of this chain's block with this RLP; undefined if there is none. */
function blockOfRlp(rlp: Uint8Array, { api }: MethodContext): bigint | undefined {
  const decoded = decodeRlp(rlp);
  const header = decoded.ok && !(decoded.item instanceof Uint8Array) ? decoded.item[0] : undefined;
  const number = header === undefined || header instanceof Uint8Array ? undefined : header[NUMBER];
  if (!(number instanceof Uint8Array)) return undefined;
  const height = bigintOfBytes(number);
  const block = height > api.blockNumber() ? undefined : api.block(toHeight(height));
  return block !== undefined && equal(encodeBlock(block), rlp) ? height : undefined;
}

/** True if the trace can be streamed. */
function isStreamed(config: Extract<TraceOptions, { readonly ok: true }>, { connection }: MethodContext): boolean {
  return config.isOpcodeLog && connection.takesStreams;
}

async function traceBlock(ref: BlockRef, config: TraceOptions, context: MethodContext): Promise<Answer | Streamed> {
  const block = existingBlock(context.api, ref);
  if (!block.ok) return block;
  // An empty block has no traces; explorers also request block 0.
  if (block.value.transactions.length === 0) return ok('[]');
  const hashes = block.value.transactions.map(({ hash: value }) => value);
  if (!config.ok) return failed(serverError(config.message));
  if (isStreamed(config, context)) {
    const started = await context.api.streamTraces(hashes, config.json);
    return started.ok ? streamedBlock(hashes, started.value) : failed(rpcErrorOf(started.error));
  }
  const traced = await tracesOf(hashes, config.json, context);
  if (!traced.ok) return failed(traced.error);
  const results = traced.value.map((trace) =>
    trace.ok ? `"result":${trace.json}` : `"error":${JSON.stringify(trace.message)}`,
  );
  return ok(`[${hashes.map((value, at) => `{"txHash":"${hexData(value)}",${results[at]}}`).join(',')}]`);
}

function answerOf(trace: EvmTrace | undefined): Answer {
  const text = trace === undefined ? NOT_FOUND : traceText(trace);
  return text.ok ? ok(text.value) : text;
}
