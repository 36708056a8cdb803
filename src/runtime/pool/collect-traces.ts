import type { TracePart } from '../../core/ethereum/api.js';
import type { EvmTrace } from '../../core/evm/outcome.js';

/** Receives the traces of a task, in parts. */
export interface TraceSink {
  /** True when the reader wants no more parts. */
  readonly isEnded: boolean;
  /** Value of the task. */
  readonly value: readonly EvmTrace[] | undefined;
  /** Called when the task starts over, because a range of the state had to be fetched. */
  restart(): void;
  give(part: TracePart): void;
}

/** The engine's message for a trace that exceeds its memory. */
const BEYOND_ENGINE = 'trace too large';

/** Collects whole traces; `value` is undefined when they exceed `maxBytes` together. */
export class WholeTraces implements TraceSink {
  readonly #maxBytes: number;
  #traces: EvmTrace[] = [];
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEnded(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  get value(): readonly EvmTrace[] | undefined {
    return this.isEnded ? undefined : this.#traces;
  }

  restart(): void {
    this.#traces = [];
    this.#pieces = [];
    this.#bytes = 0;
  }

  /** Counts other bytes of the answer. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  give(part: TracePart): void {
    this.#bytes += part.kind === 'piece' ? part.text.length : lengthOf(part.trace);
    if (this.isEnded) this.#pieces = [];
    else if (part.kind === 'piece') this.#pieces.push(part.text);
    else this.#traces.push(this.#whole(part.trace));
  }

  #whole(trace: EvmTrace): EvmTrace {
    const pieces = this.#pieces;
    if (pieces.length === 0) return trace;
    this.#pieces = [];
    return trace.ok ? { ok: true, json: Buffer.concat(pieces).toString() + trace.json } : trace;
  }
}

function lengthOf(trace: EvmTrace): number {
  if (trace.ok) return trace.json.length;
  return trace.message === BEYOND_ENGINE ? Infinity : trace.message.length;
}

/**
 * Executes transactions one by one and passes their traces to a sink, until the sink wants no more, or `isLate` is true
 * between two transactions.
 */
export function collectTraces(executed: Iterable<EvmTrace | undefined>, sink: TraceSink, isLate: () => boolean): void {
  sink.restart();
  for (const trace of executed) {
    if (isLate()) break;
    if (trace !== undefined) sink.give({ kind: 'end', trace });
    if (sink.isEnded) break;
  }
}
