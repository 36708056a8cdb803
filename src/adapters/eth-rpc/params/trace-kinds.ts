import { listOf, oneOfTexts } from '../schema.js';
import type { TraceKind } from '../traces/parity.js';
import { bad, good, kindOf, type Param, required } from './param.js';

const KINDS: readonly TraceKind[] = ['trace', 'stateDiff', 'vmTrace'];

/** The kinds of traces that a call of a `trace_*` method requests. */
export const traceKinds: Param<ReadonlySet<TraceKind>> = required(
  'trace types',
  listOf(oneOfTexts(...KINDS)),
  (value) => {
    if (!Array.isArray(value)) return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type []string`);
    const wanted = new Set<TraceKind>();
    for (const name of value) {
      const kind = KINDS.find((one) => one === name);
      if (kind === undefined) return bad(`unknown trace type ${JSON.stringify(String(name).slice(0, 64))}`);
      wanted.add(kind);
    }
    return good(wanted);
  },
);
