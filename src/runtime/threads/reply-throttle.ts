import { DEFAULT_LIMITS } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';

/**
 * Limits the thread replies handled per turn of the event loop to `largeRequestBytes`; the rest wait in order. Without
 * it, Node.js would handle up to 1,000 messages of a port before other events (v20 `MessagePort::OnMessage`), and a
 * thread that gets its next request at once keeps its port filled.
 */
export class ReplyThrottle {
  readonly #timers: Pick<Timers, 'yield'>;
  readonly #waiting: { readonly bytes: number; readonly handle: () => void }[] = [];
  #left = DEFAULT_LIMITS.largeRequestBytes;
  #renews = false;

  constructor(timers: Pick<Timers, 'yield'>) {
    this.#timers = timers;
  }

  /** Handles a reply of `bytes` bytes now or in a later turn. */
  take(bytes: number, handle: () => void): void {
    this.#waiting.push({ bytes, handle });
    if (this.#waiting.length === 1) this.#handleSome();
    if (this.#renews) return;
    this.#renews = true;
    this.#renewLater();
  }

  /** Handles replies while any budget is left, so that a reply larger than the budget gets its turn, too. */
  #handleSome(): void {
    while (this.#left > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#left -= next.bytes;
      next.handle();
    }
  }

  #renewLater(): void {
    void this.#timers.yield().then(() => {
      this.#left = DEFAULT_LIMITS.largeRequestBytes;
      this.#renews = this.#waiting.length > 0;
      this.#handleSome();
      if (this.#renews) this.#renewLater();
    });
  }
}
