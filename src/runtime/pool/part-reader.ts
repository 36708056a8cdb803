import type { TracePart } from '../../core/ethereum/api.js';
import type { PullStream } from '../../core/pull-stream.js';
import type { StreamFlow } from './stream-flow.js';

interface Waiter {
  resolve(part: TracePart | undefined): void;
  reject(error: Error): void;
}

/** Parts of traces as they arrive from a thread of the pool. */
export class PartReader implements PullStream<TracePart> {
  /** Resolves with the first part. */
  readonly begun: Promise<void>;
  #hasBegun: () => void = () => undefined;
  readonly #parts: TracePart[] = [];
  #flow: StreamFlow | undefined;
  #waiter: Waiter | undefined;
  #isEnded = false;
  /** Set after the last part. */
  #finish: { readonly error: Error | undefined } | undefined;

  constructor() {
    this.begun = new Promise((resolve) => {
      this.#hasBegun = resolve;
    });
  }

  /** The task begins on the thread of this flow. */
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

  /** No more parts arrive, because of the error or because there are no more; the thread does other work. */
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
