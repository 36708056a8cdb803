import type { HttpResponse as UwsResponse } from 'uWebSockets.js';
import { ByteBudget } from './byte-budget.js';

/**
 * Sends large bodies in pieces, as fast as the clients take them. uWebSockets.js would copy all that the kernel does
 * not take at once.
 */
export class LargeAnswers {
  readonly #budget: ByteBudget;

  /** `maximum`: bytes of all bodies that were not yet taken by their clients. */
  constructor(maximum: number) {
    this.#budget = new ByteBudget(maximum);
  }

  /** Takes room for a body, which `send` gives back; false when too many bytes of others wait. */
  take(body: Uint8Array): boolean {
    return this.#budget.take(body.length);
  }

  /**
   * Sends the body; status and headers were written in the same cork. Resolves when the kernel has all of it, or when
   * `ended` does, after which the response must not be used.
   */
  async send(native: UwsResponse, body: Uint8Array, ended: Promise<void>): Promise<void> {
    const sent = new Promise<void>((resolve) => {
      const write = (offset: number): boolean => {
        const [ok, done] = native.tryEnd(body.subarray(offset), body.length);
        if (done) resolve();
        return ok;
      };
      const [, done] = native.tryEnd(body, body.length);
      if (done) resolve();
      else native.onWritable(write);
    });
    await Promise.race([sent, ended]);
    this.#budget.give(body.length);
  }
}
