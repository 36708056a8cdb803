/** Traces (ethereum-json-rpc.md 5.14). Tracers and their options are the engine's; unknown ones are refused with their name. */
import type { EthereumBlock } from '../../../core/ethereum/block-view.js';
import { hexData } from '../../../core/ethereum/hex.js';
import type { Outcome } from '../../../core/node-api.js';
import { isObject } from '../envelope.js';
import { rpcErrorOf, serverError } from '../errors.js';
import { type Answer, type Method, type MethodContext, failed, method, ok } from '../method.js';
import { type BlockRef, LATEST, blockNumber, blockRef } from '../params/block-ref.js';
import { transactionArguments } from '../params/call-arguments.js';
import { hash } from '../params/hex.js';
import { type Param, bad, good, kindOf, required, withDefault } from '../params/param.js';
import { resolveBlock, resolveState } from '../resolve.js';
import { callOf } from './calls.js';

/** JSON text of the options. */
const options: Param<string> = withDefault(
  required('trace options', (value) => (isObject(value) ? good(JSON.stringify(value)) : bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type tracers.TraceConfig`))),
  '{}',
);

export const debugMethods: readonly Method[] = [
  method('debug_traceTransaction', [hash, options], async ([value, config], { api }) => {
    if (api.transaction(value) === undefined) return failed(serverError('transaction not found'));
    return answerOf(await api.traceTransaction(value, config));
  }),
  method('debug_traceCall', [transactionArguments, withDefault(blockRef, LATEST), options], async ([args, ref, config], { api }) => {
    if (ref.kind === 'tag' && ref.tag === 'pending') return failed(serverError('tracing on top of pending is not supported'));
    const call = callOf(api, args);
    if (!call.ok) return failed(call.error);
    const height = resolveState(api, ref);
    return height.ok ? answerOf(await api.traceCall(call.value, height.value, config)) : failed(height.error);
  }),
  method('debug_traceBlockByNumber', [blockNumber, options], ([ref, config], context) => traceBlock(ref, config, context)),
  method('debug_traceBlockByHash', [hash, options], ([value, config], context) => traceBlock({ kind: 'hash', hash: value }, config, context)),
];

type Traced = Outcome<{ readonly ok: true; readonly json: string } | { readonly ok: false; readonly message: string }>;

function answerOf(traced: Traced): Answer {
  if (!traced.ok) return failed(rpcErrorOf(traced.error));
  return traced.value.ok ? ok(traced.value.json) : failed(serverError(traced.value.message));
}

async function traceBlock(ref: BlockRef, config: string, { api }: MethodContext): Promise<Answer> {
  const block = resolveBlock(api, ref);
  if (!block.ok) return failed(block.error);
  if (block.value === undefined) return failed(serverError(unknownBlock(ref)));
  if (block.value.height === 0n) return failed(serverError('genesis is not traceable'));
  return tracesOf(block.value, (value) => api.traceTransaction(value, config));
}

async function tracesOf(block: EthereumBlock, trace: (value: Uint8Array) => Promise<Traced>): Promise<Answer> {
  const traces: string[] = [];
  for (const { hash: value } of block.transactions) {
    const traced = await trace(value);
    if (!traced.ok) return failed(rpcErrorOf(traced.error));
    const result = traced.value.ok ? `"result":${traced.value.json}` : `"error":${JSON.stringify(traced.value.message)}`;
    traces.push(`{"txHash":"${hexData(value)}",${result}}`);
  }
  return ok(`[${traces.join(',')}]`);
}

function unknownBlock(ref: BlockRef): string {
  if (ref.kind === 'hash') return `block ${hexData(ref.hash)} not found`;
  return ref.kind === 'number' ? `block #${ref.number} not found` : 'block not found';
}
