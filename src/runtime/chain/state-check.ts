import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { StoreKey } from '../../core/multistore/check-values.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import { NS_PER_MS, type Height } from '../../core/primitives.js';
import { stateDamaged } from '../executor/state-damaged.js';
import type { Executor } from '../executor/executor.js';

export interface StateCheckOptions {
  readonly executor: Pick<Executor, 'check'>;
  /** The published head. */
  readonly height: () => Height;
  readonly clock: Clock;
  readonly timers: Pick<Timers, 'yield'>;
  /** Called with damage found after `begin` has resolved. */
  readonly onDamage: (error: unknown) => void;
}

/**
 * Compares every state value with the trees, which are built from the log, so that a lost or changed row is neither
 * executed on nor answered as absent. A small state is compared before the APIs open, a large one in slices between
 * blocks.
 */
export class StateCheck {
  readonly #options: StateCheckOptions;
  #next: StoreKey | undefined;
  #isOver = false;
  #isStopped = false;
  #rest: Promise<void> = Promise.resolve();

  constructor(options: StateCheckOptions) {
    this.#options = options;
  }

  /** True until every value has been compared. */
  get isRunning(): boolean {
    return !this.#isOver;
  }

  /** Compares for a short time; the rest continues in the background. Throws CorruptionError. */
  async begin(): Promise<void> {
    const { clock, onDamage } = this.#options;
    const until = clock.now() + BigInt(FIXED_LIMITS.stateCheckMs) * NS_PER_MS;
    while (!this.#isOver && clock.now() < until) await this.#slice();
    if (!this.#isOver) this.#rest = this.#finish().catch(onDamage);
  }

  /** Stops the comparison; resolves when no slice is running. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#rest;
  }

  async #finish(): Promise<void> {
    while (!this.#isOver && !this.#isStopped) {
      await this.#options.timers.yield();
      await this.#slice();
    }
  }

  async #slice(): Promise<void> {
    const { executor, height } = this.#options;
    const checked = await executor.check(height(), this.#next, FIXED_LIMITS.stateCheckRows);
    // There are no committed trees before the first block.
    if (checked === undefined) this.#isOver = true;
    else if (checked.kind === 'sound') {
      this.#next = checked.next;
      this.#isOver = checked.next === undefined;
    } else throw stateDamaged(checked.at, checked.damage);
  }
}
