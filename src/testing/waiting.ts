/** Waits for a target with a time limit, so that a target that never answers is a failure and not a hang. */
import { BrokenPromise } from './model.js';
import type { Awaitable } from './target.js';

/** Settles like `work`; rejects with BrokenPromise `answered` after `milliseconds`. 0 means no limit. */
export async function within<Value>(milliseconds: number, work: Awaitable<Value>, what: string): Promise<Value> {
  if (!(work instanceof Promise) || milliseconds === 0) return await work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new BrokenPromise('answered', `${what} took more than ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Interval for reading state that changes without a notification, such as the list of an indexer, milliseconds. */
const LOOK_AGAIN_MS = 20;

/** Lets callers wait for changes. */
export class Changes {
  #waiting: (() => void)[] = [];

  announce(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves at the next change, or after `milliseconds`. */
  next(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Resolves with true once `condition` holds, or with false after `milliseconds`. */
  async until(condition: () => Awaitable<boolean>, milliseconds: number): Promise<boolean> {
    const deadline = Date.now() + milliseconds;
    for (;;) {
      if (await condition()) return true;
      const left = deadline - Date.now();
      if (left <= 0) return false;
      await this.next(Math.min(left, LOOK_AGAIN_MS));
    }
  }
}
