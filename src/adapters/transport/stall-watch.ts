import type { Timers } from '../../core/ports/time.js';

/** Tells when bytes waited for `milliseconds` and the other side took none of them (reliability-security.md P20). */
export class StallWatch {
  #cancel: (() => void) | undefined;

  constructor(
    private readonly timers: Timers,
    private readonly milliseconds: number,
    private readonly stalled: () => void,
  ) {}

  /** Bytes were written, `buffered` of all wait. */
  wrote(buffered: number): void {
    if (buffered > 0) this.#cancel ??= this.timers.after(this.milliseconds, this.#due);
  }

  /** The kernel took bytes, `buffered` still wait. */
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
