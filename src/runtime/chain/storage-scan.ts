import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';

/** A part of the storage, scanned in slices; yields after each. Throws CorruptionError. */
export type ScannedPart = () => AsyncIterable<void>;

export interface StorageScanOptions {
  /** Scanned one after the other, in an endless loop. */
  readonly parts: readonly ScannedPart[];
  readonly timers: Pick<Timers, 'after'>;
  readonly onDamage: (error: unknown) => void;
}

/**
 * Scrubs the storage of a running node in the background, one slice per pause, in an endless loop. Damage stops the
 * node even in rows that no request reads.
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

  /** Stops the scan; resolves when no slice is running. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      // Pauses even if there is nothing to scan.
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
