import type { Timers } from '../../core/ports/time.js';

/** Detects a stalled client: buffered bytes, and no progress for `milliseconds`. */
export class StallWatch {
  #cancel: (() => void) | undefined;

  constructor(
    private readonly timers: Timers,
    private readonly milliseconds: number,
    private readonly stalled: () => void,
  ) {}

  /** Call it after a write; `buffered`: bytes not yet taken by the kernel. */
  wrote(buffered: number): void {
    if (buffered > 0) this.#cancel ??= this.timers.after(this.milliseconds, this.#due);
  }

  /** Call it when the kernel took bytes; `buffered`: remaining bytes. */
  progressed(buffered: number): void {
    this.stop();
    this.wrote(buffered);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  readonly #due = (): void => {
    this.#cancel = undefined;
    this.stalled();
  };
}
