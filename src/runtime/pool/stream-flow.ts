/** Indices in the shared array. */
const TAKEN = 0;
const ENDED = 1;
const NUMBERS = 2;

/**
 * Flow control of a trace stream: counts the parts that the main thread has read. Uses shared memory, because the pool
 * thread executes synchronously and receives no messages meanwhile.
 */
export class StreamFlow {
  readonly shared: SharedArrayBuffer;
  readonly #numbers: Int32Array;

  constructor(shared = new SharedArrayBuffer(NUMBERS * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#numbers = new Int32Array(shared);
  }

  /** Resets the counters for the thread's next task. */
  restart(): void {
    Atomics.store(this.#numbers, TAKEN, 0);
    Atomics.store(this.#numbers, ENDED, 0);
  }

  /** Called when the reader has taken a part. */
  took(): void {
    Atomics.add(this.#numbers, TAKEN, 1);
    Atomics.notify(this.#numbers, TAKEN);
  }

  /** Called when the reader wants no more parts. */
  end(): void {
    Atomics.store(this.#numbers, ENDED, 1);
    // Wakes a writer that waits on the other counter.
    this.took();
  }

  get isEnded(): boolean {
    return Atomics.load(this.#numbers, ENDED) === 1;
  }

  /** Called in the thread: blocks until the reader has taken `parts` parts, has ended, or `milliseconds` are over. */
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
