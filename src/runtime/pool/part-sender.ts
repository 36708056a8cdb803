import type { TracePart } from '../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { TraceSink } from './collect-traces.js';
import type { StreamFlow } from './stream-flow.js';

/** Sends the parts of traces to the main thread, as fast as their reader takes them. */
export class PartSender implements TraceSink {
  /** All traces are sent. */
  readonly value = [];
  readonly #send: (part: TracePart) => void;
  readonly #flow: StreamFlow;
  /** Milliseconds that the task still has. */
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

  /** An execution makes the same parts each time, so those that were sent are left out. */
  restart(): void {
    this.#made = 0;
  }

  /** Sends a part when the reader has room for it; drops it when the reader ended or the time is over. */
  give(part: TracePart): void {
    this.#made += 1;
    if (this.#made <= this.#sent) return;
    this.#flow.waitForTaken(this.#made - FIXED_LIMITS.traceStreamParts, this.#left());
    if (this.isEnded || this.#left() <= 0) return;
    this.#sent += 1;
    this.#send(part);
  }
}
