/** Places of the shared numbers. */
const TAKEN = 0;
const ENDED = 1;
const NUMBERS = 2;

/**
 * Counts the parts that the main thread has read of what a thread of the pool streams to it. Shared memory, because the
 * thread executes without a pause and hears no messages meanwhile.
 */
export class StreamFlow {
  readonly shared: SharedArrayBuffer;
  readonly #numbers: Int32Array;

  constructor(shared = new SharedArrayBuffer(NUMBERS * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#numbers = new Int32Array(shared);
  }

  /** Before the next task of the thread: nothing of it is taken. */
  restart(): void {
    Atomics.store(this.#numbers, TAKEN, 0);
    Atomics.store(this.#numbers, ENDED, 0);
  }

  /** The reader took one part. */
  took(): void {
    Atomics.add(this.#numbers, TAKEN, 1);
    Atomics.notify(this.#numbers, TAKEN);
  }

  /** The reader takes no more. */
  end(): void {
    Atomics.store(this.#numbers, ENDED, 1);
    // wakes a writer that waits for a change of the other number
    this.took();
  }

  get isEnded(): boolean {
    return Atomics.load(this.#numbers, ENDED) === 1;
  }

  /** In the thread: waits until the reader has taken `parts` parts, has ended, or `milliseconds` are over. */
  waitForTaken(parts: number, milliseconds: number): void {
    const until = performance.now() + milliseconds;
    for (;;) {
      const taken = Atomics.load(this.#numbers, TAKEN);
      const left = until - performance.now();
      if (taken >= parts || this.isEnded || left <= 0) return;
      Atomics.wait(this.#numbers, TAKEN, taken, left);
    }
  }
}
