/** Virtual time: a clock that moves only when a test moves it, and timers fired in the order of their deadlines. */
import type { Clock, Timers } from '../../src/core/ports/time.js';
import { type TimeNs, toTimeNs } from '../../src/core/primitives.js';

const NS_PER_MS = 1_000_000n;
/** Number of fired timers after which a simulation counts as an endless loop. */
const MAX_TIMERS = 100_000;

interface Entry {
  readonly at: TimeNs;
  readonly order: number;
  readonly run: () => void;
}

export class VirtualTime implements Clock, Timers {
  #now: TimeNs;
  #order = 0;
  #entries: readonly Entry[] = [];

  constructor(start: TimeNs = toTimeNs(1_700_000_000_000_000_000n)) {
    this.#now = start;
  }

  now(): TimeNs {
    return this.#now;
  }

  /** Runs after `milliseconds` of virtual time; equal deadlines keep the order of the calls. */
  after(milliseconds: number, run: () => void): () => void {
    const entry = { at: toTimeNs(this.#now + BigInt(Math.round(milliseconds * 1e6))), order: this.#order++, run };
    this.#entries = [...this.#entries, entry].sort((a, b) =>
      a.at === b.at ? a.order - b.order : a.at < b.at ? -1 : 1,
    );
    return () => {
      this.#entries = this.#entries.filter((other) => other !== entry);
    };
  }

  yield(): Promise<void> {
    return new Promise((resolve) => {
      this.after(0, resolve);
    });
  }

  /** Number of timers that have not fired. */
  get waiting(): number {
    return this.#entries.length;
  }

  /** Moves the clock and fires the timers that become due; promises settle between timers. */
  async advance(milliseconds: number): Promise<void> {
    const target = toTimeNs(this.#now + BigInt(milliseconds) * NS_PER_MS);
    await this.#fire((entry) => entry.at <= target);
    // Another call may have moved it further meanwhile.
    if (target > this.#now) this.#now = target;
  }

  /** Fires timers, moving the clock to each, until none is left. */
  async runUntilIdle(): Promise<void> {
    await this.#fire(() => true);
  }

  /** Lets every promise that can settle do so, without moving the clock. */
  settle(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  async #fire(isDue: (entry: Entry) => boolean): Promise<void> {
    await this.settle();
    for (let fired = 0; ; fired++) {
      const [first, ...rest] = this.#entries;
      if (first === undefined || !isDue(first)) return;
      if (fired === MAX_TIMERS) throw new Error('virtual time does not become idle');
      this.#entries = rest;
      if (first.at > this.#now) this.#now = first.at;
      first.run();
      await this.settle();
    }
  }
}
