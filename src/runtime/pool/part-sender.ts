import type { TracePart } from '../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { TraceSink } from './collect-traces.js';
import type { StreamFlow } from './stream-flow.js';

/** Sends trace parts to the main thread, as fast as the reader takes them. */
export class PartSender implements TraceSink {
  /** Empty: all traces are sent as parts. */
  readonly value = [];
  readonly #send: (part: TracePart) => void;
  readonly #flow: StreamFlow;
  /** Milliseconds left for the task. */
  readonly #left: () => number;
  #sent = 0;
  #made = 0;

  constructor(send: (part: TracePart) => void, flow: StreamFlow, left: () => number) {
    this.#send = send;
    this.#flow = flow;
    this.#left = left;
  }

  get isEnded(): boolean {
    return this.#flow.isEnded;
  }

  /** A repeated execution produces the same parts, so those already sent are skipped. */
  restart(): void {
    this.#made = 0;
  }

  /** Sends a part as soon as the reader has room; drops it when the reader has ended or the time is up. */
  give(part: TracePart): void {
    this.#made += 1;
    if (this.#made <= this.#sent) return;
    this.#flow.waitForTaken(this.#made - FIXED_LIMITS.traceStreamParts, this.#left());
    if (this.isEnded || this.#left() <= 0) return;
    this.#sent += 1;
    this.#send(part);
  }
}
