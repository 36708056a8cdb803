import type { MempoolView } from '../../actors/mempool/mempool.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { PoolTransaction } from '../../core/mempool/pool-transaction.js';
import type { Timers } from '../../core/ports/time.js';

export interface RelayOptions {
  readonly pool: Pick<MempoolView, 'entries' | 'get' | 'queued'>;
  /** Posts a body of JSON-RPC to the engine and resolves with its answer; rejects when the engine cannot be reached. */
  readonly post: (body: string) => Promise<string>;
  readonly timers: Timers;
  readonly log: { info(message: string, fields?: object): void; error(message: string, fields?: object): void };
}

/**
 * Sends transactions that this node has admitted to the mempool of the engine, which gossips them. CometBFT v0.38
 * does not persist its mempool, so all pending transactions are sent again when the engine restarts. Transactions
 * that wait for a lower nonce are sent when they are due.
 */
export class Relay {
  readonly #options: RelayOptions;
  /** Hashes of the transactions that are in the engine's mempool. */
  readonly #relayed = new Set<string>();
  /** Number of transactions that waited for a lower nonce when the pool was last read. */
  #queued = 0;
  #isRunning = false;
  #isRequested = false;
  #isUnreachable = false;
  #hasEnded = false;
  #cancelRetry = (): void => undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Records that the engine has this transaction: it requested CheckTx for it. */
  has(hash: string): void {
    this.#relayed.add(hash);
  }

  /** Called when the engine starts: its mempool is empty. */
  engineBegan(): void {
    this.#relayed.clear();
    this.wake();
  }

  /**
   * Called when a transaction is admitted. If the engine already has it, the transactions that wait for its nonce may
   * have become due.
   */
  admitted(hash: string): void {
    if (!this.#relayed.has(hash) || this.#queued > 0 || this.#options.pool.queued > 0) this.wake();
  }

  /** Schedules a send: reads the pool in a later turn of the event loop, because transactions may have become due. */
  wake(): void {
    if (this.#hasEnded) return;
    this.#isRequested = true;
    if (!this.#isRunning) void this.#run();
  }

  stop(): void {
    this.#hasEnded = true;
    this.#cancelRetry();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#cancelRetry();
    while (this.#isRequested && !this.#hasEnded) {
      this.#isRequested = false;
      // Transactions admitted in one turn are sent in one batch.
      await this.#options.timers.yield();
      if (!(await this.#sendAll())) {
        this.#cancelRetry = this.#options.timers.after(FIXED_LIMITS.engineRetryMs, () => this.wake());
        break;
      }
    }
    this.#isRunning = false;
  }

  /**
   * Sends all due transactions; false if the engine could not be reached. A refused transaction does not stop those
   * after it.
   */
  async #sendAll(): Promise<boolean> {
    const { pool } = this.#options;
    this.#queued = pool.queued;
    for (const hash of this.#relayed) if (pool.get(hash) === undefined) this.#relayed.delete(hash);
    const due = pool.entries('pending').filter(({ hash }) => !this.#relayed.has(hash));
    let isTaken = true;
    for (const batch of batches(due)) {
      const answer = await this.#send(batch);
      if (answer === 'unreachable') return false;
      isTaken &&= answer === 'taken';
    }
    return isTaken;
  }

  async #send(batch: readonly PoolTransaction[]): Promise<'taken' | 'refused' | 'unreachable'> {
    const calls = batch.map(({ tx }, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'broadcast_tx_sync',
      params: { tx: Buffer.from(tx).toString('base64') },
    }));
    try {
      const answers: unknown = JSON.parse(await this.#options.post(JSON.stringify(calls)));
      if (this.#isUnreachable) this.#options.log.info('the RPC of the engine answers again');
      this.#isUnreachable = false;
      if (!Array.isArray(answers)) return 'refused';
      const refused = new Set(answers.filter((answer) => isRefused(answer)).map((answer: { id: number }) => answer.id));
      batch.forEach(({ hash }, id) => {
        if (!refused.has(id)) this.#relayed.add(hash);
      });
      return refused.size === 0 ? 'taken' : 'refused';
    } catch (error) {
      if (!this.#isUnreachable && !this.#hasEnded)
        this.#options.log.error('the RPC of the engine does not answer: transactions wait here', {
          error: error instanceof Error ? error.message : String(error),
        });
      this.#isUnreachable = true;
      return 'unreachable';
    }
  }
}

/** True if the engine rejected the transaction, except because it already has it. */
function isRefused(answer: { readonly error?: { readonly data?: string } }): boolean {
  return answer.error !== undefined && answer.error.data?.includes('already exists in cache') !== true;
}

/**
 * Splits transactions into batches within the limits of a request (CometBFT `max_body_bytes`,
 * `max_request_batch_size`).
 */
function* batches(all: readonly PoolTransaction[]): Generator<readonly PoolTransaction[]> {
  let batch: PoolTransaction[] = [];
  let bytes = 0;
  for (const one of all) {
    const size = one.tx.length * 2 + FIXED_LIMITS.engineCallBytes;
    if (
      batch.length === FIXED_LIMITS.engineBatch ||
      (batch.length > 0 && bytes + size > FIXED_LIMITS.engineBodyBytes)
    ) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(one);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
