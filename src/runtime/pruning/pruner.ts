import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import { NS_PER_SECOND, toHeight, toTimeNs, type Height, type TimeNs } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';
import { StatePruning } from '../../store/state/prune.js';

/** States that are kept besides that of the head, and blocks from one pruning to the next. */
export interface KeptStates {
  /** Undefined keeps all. */
  readonly keepRecent: bigint | undefined;
  readonly interval: bigint;
}

/** One kind of history that is deleted below a height. */
export interface Prunable {
  /** Blocks from one pruning to the next. */
  readonly interval: bigint;
  /** The lowest height that stays when the head is here; undefined when all stay. */
  floorAt(head: Height): Height | undefined;
  /** Makes a pruning of the present tables. */
  start(): Pruning;
}

/** A pruning of one kind of history. */
export interface Pruning {
  /** Reads what the next slice needs, while blocks are written. */
  prepare?(rows: number): Promise<void>;
  /** Operations of a slice; undefined at its end. Called while nothing is written. */
  next(floor: Height, rows: number): readonly StoreOperation[] | undefined;
  /** The slice was written. */
  written?(): void;
}

export interface PrunerOptions {
  readonly prunables: readonly Prunable[];
  readonly log: Pick<EventLog, 'writeRows'>;
  readonly timers: Pick<Timers, 'after'>;
  /** Called with a failure, after which nothing more is pruned. */
  readonly onFailure: (error: unknown) => void;
}

/** A pruning with the lowest height that stays. */
interface Task {
  readonly prunable: Prunable;
  pruning: Pruning | undefined;
  floor: Height;
  /** How often the floor rose since the pruning had reached it. */
  rises: number;
}

/**
 * Deletes history behind the head, in slices between blocks, with a pause after each: no request and no block waits for
 * more than one. What a kill leaves undone is done after the next start.
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

  /** The node starts at a head: what an earlier life left is pruned. */
  begin(head: Height): void {
    for (const task of this.#tasks) this.#raise(task, head);
    this.#run();
  }

  /** A block was published. */
  follow(head: Height): void {
    const due = this.#tasks.filter(({ prunable }) => head % prunable.interval === 0n);
    for (const task of due) this.#raise(task, head);
    if (due.length > 0) this.#run();
  }

  /** Prunes nothing until `release`; resolves when nothing is being pruned. The tables change otherwise meanwhile. */
  async hold(): Promise<void> {
    this.#isHeld = true;
    await this.#idle();
    for (const task of this.#tasks) task.pruning = undefined;
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

  /** Slices of all kinds in turns: one that lags behind the chain does not keep the others from theirs. */
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

  /** Writes one slice; false when more may follow. */
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
 * Time between two slices, milliseconds: shorter for a pruning that lags behind the chain, down to what leaves two
 * thirds of the time for all else.
 */
function pauseMs(rises: number): number {
  const { prunePauseMs, leastPrunePauseMs } = FIXED_LIMITS;
  return Math.max(leastPrunePauseMs, prunePauseMs / Math.max(rises, 1));
}

/**
 * The states of earlier heights. `first`: height of the state of the genesis. `read`: the lowest height whose state is
 * being read for a snapshot that must not fail.
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

/** Blocks that are kept: those that either rule names. Without a rule all are. */
export interface RetainedBlocks {
  /** Newest blocks. */
  readonly blocks: bigint | undefined;
  /** Seconds before the head within which blocks are kept. */
  readonly seconds: bigint | undefined;
}

/** The lowest block that is kept at a head; undefined when all are. `timeOf`: the time of a block that is kept. */
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

/** The first block at or after a time, which `head` is. */
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

/** The lowest height whose state is kept at a head, as the SDK counts; undefined when all are. */
export function floorOf({ keepRecent }: KeptStates, head: Height): Height | undefined {
  return keepRecent === undefined || head <= keepRecent ? undefined : toHeight(head - keepRecent);
}
