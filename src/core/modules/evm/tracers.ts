/** Tracers by geth's names (v1.17 `eth/tracers/native`). */
import { hexData } from '../../bytes/hex.js';
import type { EvmTrace } from '../../evm/outcome.js';
import { asObject } from '../../text/json-object.js';
import { FIXED_LIMITS } from '../../limits/limits.js';

/** Location of the traced transaction; calls have none. */
export interface TracedPlace {
  readonly blockHash: Uint8Array;
  readonly hash: Uint8Array;
  /** Index among the block's Ethereum transactions. */
  readonly index: number;
}

const MUX = 'muxTracer';
/** Internal tracer for `eth_createAccessList`; clients cannot select it. */
export const ACCESS_LIST = 'accessListTracer';
/** Tracers that clients may select. */
export const TRACERS: ReadonlySet<string> = new Set([
  'callTracer',
  'prestateTracer',
  '4byteTracer',
  'flatCallTracer',
  MUX,
  'noopTracer',
  'erc7562Tracer',
  'keccak256PreimageTracer',
]);
/** JavaScript tracers of geth (`eth/tracers/js/internal/tracers`). */
const PROGRAMS: ReadonlySet<string> = new Set([
  '4byteTracerLegacy',
  'bigramTracer',
  'callTracerLegacy',
  'evmdisTracer',
  'noopTracerLegacy',
  'opcountTracer',
  'prestateTracerLegacy',
  'trigramTracer',
  'unigramTracer',
]);
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,63}$/;

/** Error for unknown tracers, also within `muxTracer`, and for too many of them; undefined when all are known. */
export function refuseTracer(name: string, config: unknown): string | undefined {
  let count = 0;
  const refuse = (tracer: string, own: unknown): string | undefined => {
    count += 1;
    if (count > FIXED_LIMITS.tracersAtOnce) return `limit tracersAtOnce (${FIXED_LIMITS.tracersAtOnce}) exceeded`;
    if (!TRACERS.has(tracer)) return unknownTracer(tracer);
    if (tracer !== MUX) return undefined;
    for (const [inner, innerConfig] of Object.entries(asObject(own) ?? {})) {
      const refusal = refuse(inner, innerConfig);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  };
  return refuse(name, config);
}

/**
 * Error for an unknown tracer: geth treats the name as JavaScript, which refers to an undefined variable. This text
 * adds help.
 */
function unknownTracer(tracer: string): string {
  const known = `it has ${[...TRACERS].join(', ')}`;
  return IDENTIFIER.test(tracer) && !PROGRAMS.has(tracer)
    ? `ReferenceError: ${tracer} is not defined at <eval>:1:2(0): this node has no such tracer; ${known}`
    : `this node runs no tracers in JavaScript; ${known}`;
}

/** Runs the trace with these options (JSON text of geth's `TraceConfig`), unless they select an unknown tracer. */
export function tracedBy(options: string, place: TracedPlace | undefined, run: () => EvmTrace): EvmTrace {
  const { tracer = '', tracerConfig } = asObject(JSON.parse(options)) ?? {};
  const refusal = tracer === '' || tracer === ACCESS_LIST ? undefined : refuseTracer(String(tracer), tracerConfig);
  if (refusal !== undefined) return { ok: false, message: refusal };
  const trace = run();
  return tracer === 'flatCallTracer' || tracer === MUX ? placed(trace, place) : trace;
}

/**
 * Fills in block and transaction hashes, which the engine does not know. Quotes within strings are escaped, so
 * nothing else matches.
 */
function placed(trace: EvmTrace, place: TracedPlace | undefined): EvmTrace {
  if (!trace.ok || place === undefined) return trace;
  const json = trace.json
    .replaceAll('"blockNumber":', `"blockHash":"${hexData(place.blockHash)}","blockNumber":`)
    .replaceAll('"transactionHash":null', `"transactionHash":"${hexData(place.hash)}"`)
    .replaceAll('"transactionPosition":null', `"transactionPosition":${place.index}`);
  return { ok: true, json };
}
