import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { EventLog } from '../../store/event-log.js';
import { StatePruning } from '../../store/state/prune.js';

/** States that are kept besides that of the head, and blocks from one pruning to the next. */
export interface KeptStates {
  /** Undefined keeps all. */
  readonly keepRecent: bigint | undefined;
  readonly interval: bigint;
}

export interface PrunerOptions {
  readonly kept: KeptStates;
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly log: Pick<EventLog, 'tend'>;
  /** Height of the state of the genesis. */
  readonly first: Height;
  readonly timers: Pick<Timers, 'after'>;
  /** Told of a failure, after which nothing more is pruned. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Deletes earlier states behind the head, in slices between blocks, with a pause after each: no request and no block
 * waits for more than one. What a kill leaves undone is done after the next start.
 */
export class Pruner {
  readonly #options: PrunerOptions;
  #pruning: StatePruning | undefined;
  /** The lowest height that stays. */
  #floor = toHeight(0n);
  #running: Promise<void> | undefined;
  #isHeld = false;
  #isStopped = false;
  #wake: () => void = () => undefined;

  constructor(options: PrunerOptions) {
    this.#options = options;
  }

  /** The node starts at a head: what an earlier life left is pruned. */
  begin(head: Height): void {
    this.#prune(head);
  }

  /** A block was published. */
  follow(head: Height): void {
    if (head % this.#options.kept.interval === 0n) this.#prune(head);
  }

  /** Prunes nothing until `release`; resolves when nothing is being pruned. The tables change otherwise meanwhile. */
  async hold(): Promise<void> {
    this.#isHeld = true;
    await this.#idle();
    this.#pruning = undefined;
  }

  release(): void {
    this.#isHeld = false;
    this.#run();
  }

  /** Ends the pruning; resolves when no slice is on its way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#idle();
  }

  #prune(head: Height): void {
    const floor = floorOf(this.#options.kept, head);
    if (floor === undefined || floor < this.#options.first) return;
    this.#floor = floor;
    this.#run();
  }

  #run(): void {
    if (this.#floor === 0n || this.#running !== undefined || this.#isHeld || this.#isStopped) return;
    this.#running = this.#slices();
  }

  async #slices(): Promise<void> {
    const { log, store, first, onFailure } = this.#options;
    try {
      while (!this.#isHeld && !this.#isStopped) {
        const floor = this.#floor;
        const pruning = (this.#pruning ??= new StatePruning(store, first));
        let isOver = false;
        await log.tend(() => {
          const operations = pruning.next(floor, FIXED_LIMITS.prunedRows);
          isOver = operations === undefined;
          return operations ?? [];
        });
        if (isOver && floor === this.#floor) return;
        await this.#pause();
      }
    } catch (error) {
      if (!this.#isStopped) onFailure(error);
      this.#isStopped = true;
    } finally {
      this.#running = undefined;
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.timers.after(FIXED_LIMITS.prunePauseMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  async #idle(): Promise<void> {
    this.#wake();
    await this.#running;
  }
}

/** The lowest height whose state is kept at a head, as the SDK counts; undefined when all are. */
export function floorOf({ keepRecent }: KeptStates, head: Height): Height | undefined {
  return keepRecent === undefined || head <= keepRecent ? undefined : toHeight(head - keepRecent);
}
