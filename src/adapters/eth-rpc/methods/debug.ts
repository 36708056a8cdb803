/** Traces (ethereum-json-rpc.md 5.14). Tracers and their options are the engine's; unknown ones are refused with their name. */
import type { EthereumBlockOverrides } from '../../../core/ethereum/api.js';
import type { EthereumBlock } from '../../../core/ethereum/block-view.js';
import { hexData } from '../../../core/ethereum/hex.js';
import type { Outcome } from '../../../core/node-api.js';
import { isObject } from '../envelope.js';
import { rpcErrorOf, serverError } from '../errors.js';
import { type Answer, type Method, type MethodContext, failed, method, ok } from '../method.js';
import { type BlockRef, LATEST, blockNumber, blockRef } from '../params/block-ref.js';
import { transactionArguments } from '../params/call-arguments.js';
import { hash } from '../params/hex.js';
import { NO_BLOCK_OVERRIDES, NO_OVERRIDES, type StateOverrides, blockOverrides, stateOverrides } from '../params/overrides.js';
import { type Param, bad, good, kindOf, required, withDefault } from '../params/param.js';
import { resolveBlock, resolveState } from '../resolve.js';
import { callOf } from './calls.js';
import { delegated } from './delegations.js';

/** JSON text of the options. */
const options: Param<string> = withDefault(
  required('trace options', (value) => (isObject(value) ? good(JSON.stringify(value)) : bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type tracers.TraceConfig`))),
  '{}',
);

/** Options of `debug_traceCall`: those of a trace, and edits of accounts and block. */
const callOptions: Param<{ readonly config: string; readonly state: StateOverrides; readonly block: EthereumBlockOverrides }> = withDefault(
  required('trace options', (value) => {
    if (!isObject(value)) return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type tracers.TraceCallConfig`);
    const { stateOverrides: accounts, blockOverrides: edits, ...config } = value;
    const state = (accounts ?? null) === null ? good(NO_OVERRIDES) : stateOverrides.decode(accounts);
    if (!state.ok) return state;
    const block = (edits ?? null) === null ? good(NO_BLOCK_OVERRIDES) : blockOverrides.decode(edits);
    return block.ok ? good({ config: JSON.stringify(config), state: state.value, block: block.value }) : block;
  }),
  { config: '{}', state: NO_OVERRIDES, block: NO_BLOCK_OVERRIDES },
);

export const debugMethods: readonly Method[] = [
  method('debug_traceTransaction', [hash, options], async ([value, config], { api }) => {
    if (api.transaction(value) === undefined) return failed(serverError('transaction not found'));
    return answerOf(await api.traceTransaction(value, config));
  }),
  method('debug_traceCall', [transactionArguments, withDefault(blockRef, LATEST), callOptions], async ([args, ref, { config, state, block }], { api, crypto }) => {
    if (ref.kind === 'tag' && ref.tag === 'pending') return failed(serverError('tracing on top of pending is not supported'));
    const call = callOf(api, args);
    if (!call.ok) return failed(call.error);
    const height = resolveState(api, ref);
    if (!height.ok) return failed(height.error);
    if (!state.ok) return failed(serverError(state.message));
    return answerOf(await api.traceCall(call.value, height.value, delegated(api, crypto, args, height.value, state.overrides), block, config));
  }),
  method('debug_traceBlockByNumber', [blockNumber, options], ([ref, config], context) => traceBlock(ref, config, context)),
  method('debug_traceBlockByHash', [hash, options], ([value, config], context) => traceBlock({ kind: 'hash', hash: value }, config, context)),
];

type Traced = Outcome<{ readonly ok: true; readonly json: string } | { readonly ok: false; readonly message: string }>;

function answerOf(traced: Traced): Answer {
  if (!traced.ok) return failed(rpcErrorOf(traced.error));
  return traced.value.ok ? ok(traced.value.json) : failed(serverError(traced.value.message));
}

async function traceBlock(ref: BlockRef, config: string, { api, limits }: MethodContext): Promise<Answer> {
  const block = resolveBlock(api, ref);
  if (!block.ok) return failed(block.error);
  if (block.value === undefined) return failed(serverError(unknownBlock(ref)));
  if (block.value.height === 0n) return failed(serverError('genesis is not traceable'));
  return tracesOf(block.value, limits.ethTraceBytes, (value) => api.traceTransaction(value, config));
}

async function tracesOf(block: EthereumBlock, limit: number, trace: (value: Uint8Array) => Promise<Traced>): Promise<Answer> {
  const traces: string[] = [];
  let size = 0;
  for (const { hash: value } of block.transactions) {
    const traced = await trace(value);
    if (!traced.ok) return failed(rpcErrorOf(traced.error));
    const result = traced.value.ok ? `"result":${traced.value.json}` : `"error":${JSON.stringify(traced.value.message)}`;
    size += result.length;
    if (size > limit) return failed(serverError(`trace too large: limit ethTraceBytes (${limit}) exceeded`));
    traces.push(`{"txHash":"${hexData(value)}",${result}}`);
  }
  return ok(`[${traces.join(',')}]`);
}

function unknownBlock(ref: BlockRef): string {
  if (ref.kind === 'hash') return `block ${hexData(ref.hash)} not found`;
  return ref.kind === 'number' ? `block #${ref.number} not found` : 'block not found';
}
