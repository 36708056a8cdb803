import { listOf, oneOfTexts } from '../schema.js';
import type { TraceKind } from '../traces/parity.js';
import { bad, decodeEach, good, type Param, required, wrongKind } from './param.js';

const KINDS: readonly TraceKind[] = ['trace', 'stateDiff', 'vmTrace'];

/** The requested trace kinds of a `trace_*` method. */
export const traceKinds: Param<ReadonlySet<TraceKind>> = required(
  'trace types',
  listOf(oneOfTexts(...KINDS)),
  (value) => {
    if (!Array.isArray(value)) return wrongKind(value, '[]string');
    const kinds = decodeEach(value, (name) => {
      const kind = KINDS.find((one) => one === name);
      return kind === undefined ? bad(`unknown trace type ${JSON.stringify(String(name).slice(0, 64))}`) : good(kind);
    });
    return kinds.ok ? good(new Set(kinds.value)) : kinds;
  },
);
