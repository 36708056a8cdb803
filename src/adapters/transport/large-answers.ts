import type { HttpResponse as UwsResponse } from 'uWebSockets.js';
import { ByteBudget } from './byte-budget.js';

/**
 * Sends large bodies in pieces at the client's pace, because uWebSockets.js would copy everything that the kernel
 * does not take at once.
 */
export class LargeAnswers {
  readonly #budget: ByteBudget;

  /** `maximum`: unsent bytes of all bodies together. */
  constructor(maximum: number) {
    this.#budget = new ByteBudget(maximum);
  }

  /** Reserves budget for a body, which `send` releases; false if it is exhausted. */
  take(body: Uint8Array): boolean {
    return this.#budget.take(body.length);
  }

  /**
   * Sends a body after status and headers were written in the same cork. Resolves when the kernel has taken all of
   * it, or when `ended` resolves, after which the response must not be used.
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
