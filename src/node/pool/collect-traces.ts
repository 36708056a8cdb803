import type { EvmTrace } from '../../core/evm/engine.js';

/**
 * Collects traces of transactions, which are executed one by one. undefined when they are longer than `maxBytes`
 * together; the traces so far when `isLate` is true between two transactions, and then the result is not sent.
 */
export function collectTraces(
  executed: Iterable<EvmTrace | undefined>,
  maxBytes: number,
  isLate: () => boolean,
): readonly EvmTrace[] | undefined {
  const traces: EvmTrace[] = [];
  let size = 0;
  for (const trace of executed) {
    if (isLate()) break;
    if (trace === undefined) continue;
    size += trace.ok ? trace.json.length : trace.message.length;
    if (size > maxBytes) return undefined;
    traces.push(trace);
  }
  return traces;
}

/** A trace, or its refusal when it is longer than `maxBytes`: it is not sent to the main thread. */
export function boundedTrace(trace: EvmTrace, maxBytes: number): EvmTrace {
  if (!trace.ok || trace.json.length <= maxBytes) return trace;
  return { ok: false, message: `trace too large: limit ethTraceBytes (${maxBytes}) exceeded` };
}
