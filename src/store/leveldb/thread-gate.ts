/** Flag bit above any count of running ranges. */
const CLOSED = 2 ** 30;

/**
 * Prevents a worker thread from being terminated during a LevelDB range, by a counter in shared memory. If `terminate`
 * ends a thread while it creates an iterator, the iterator has no owner, and the process dies by SIGSEGV, or by a
 * LevelDB assertion at close (classic-level v3.0.0 `binding.cc`, `iterator_init`). Point reads are synchronous and
 * safe.
 */
export class ThreadGate {
  readonly shared: SharedArrayBuffer;
  /** Number of running ranges, plus the flag CLOSED. */
  readonly #state: Int32Array;

  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#state = new Int32Array(shared);
  }

  /** Called in the thread: runs a range; rejects when the gate is closed. */
  async run<Value>(range: () => Promise<Value>): Promise<Value> {
    try {
      if (Atomics.add(this.#state, 0, 1) >= CLOSED) throw new Error('the thread is being ended');
      return await range();
    } finally {
      Atomics.sub(this.#state, 0, 1);
    }
  }

  /** Called in the main thread: refuses further ranges. */
  close(): void {
    Atomics.or(this.#state, 0, CLOSED);
  }

  /** False while a range runs. */
  get isIdle(): boolean {
    return Atomics.load(this.#state, 0) % CLOSED === 0;
  }
}
