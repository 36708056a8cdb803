import type { TracePart } from '../../core/ethereum/api.js';
import type { PullStream } from '../../core/ports/pull-stream.js';
import type { StreamFlow } from './stream-flow.js';

interface Waiter {
  resolve(part: TracePart | undefined): void;
  reject(error: Error): void;
}

/** Main-thread end of a trace stream: buffers parts from a pool thread until they are read. */
export class PartReader implements PullStream<TracePart> {
  /** Resolves with the first part. */
  readonly begun: Promise<void>;
  #hasBegun: () => void = () => undefined;
  readonly #parts: TracePart[] = [];
  #flow: StreamFlow | undefined;
  #waiter: Waiter | undefined;
  #isEnded = false;
  /** Set when no more parts arrive. */
  #finish: { readonly error: Error | undefined } | undefined;

  constructor() {
    this.begun = new Promise((resolve) => {
      this.#hasBegun = resolve;
    });
  }

  /** Called when the task starts on the thread of this flow. */
  begin(flow: StreamFlow | undefined): void {
    flow?.restart();
    this.#flow = flow;
    if (this.#isEnded) flow?.end();
  }

  arrived(part: TracePart): void {
    this.#hasBegun();
    if (this.#isEnded) return;
    if (this.#waiter === undefined) this.#parts.push(part);
    else {
      this.#waiter.resolve(part);
      this.#waiter = undefined;
      this.#flow?.took();
    }
  }

  /** Called when no more parts arrive, at the end or because of an error; the thread then does other work. */
  finish(error: Error | undefined): void {
    this.#flow = undefined;
    this.#finish ??= { error };
    if (error === undefined) this.#waiter?.resolve(undefined);
    else this.#waiter?.reject(error);
    this.#waiter = undefined;
  }

  next(): Promise<TracePart | undefined> {
    const part = this.#parts.shift();
    if (part !== undefined) {
      this.#flow?.took();
      return Promise.resolve(part);
    }
    if (this.#isEnded) return Promise.resolve(undefined);
    if (this.#finish === undefined)
      return new Promise((resolve, reject) => {
        this.#waiter = { resolve, reject };
      });
    return this.#finish.error === undefined ? Promise.resolve(undefined) : Promise.reject(this.#finish.error);
  }

  end(): void {
    this.#isEnded = true;
    this.#parts.length = 0;
    this.#flow?.end();
    this.#waiter?.resolve(undefined);
    this.#waiter = undefined;
  }
}
