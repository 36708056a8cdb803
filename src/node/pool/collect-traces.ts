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
