import type { Timers } from '../../core/ports/time.js';

/**
 * Spreads work over turns of the event loop, in request order: a few pieces per turn, so that many requests do not
 * block others.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #renews = false;

  constructor(
    private readonly perTurn: number,
    private readonly timers: Pick<Timers, 'yield'>,
  ) {
    this.#left = perTurn;
  }

  /** True if a piece of work may begin now; otherwise `later` is called in a later turn. */
  begin(later: () => void): boolean {
    this.#renewLater();
    this.#left -= 1;
    if (this.#left >= 0) return true;
    this.#waiting.push(later);
    return false;
  }

  /**
   * Resolves when a piece of work may begin; the caller must do it synchronously. Never at once: work that begins while
   * sockets are read is in one turn with the next piece, because immediates run after the sockets.
   */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#renewLater();
    });
  }

  #renewLater(): void {
    if (this.#renews) return;
    this.#renews = true;
    void this.timers.yield().then(() => {
      this.#renews = false;
      const ready = this.#waiting.splice(0, this.perTurn);
      this.#left = this.perTurn - ready.length;
      for (const later of ready) later();
      if (ready.length > 0) this.#renewLater();
    });
  }
}

/**
 * Scheduler of large requests: one per turn, because 5 MiB take 20 ms and a hundred bodies may be complete at once.
 */
export class LargeRequests extends Turns {
  constructor(timers: Pick<Timers, 'yield'>) {
    super(1, timers);
  }
}

/** Timers for the requests of a face, whose `yield` is `oneInTurn`. */
export function requestTimers(timers: Timers): Timers {
  return { after: (milliseconds, run) => timers.after(milliseconds, run), yield: oneInTurn(timers) };
}

/**
 * A `yield` that continues one caller in each turn of the event loop, in order: pieces of the work of several requests
 * do not add up to a long turn.
 */
export function oneInTurn(timers: Pick<Timers, 'yield'>): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => timers.yield()));
}
