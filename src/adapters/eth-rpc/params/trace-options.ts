/** Options of traces (geth v1.17 `TraceConfig` in `eth/tracers/api.go`). */
import { isObject } from '../envelope.js';
import { type Decoded, bad, good, kindOf } from './param.js';

/** JSON text for the engine, or an unknown tracer, which is an error of the trace (-32000) and not of decoding. */
export type TraceOptions =
  | {
      readonly ok: true;
      readonly json: string;
      /** Without a named tracer: the text is as long as the execution, and can be streamed. */
      readonly isOpcodeLog: boolean;
    }
  | { readonly ok: false; readonly message: string };

export const NO_OPTIONS: TraceOptions = { ok: true, json: '{}', isOpcodeLog: true };

const TRACERS: ReadonlySet<string> = new Set([
  '',
  'callTracer',
  'prestateTracer',
  '4byteTracer',
  'flatCallTracer',
  'muxTracer',
  'noopTracer',
  'erc7562Tracer',
  'keccak256PreimageTracer',
]);

/** The type that Go expects of each option; `tracerConfig` belongs to the tracer. */
const TYPES: Readonly<Record<string, readonly [name: string, holds: (value: unknown) => boolean]>> = {
  tracer: ['string', (value) => typeof value === 'string'],
  timeout: ['string', (value) => typeof value === 'string'],
  reexec: ['uint64', isCount],
  limit: ['int', isCount],
  enableMemory: ['bool', isBool],
  disableStack: ['bool', isBool],
  disableStorage: ['bool', isBool],
  enableReturnData: ['bool', isBool],
};

/** `type` is Go's name of the object in error texts. Null and unknown options count as absent. */
export function decodeTraceOptions(value: unknown, type: string): Decoded<TraceOptions> {
  if (!isObject(value)) return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type tracers.${type}`);
  const options: Record<string, unknown> = {};
  for (const [name, [expected, holds]] of Object.entries(TYPES)) {
    const option = value[name] ?? null;
    if (option === null) continue;
    if (!holds(option))
      return bad(
        `json: cannot unmarshal ${typeof option === 'number' ? `number ${option}` : kindOf(option)} into Go struct field ${type}.${name} of type ${expected}`,
      );
    options[name] = option;
  }
  const { tracer = '' } = options;
  if (typeof tracer !== 'string' || !TRACERS.has(tracer))
    return good({ ok: false, message: unknownTracer(String(tracer)) });
  const own = value['tracerConfig'] ?? null;
  const json = JSON.stringify({ ...options, ...(own !== null && { tracerConfig: own }) });
  return good({ ok: true, json, isOpcodeLog: tracer === '' });
}

/** geth's text; geth runs tracers that are programs, so these get a hint. */
function unknownTracer(tracer: string): string {
  const text = `tracer ${JSON.stringify(tracer.slice(0, 64))} not found`;
  if (!/[{(]/.test(tracer)) return text;
  return `${text}: this node runs no tracers in JavaScript; it has ${[...TRACERS].filter(Boolean).join(', ')}`;
}

function isBool(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
