import type { Outcome } from '../../core/node-api.js';
import type { PullStream } from '../../core/pull-stream.js';
import { releasedAtEnd } from '../../runtime/pool/pull-streams.js';

/** Places of traces, which are long to make and long as texts: few may run or wait at a time. */
export class TracePlaces {
  #taken = 0;

  /** `maximum` is the limit `ethTracesAtOnce`. */
  constructor(private readonly maximum: number) {}

  /** Makes a trace, or refuses it by the limit. */
  async run<Value>(trace: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    const release = this.#take();
    if (release === undefined) return this.#refused();
    try {
      return await trace();
    } finally {
      release();
    }
  }

  /** Starts a stream of traces, whose place is free again when the stream has ended. */
  async stream<Item>(start: () => Promise<Outcome<PullStream<Item>>>): Promise<Outcome<PullStream<Item>>> {
    const release = this.#take();
    if (release === undefined) return this.#refused();
    let started: Outcome<PullStream<Item>> | undefined;
    try {
      started = await start();
      return started.ok ? { ok: true, value: releasedAtEnd(started.value, release) } : started;
    } finally {
      if (started?.ok !== true) release();
    }
  }

  /** Takes a place and returns what gives it back. */
  #take(): (() => void) | undefined {
    if (this.#taken >= this.maximum) return undefined;
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
    };
  }

  #refused(): Outcome<never> {
    return { ok: false, error: { code: 'limit-exceeded', limit: 'ethTracesAtOnce', maximum: this.maximum } };
  }
}
