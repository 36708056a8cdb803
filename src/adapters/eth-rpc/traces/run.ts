/** Runs tracers on executed transactions, for `debug_*`, `trace_*` and `ots_*` methods. */
import type { EthereumBlock } from '../../../core/ethereum/block-view.js';
import { traceTooLarge } from '../../../core/ethereum/api.js';
import type { EvmTrace } from '../../../core/evm/outcome.js';
import { rpcErrorOf, serverError } from '../errors.js';
import { type MethodContext, failed } from '../method.js';
import { decodeEach } from '../params/param.js';
import type { Resolved } from '../resolve.js';

/** Traces transactions of one block by hash, in order; `options` is JSON text. */
export async function tracesOf(
  hashes: readonly Uint8Array[],
  options: string,
  { api, limits }: Pick<MethodContext, 'api' | 'limits'>,
): Promise<Resolved<readonly EvmTrace[]>> {
  const traced = await api.traceTransactions(hashes, options, limits.ethTraceBytes);
  if (!traced.ok) return failed(rpcErrorOf(traced.error));
  if (traced.value === undefined) return failed(serverError(traceTooLarge(limits.ethTraceBytes)));
  // fewer traces mean that the block was reverted meanwhile
  return traced.value.length === hashes.length ? { ok: true, value: traced.value } : NOT_FOUND;
}

/** JSON texts of the traces of a whole block; fails with the first failed trace. */
export async function textsOfBlock(
  { transactions }: Pick<EthereumBlock, 'transactions'>,
  options: string,
  context: Pick<MethodContext, 'api' | 'limits'>,
): Promise<Resolved<readonly string[]>> {
  if (transactions.length === 0) return { ok: true, value: [] };
  const traced = await tracesOf(
    transactions.map(({ hash }) => hash),
    options,
    context,
  );
  return traced.ok ? decodeEach(traced.value, traceText) : traced;
}

/** JSON text of the trace of one transaction. */
export async function textOf(
  hash: Uint8Array,
  options: string,
  context: Pick<MethodContext, 'api' | 'limits'>,
): Promise<Resolved<string>> {
  if (context.api.transaction(hash) === undefined) return NOT_FOUND;
  const traced = await tracesOf([hash], options, context);
  if (!traced.ok) return traced;
  const [trace] = traced.value;
  if (trace === undefined) return NOT_FOUND;
  return traceText(trace);
}

/** The JSON text of a trace, or the error of a failed one. */
export function traceText(trace: EvmTrace): Resolved<string> {
  return trace.ok ? { ok: true, value: trace.json } : failed(serverError(trace.message));
}

export const NOT_FOUND = failed(serverError('transaction not found'));
