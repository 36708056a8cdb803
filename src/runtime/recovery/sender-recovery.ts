import {
  type RecoveryInput,
  recoveryInput,
  senderOf,
  type SenderResult,
} from '../../core/ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../core/ethereum/transaction.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Timers } from '../../core/ports/time.js';

/** Recovers public keys (64 bytes) in another thread; results are in the order of `inputs`. */
export interface RecoveryThread {
  /** Rejects when the thread has ended. */
  recover(inputs: readonly RecoveryInput[]): Promise<readonly (Uint8Array | undefined)[]>;
  stop(): Promise<void>;
}

export interface SenderRecoveryOptions {
  readonly crypto: Crypto;
  readonly evmChainId: bigint;
  readonly timers: Pick<Timers, 'after'>;
  readonly limits: Pick<Limits, 'senderRecoveryBatch'>;
  /** Starts the thread, at the first batch; undefined: everything runs on the main thread. */
  readonly start: (() => RecoveryThread) | undefined;
}

/**
 * Smaller batches are cheaper on the main thread: a message round trip costs as much as several recoveries (measured in
 * `docs/benchmarks.md`, "Two builds in turns").
 */
const SMALL_BATCH = 32;

interface Waiting {
  readonly input: RecoveryInput;
  readonly resolve: (sender: SenderResult) => void;
}

/**
 * Recovers the senders of raw transactions, in order of arrival. The first one in a turn of the event loop is recovered
 * at once; those that arrive later in the same turn, or while a batch is in progress, are batched and sent to a thread
 * if there are enough. A thread that ended is not restarted: the main thread takes over.
 */
export class SenderRecovery {
  readonly #options: SenderRecoveryOptions;
  /** Undefined before the first batch; `none` when there is no thread or it ended. */
  #thread: RecoveryThread | 'none' | undefined;
  readonly #waiting: Waiting[] = [];
  /** True when further transactions must be batched: one was recovered in this turn, or a batch is in progress. */
  #busy = false;

  constructor(options: SenderRecoveryOptions) {
    this.#options = options;
    this.#thread = options.start === undefined ? 'none' : undefined;
  }

  recover(transaction: EthereumTransaction): SenderResult | Promise<SenderResult> {
    const { crypto, evmChainId, timers } = this.#options;
    const read = recoveryInput(crypto, transaction, evmChainId);
    if (!read.ok) return read;
    const { input } = read;
    if (!this.#busy) {
      this.#busy = true;
      timers.after(0, () => void this.#drain());
      return this.#onMain(input);
    }
    return new Promise((resolve) => {
      this.#waiting.push({ input, resolve });
    });
  }

  async stop(): Promise<void> {
    const thread = this.#thread;
    this.#thread = 'none';
    if (thread !== undefined && thread !== 'none') await thread.stop();
  }

  /** Processes waiting transactions batch by batch until none are left. */
  async #drain(): Promise<void> {
    const { crypto, limits } = this.#options;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, limits.senderRecoveryBatch);
      const keys = await this.#keysOf(batch);
      for (const [index, { input, resolve }] of batch.entries())
        resolve(keys === undefined ? this.#onMain(input) : senderOf(crypto, keys[index]));
    }
    this.#busy = false;
  }

  /** Public keys from the thread; undefined when the main thread must recover them. */
  async #keysOf(batch: readonly Waiting[]): Promise<readonly (Uint8Array | undefined)[] | undefined> {
    const { start } = this.#options;
    const running = this.#thread;
    if (batch.length < SMALL_BATCH || running === 'none' || start === undefined) return undefined;
    try {
      const thread = running ?? start();
      this.#thread = thread;
      return await thread.recover(batch.map(({ input }) => input));
    } catch {
      this.#thread = 'none';
      return undefined;
    }
  }

  #onMain({ digest, signature, yParity }: RecoveryInput): SenderResult {
    const { crypto } = this.#options;
    return senderOf(crypto, crypto.recoverSecp256k1(digest, signature, yParity));
  }
}
