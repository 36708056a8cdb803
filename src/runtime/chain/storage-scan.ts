import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';

/** A part of the storage that is read in slices: it yields after each. Throws CorruptionError. */
export type ScannedPart = () => AsyncIterable<void>;

export interface StorageScanOptions {
  /** Read one after the other, again and again. */
  readonly parts: readonly ScannedPart[];
  readonly timers: Pick<Timers, 'after'>;
  readonly onDamage: (error: unknown) => void;
}

/**
 * Scans the whole storage of a running node in the background, one slice in each pause, again and again. Damage ends
 * the node even in rows that no request reads.
 */
export class StorageScan {
  readonly #options: StorageScanOptions;
  #isStopped = false;
  #wake: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: StorageScanOptions) {
    this.#options = options;
  }

  begin(): void {
    this.#running = this.#run().catch((error: unknown) => {
      if (!this.#isStopped) this.#options.onDamage(error);
    });
  }

  /** Ends the scan; resolves when no slice is on its way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      // A storage without rows would have no slices.
      await this.#pause();
      for (const part of this.#options.parts) {
        for await (const _ of part()) {
          await this.#pause();
          if (this.#isStopped) return;
        }
      }
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isStopped) return resolve();
      const cancel = this.#options.timers.after(FIXED_LIMITS.scanPauseMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
