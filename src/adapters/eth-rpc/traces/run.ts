/** Runs tracers over executed transactions, for the methods of `debug_*`, `trace_*` and `ots_*`. */
import type { EthereumBlock } from '../../../core/ethereum/block-view.js';
import { traceTooLarge } from '../../../core/ethereum/api.js';
import type { EvmTrace } from '../../../core/evm/engine.js';
import { rpcErrorOf, serverError } from '../errors.js';
import type { MethodContext } from '../method.js';
import type { Resolved } from '../resolve.js';

/** The traces of transactions of one block, by their hashes and in their order; `options` is JSON text. */
export async function tracesOf(
  hashes: readonly Uint8Array[],
  options: string,
  { api, limits }: Pick<MethodContext, 'api' | 'limits'>,
): Promise<Resolved<readonly EvmTrace[]>> {
  const traced = await api.traceTransactions(hashes, options, limits.ethTraceBytes);
  if (!traced.ok) return { ok: false, error: rpcErrorOf(traced.error) };
  if (traced.value === undefined) return { ok: false, error: serverError(traceTooLarge(limits.ethTraceBytes)) };
  // undefined when the block was reverted meanwhile
  return traced.value.length === hashes.length
    ? { ok: true, value: traced.value }
    : { ok: false, error: serverError('transaction not found') };
}

/** JSON texts of the traces of a whole block; the first that failed is the error. */
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
  return traced.ok ? textsOf(traced.value) : traced;
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
  return trace.ok ? { ok: true, value: trace.json } : { ok: false, error: serverError(trace.message) };
}

const NOT_FOUND = { ok: false, error: serverError('transaction not found') } as const;

function textsOf(traces: readonly EvmTrace[]): Resolved<readonly string[]> {
  const texts: string[] = [];
  for (const trace of traces) {
    if (!trace.ok) return { ok: false, error: serverError(trace.message) };
    texts.push(trace.json);
  }
  return { ok: true, value: texts };
}
