import { DEFAULT_LIMITS } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';

/**
 * Replies of threads in turns of the event loop: as many in each as come to `largeRequestBytes`, then in the order in
 * which they came. Node reads a port until it is empty, up to 1,000 messages, before the loop goes on (v20
 * `MessagePort::OnMessage` of its sources), and a thread that gets its next request at once keeps it filled.
 */
export class ReplyTurns {
  readonly #timers: Pick<Timers, 'yield'>;
  readonly #waiting: { readonly bytes: number; readonly handle: () => void }[] = [];
  #left = DEFAULT_LIMITS.largeRequestBytes;
  #renews = false;

  constructor(timers: Pick<Timers, 'yield'>) {
    this.#timers = timers;
  }

  /** Handles a reply of so many bytes now or in a later turn. */
  take(bytes: number, handle: () => void): void {
    this.#waiting.push({ bytes, handle });
    if (this.#waiting.length === 1) this.#handleSome();
    if (this.#renews) return;
    this.#renews = true;
    this.#renewLater();
  }

  /** A reply is begun while room is left, so that one of any length has its turn. */
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
