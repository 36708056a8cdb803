import type { Timers } from '../../core/ports/time.js';

/** Reports when bytes waited for `milliseconds` and the client took none of them. */
export class StallWatch {
  #cancel: (() => void) | undefined;

  constructor(
    private readonly timers: Timers,
    private readonly milliseconds: number,
    private readonly stalled: () => void,
  ) {}

  /** Bytes were written; `buffered` is the number of bytes that wait. */
  wrote(buffered: number): void {
    if (buffered > 0) this.#cancel ??= this.timers.after(this.milliseconds, this.#due);
  }

  /** The kernel took bytes; `buffered` is the number of bytes that still wait. */
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
