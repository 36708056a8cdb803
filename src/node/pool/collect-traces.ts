import type { EvmTrace } from '../../core/evm/engine.js';

/**
 * The traces of transactions that are executed as they are asked for. undefined once they are longer than `maxBytes` in all;
 * what there is when `isLate` says so between two transactions, which nobody is told then.
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
