import type { Timers } from '../../core/ports/time.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

const SECOND_MS = 1_000;

/**
 * A token bucket per address: at most `burst` at once, `perSecond` on average. A timer refills the buckets while any
 * is in use, so no clock is needed.
 */
export class RequestRate {
  readonly #used = new Map<string, number>();
  #cancel: (() => void) | undefined;

  constructor(
    private readonly timers: Timers,
    private readonly perSecond: number,
    private readonly burst: number,
  ) {}

  /** Takes a token; false if the address has none left. */
  take(address: string): boolean {
    const used = this.#used.get(address) ?? 0;
    if (used >= this.burst || (used === 0 && this.#used.size >= FIXED_LIMITS.rateAddresses)) return false;
    this.#used.set(address, used + 1);
    this.#cancel ??= this.timers.after(SECOND_MS, this.#drip);
    return true;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  readonly #drip = (): void => {
    for (const [address, used] of this.#used) {
      if (used > this.perSecond) this.#used.set(address, used - this.perSecond);
      else this.#used.delete(address);
    }
    this.#cancel = this.#used.size === 0 ? undefined : this.timers.after(SECOND_MS, this.#drip);
  };
}
