import type { Clock } from '../../core/ports/time.js';
import { NS_PER_SECOND } from '../../core/primitives.js';

/** A token bucket for log lines: `perSecond` on average, at most `burst` at once. */
export class Budget {
  readonly #options: { readonly clock: Clock; readonly perSecond: number; readonly burst: number };
  #left: number;
  #at: bigint;

  constructor(options: { readonly clock: Clock; readonly perSecond: number; readonly burst: number }) {
    this.#options = options;
    this.#left = options.burst;
    this.#at = options.clock.now();
  }

  /** Takes up to `requested` tokens; returns the number taken. */
  take(requested: number): number {
    const { clock, perSecond, burst } = this.#options;
    const now = clock.now();
    this.#left = Math.min(burst, this.#left + (Number(now - this.#at) / Number(NS_PER_SECOND)) * perSecond);
    this.#at = now;
    const taken = Math.min(requested, Math.floor(this.#left));
    this.#left -= taken;
    return taken;
  }
}
