import type { Outcome } from '../../core/node-api.js';
import type { PullStream } from '../../core/ports/pull-stream.js';
import { releasedAtEnd } from '../../runtime/pool/pull-streams.js';

/** Limits the number of running and queued traces, which are slow and large. */
export class TraceLimit {
  #running = 0;

  /** `maximum` is the limit `ethTracesAtOnce`. */
  constructor(private readonly maximum: number) {}

  /** Runs a trace, or fails with the limit. */
  async run<Value>(trace: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    const release = this.#begin();
    if (release === undefined) return this.#refused();
    try {
      return await trace();
    } finally {
      release();
    }
  }

  /** Starts a stream of traces, which counts as one trace until it ends. */
  async stream<Item>(start: () => Promise<Outcome<PullStream<Item>>>): Promise<Outcome<PullStream<Item>>> {
    const release = this.#begin();
    if (release === undefined) return this.#refused();
    let started: Outcome<PullStream<Item>> | undefined;
    try {
      started = await start();
      return started.ok ? { ok: true, value: releasedAtEnd(started.value, release) } : started;
    } finally {
      if (started?.ok !== true) release();
    }
  }

  /** Counts a trace and returns the function that releases it; undefined at the limit. */
  #begin(): (() => void) | undefined {
    if (this.#running >= this.maximum) return undefined;
    this.#running += 1;
    return () => {
      this.#running -= 1;
    };
  }

  #refused(): Outcome<never> {
    return { ok: false, error: { code: 'limit-exceeded', limit: 'ethTracesAtOnce', maximum: this.maximum } };
  }
}
