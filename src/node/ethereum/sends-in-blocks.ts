import type { Observable } from 'rxjs';
import type { MempoolView } from '../../actors/mempool/mempool.js';
import { upperHex } from '../../core/bytes/hex.js';
import { type DomainError, DONE, NODE_STOPPING, type Outcome } from '../../core/errors.js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';

export interface SendsInBlocksOptions {
  /** The pending transactions. */
  readonly pool: Pick<MempoolView, 'get' | 'isDue'>;
  /** True for the hash of a mined transaction. */
  readonly isMined: (hash: Uint8Array) => boolean;
  /** True in instant mining mode. */
  readonly isInstant: () => boolean;
  /** Why no block will be made; undefined while blocks are made. */
  readonly standstill: () => string | undefined;
  /** Emits when a block was published, and at a halt. */
  readonly commits: Observable<unknown>;
  readonly timers: Pick<Timers, 'after'>;
  readonly limits: Pick<Limits, 'ethSendsInBlock'>;
}

interface Waiting {
  readonly hash: Uint8Array;
  readonly settle: (outcome: Outcome<undefined>) => void;
  /** Remaining checks by the timer. */
  left: number;
}

const LEFT: DomainError = {
  code: 'tx-refused',
  message: 'the transaction left the pool without a block: another one replaced it, or it became invalid',
};

/**
 * Delays the answer of a send until the block of its transaction is published, so that the sender's next read is not
 * stale. Checks the pool after each published block, and by a timer, because a halt or another mining mode may mean
 * that no block comes.
 */
export class SendsInBlocks {
  readonly #options: SendsInBlocksOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #leave: () => void;
  #cancelLook: (() => void) | undefined;

  constructor(options: SendsInBlocksOptions) {
    this.#options = options;
    const subscription = options.commits.subscribe(() => this.#look());
    this.#leave = () => subscription.unsubscribe();
  }

  /** Implements `EthereumApi.inBlock`. */
  wait(hash: Uint8Array): Promise<Outcome<undefined>> | undefined {
    const { pool, isInstant, limits } = this.#options;
    const key = upperHex(hash);
    if (!isInstant() || !pool.isDue(key) || this.#waiting.size >= limits.ethSendsInBlock) return undefined;
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.resolve(refusal);
    return new Promise((resolve) => {
      const before = this.#waiting.get(key);
      this.#waiting.set(key, {
        hash,
        left: FIXED_LIMITS.sendInBlockMs / FIXED_LIMITS.sendInBlockPollMs,
        settle(outcome) {
          before?.settle(outcome);
          resolve(outcome);
        },
      });
      this.#cancelLook ??= this.#lookLater();
    });
  }

  /** The node stops: waiting sends are refused. */
  stop(): void {
    this.#leave();
    this.#cancelLook?.();
    for (const key of this.#waiting.keys()) this.#settle(key, { ok: false, error: NODE_STOPPING });
  }

  #look(): void {
    if (this.#waiting.size === 0) return;
    const { pool, isMined, isInstant } = this.#options;
    const refusal = this.#refusal();
    const instant = isInstant();
    for (const [key, { hash }] of this.#waiting) {
      if (pool.get(key) === undefined) this.#settle(key, isMined(hash) ? DONE : { ok: false, error: LEFT });
      else if (refusal !== undefined) this.#settle(key, refusal);
      else if (!instant || !pool.isDue(key)) this.#settle(key, DONE);
    }
  }

  #lookLater(): () => void {
    return this.#options.timers.after(FIXED_LIMITS.sendInBlockPollMs, () => {
      this.#cancelLook = undefined;
      this.#look();
      for (const [key, waiting] of this.#waiting) {
        waiting.left -= 1;
        if (waiting.left <= 0) this.#settle(key, DONE);
      }
      if (this.#waiting.size > 0) this.#cancelLook = this.#lookLater();
    });
  }

  #refusal(): Outcome<undefined> | undefined {
    const reason = this.#options.standstill();
    if (reason === undefined) return undefined;
    return { ok: false, error: { code: 'halted', reason: `${reason}; the transaction waits in the pool` } };
  }

  #settle(key: string, outcome: Outcome<undefined>): void {
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    waiting?.settle(outcome);
  }
}
