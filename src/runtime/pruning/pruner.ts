import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import { NS_PER_SECOND, toHeight, toTimeNs, type Height, type TimeNs } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';
import { StatePruning } from '../../store/state/prune.js';

/** State pruning rule, as in the SDK. */
export interface KeptStates {
  /** Number of recent states to keep besides the head's; undefined keeps all. */
  readonly keepRecent: bigint | undefined;
  readonly interval: bigint;
}

/** A kind of history that can be pruned below a height. */
export interface Prunable {
  /** Blocks between prunings. */
  readonly interval: bigint;
  /** The lowest height to keep at this head; undefined keeps all. */
  floorAt(head: Height): Height | undefined;
  /** Starts a pruning over the current tables. */
  start(): Pruning;
}

/** A running pruning of one kind of history. */
export interface Pruning {
  /** Reads what the next slice needs; may run while blocks are written. */
  prepare?(rows: number): Promise<void>;
  /** Operations of the next slice; undefined when done. Called while nothing is being written. */
  next(floor: Height, rows: number): readonly StoreOperation[] | undefined;
  /** Called after the slice was written. */
  written?(): void;
}

export interface PrunerOptions {
  readonly prunables: readonly Prunable[];
  readonly log: Pick<EventLog, 'writeRows'>;
  readonly timers: Pick<Timers, 'after'>;
  /** Called with an error; pruning then stops. */
  readonly onFailure: (error: unknown) => void;
}

/** A pruning with its target floor. */
interface Task {
  readonly prunable: Prunable;
  pruning: Pruning | undefined;
  floor: Height;
  /** Number of floor raises since the pruning last caught up. */
  rises: number;
}

/**
 * Prunes history in the background, in slices between blocks with a pause after each, so that no request or block waits
 * for more than one slice. Work interrupted by a kill continues at the next start.
 */
export class Pruner {
  readonly #options: PrunerOptions;
  readonly #tasks: readonly Task[];
  #running: Promise<void> | undefined;
  #isHeld = false;
  #isStopped = false;
  #wake: () => void = () => undefined;

  constructor(options: PrunerOptions) {
    this.#options = options;
    this.#tasks = options.prunables.map((prunable) => ({
      prunable,
      pruning: undefined,
      floor: toHeight(0n),
      rises: 0,
    }));
  }

  /** Starts pruning at the node's head, including leftovers of earlier runs. */
  begin(head: Height): void {
    for (const task of this.#tasks) this.#raise(task, head);
    this.#run();
  }

  /** Notifies the pruner of a published block. */
  follow(head: Height): void {
    const due = this.#tasks.filter(({ prunable }) => head % prunable.interval === 0n);
    for (const task of due) this.#raise(task, head);
    if (due.length > 0) this.#run();
  }

  /** Pauses pruning until `release`, while the tables are changed otherwise; resolves when no slice is running. */
  async hold(): Promise<void> {
    this.#isHeld = true;
    await this.#idle();
    for (const task of this.#tasks) task.pruning = undefined;
  }

  release(): void {
    this.#isHeld = false;
    this.#run();
  }

  /** Stops pruning; resolves when no slice is running. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#idle();
  }

  #raise(task: Task, head: Height): void {
    const floor = task.prunable.floorAt(head);
    if (floor === undefined || floor === task.floor) return;
    task.floor = floor;
    task.rises += 1;
  }

  #run(): void {
    const isIdle = this.#tasks.every(({ floor }) => floor === 0n);
    if (isIdle || this.#running !== undefined || this.#isHeld || this.#isStopped) return;
    this.#running = this.#slices();
  }

  /** Runs slices of all kinds in rotation, so that one that lags does not starve the others. */
  async #slices(): Promise<void> {
    try {
      for (let isOver = false; !isOver && !this.#isInterrupted();) {
        isOver = true;
        for (const task of this.#tasks) if (!(await this.#prune(task))) isOver = false;
      }
    } catch (error) {
      if (!this.#isStopped) this.#options.onFailure(error);
      this.#isStopped = true;
    } finally {
      this.#running = undefined;
    }
  }

  /** Writes one slice; returns false when more may follow. */
  async #prune(task: Task): Promise<boolean> {
    const { log } = this.#options;
    const { floor } = task;
    if (floor === 0n || this.#isInterrupted()) return true;
    const pruning = (task.pruning ??= task.prunable.start());
    let isOver = false;
    await pruning.prepare?.(FIXED_LIMITS.prunedRows);
    await log.writeRows(() => {
      const operations = pruning.next(floor, FIXED_LIMITS.prunedRows);
      isOver = operations === undefined;
      return operations ?? [];
    });
    pruning.written?.();
    if (!isOver) await this.#pause(pauseMs(task.rises));
    if (!isOver || floor !== task.floor) return false;
    task.rises = 0;
    return true;
  }

  #isInterrupted(): boolean {
    return this.#isHeld || this.#isStopped;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.timers.after(ms, resolve);
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

/**
 * Pause between slices, milliseconds: shorter for a pruning that lags, but never so short that pruning takes more than
 * a third of the time.
 */
function pauseMs(rises: number): number {
  const { prunePauseMs, leastPrunePauseMs } = FIXED_LIMITS;
  return Math.max(leastPrunePauseMs, prunePauseMs / Math.max(rises, 1));
}

/**
 * Creates the Prunable of states. `first`: height of the genesis state. `read`: the lowest height being read for a
 * snapshot, which must stay.
 */
export function prunableStates(
  rule: KeptStates,
  store: Pick<KeyValueStore, 'get'>,
  first: Height,
  read: () => Height | undefined = () => undefined,
): Prunable {
  return {
    interval: rule.interval,
    floorAt(head) {
      const kept = floorOf(rule, head);
      const held = read();
      const floor = kept !== undefined && held !== undefined && held < kept ? held : kept;
      return floor === undefined || floor < first ? undefined : floor;
    },
    start: () => new StatePruning(store, first),
  };
}

/** Block retention: a block is kept if either rule keeps it; without rules all are kept. */
export interface RetainedBlocks {
  /** Number of newest blocks to keep. */
  readonly blocks: bigint | undefined;
  /** Minimum age, in seconds before the head's time, below which blocks are kept. */
  readonly seconds: bigint | undefined;
}

/** The lowest block to keep at a head; undefined when all are kept. `timeOf`: time of a kept block. */
export function blocksFloorOf(
  { blocks, seconds }: RetainedBlocks,
  { head, lowest }: { readonly head: Height; readonly lowest: Height },
  timeOf: (height: Height) => TimeNs,
): Height | undefined {
  if (blocks === undefined && seconds === undefined) return undefined;
  const byCount = blocks === undefined ? head : head - blocks + 1n;
  const byAge =
    seconds === undefined ? head : firstSince(toTimeNs(timeOf(head) - seconds * NS_PER_SECOND), lowest, head, timeOf);
  const floor = byCount < byAge ? byCount : byAge;
  return floor <= lowest ? undefined : toHeight(floor);
}

/** The first block at or after `time`, by binary search; `head` must be. */
function firstSince(time: TimeNs, lowest: Height, head: Height, timeOf: (height: Height) => TimeNs): Height {
  let low: bigint = lowest;
  let high: bigint = head;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (timeOf(toHeight(middle)) < time) low = middle + 1n;
    else high = middle;
  }
  return toHeight(low);
}

/** The lowest state to keep at a head, as the SDK counts; undefined when all are kept. */
export function floorOf({ keepRecent }: KeptStates, head: Height): Height | undefined {
  return keepRecent === undefined || head <= keepRecent ? undefined : toHeight(head - keepRecent);
}
