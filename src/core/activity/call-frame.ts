import { bytesOfDigits } from '../bytes/hex.js';
import { EMPTY } from '../bytes/bytes.js';
import { asObject } from '../text/json-object.js';

/** Frame of geth's `callTracer` with `withLog` (go-ethereum v1.17 `eth/tracers/native/call.go`). */
export interface CallFrame {
  readonly type: string;
  readonly from: Uint8Array;
  /** Undefined for a creation that failed before its address was known. */
  readonly to: Uint8Array | undefined;
  readonly value: bigint;
  readonly gasUsed: bigint;
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly error: string | undefined;
  readonly calls: readonly CallFrame[];
  readonly logs: readonly FrameLog[];
}

export interface FrameLog {
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  /** Number of inner calls before the log. */
  readonly position: number;
}

/** Parses a frame of a tracer's JSON; undefined for other JSON. Nesting is limited by the EVM's call depth. */
export function callFrameOf(json: unknown): CallFrame | undefined {
  const { type, from, to, value, gasUsed, input, output, error, calls, logs } = asObject(json) ?? {};
  const sender = bytesOf(from);
  if (typeof type !== 'string' || sender === undefined) return undefined;
  return {
    type,
    from: sender,
    to: bytesOf(to),
    value: numberOf(value),
    gasUsed: numberOf(gasUsed),
    input: bytesOf(input) ?? EMPTY,
    output: bytesOf(output) ?? EMPTY,
    error: typeof error === 'string' ? error : undefined,
    calls: Array.isArray(calls) ? calls.flatMap((call: unknown) => callFrameOf(call) ?? []) : [],
    logs: Array.isArray(logs) ? logs.map((log: unknown) => logOf(log)) : [],
  };
}

/** Visits all frames of a tree in execution order. */
export function eachFrame(frame: CallFrame, visit: (frame: CallFrame) => void): void {
  visit(frame);
  for (const call of frame.calls) eachFrame(call, visit);
}

function logOf(json: unknown): FrameLog {
  const { topics, data, position } = asObject(json) ?? {};
  return {
    topics: Array.isArray(topics) ? topics.map((topic: unknown) => bytesOf(topic) ?? EMPTY) : [],
    data: bytesOf(data) ?? EMPTY,
    position: Number(numberOf(position)),
  };
}

function bytesOf(value: unknown): Uint8Array | undefined {
  return typeof value === 'string' && value.startsWith('0x') ? bytesOfDigits(value.slice(2)) : undefined;
}

function numberOf(value: unknown): bigint {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value) ? BigInt(value) : 0n;
}
