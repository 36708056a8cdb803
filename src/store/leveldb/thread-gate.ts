/** Above every count of ranges that run. */
const CLOSED = 2 ** 30;

/**
 * Keeps the end of a thread apart from its ranges of LevelDB, in shared memory. An iterator that is made while
 * `terminate` ends its thread has no owner: the process then ends by SIGSEGV, or by an assertion of LevelDB when the
 * database is closed (classic-level v3.0.0 `binding.cc`, `iterator_init`). Point reads are whole when a thread ends.
 */
export class ThreadGate {
  readonly shared: SharedArrayBuffer;
  /** How many ranges run, and CLOSED. */
  readonly #state: Int32Array;

  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#state = new Int32Array(shared);
  }

  /** In the thread: runs a range; rejects when the gate is closed. */
  async run<Value>(range: () => Promise<Value>): Promise<Value> {
    try {
      if (Atomics.add(this.#state, 0, 1) >= CLOSED) throw new Error('the thread is being ended');
      return await range();
    } finally {
      Atomics.sub(this.#state, 0, 1);
    }
  }

  /** In the main thread: lets no further range begin. */
  close(): void {
    Atomics.or(this.#state, 0, CLOSED);
  }

  /** False while a range runs. */
  get isIdle(): boolean {
    return Atomics.load(this.#state, 0) % CLOSED === 0;
  }
}
