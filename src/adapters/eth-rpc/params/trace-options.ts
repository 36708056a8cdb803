/** Trace options (geth v1.17 `TraceConfig` in `eth/tracers/api.go`). */
import { TRACERS, refuseTracer } from '../../../core/modules/evm/tracers.js';
import { isObject } from '../../../core/text/json-object.js';
import { type Decoded, cannotUnmarshal, good, kindOf, wrongKind } from './param.js';
import { ANYTHING, BOOLEAN, COUNT, type Schema, TEXT, objectOf, oneOfTexts } from '../schema.js';

/**
 * JSON text for the engine, or the error for an unknown tracer, which is an error of the trace (-32000), not of
 * decoding.
 */
export type TraceOptions =
  | {
      readonly ok: true;
      readonly json: string;
      /** True for the default struct logger: its output grows with the execution, and can be streamed. */
      readonly isOpcodeLog: boolean;
    }
  | { readonly ok: false; readonly message: string };

export const NO_OPTIONS: TraceOptions = { ok: true, json: '{}', isOpcodeLog: true };

interface Option {
  /** The type that Go expects. */
  readonly type: string;
  readonly schema: Schema;
  readonly holds: (value: unknown) => boolean;
}

const FLAG: Option = { type: 'bool', schema: BOOLEAN, holds: (value) => typeof value === 'boolean' };
const isText = (value: unknown): boolean => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const OPTIONS: Readonly<Record<string, Option>> = {
  tracer: { type: 'string', schema: oneOfTexts(...TRACERS), holds: isText },
  timeout: { type: 'string', schema: TEXT, holds: isText },
  reexec: { type: 'uint64', schema: COUNT, holds: isCount },
  limit: { type: 'int', schema: COUNT, holds: isCount },
  enableMemory: FLAG,
  disableStack: FLAG,
  disableStorage: FLAG,
  enableReturnData: FLAG,
};

/** Schema of the options; the form of `tracerConfig` depends on the tracer. */
export const TRACE_OPTIONS: Schema = {
  title: 'TraceOptions',
  ...objectOf(
    {
      ...Object.fromEntries(Object.entries(OPTIONS).map(([name, { schema }]) => [name, schema])),
      tracerConfig: ANYTHING,
    },
    [],
  ),
};

/** Decodes trace options. `type`: Go name of the object in error texts. Null and unknown options are ignored. */
export function decodeTraceOptions(value: unknown, type: string): Decoded<TraceOptions> {
  if (!isObject(value)) return wrongKind(value, `tracers.${type}`);
  const options: Record<string, unknown> = {};
  for (const [name, { type: expected, holds }] of Object.entries(OPTIONS)) {
    const option = value[name] ?? null;
    if (option === null) continue;
    const kind = typeof option === 'number' ? `number ${option}` : kindOf(option);
    if (!holds(option)) return cannotUnmarshal(kind, { type: expected, field: `${type}.${name}` });
    options[name] = option;
  }
  const { tracer = '' } = options;
  const own = value['tracerConfig'] ?? null;
  const refusal = tracer === '' ? undefined : refuseTracer(String(tracer), own);
  if (refusal !== undefined) return good({ ok: false, message: refusal });
  const json = JSON.stringify({ ...options, ...(own !== null && { tracerConfig: own }) });
  return good({ ok: true, json, isOpcodeLog: tracer === '' });
}
