import type { Touched } from '../../core/evm/touched.js';
import { EncodedResults } from '../../core/comet/encoded-results.js';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { CorruptionError, PoisonedError } from '../../store/errors.js';
import type { EventLog } from '../../store/log/event-log.js';
import { indexedThrough, IndexWindow } from '../../store/index-rows/index-rows.js';
import { windowStart } from '../../store/index-rows/posting-key.js';
import { blockEventsOf, type BlockEvents, type PostingKind } from '../../store/index-rows/posting.js';

/** Milliseconds without a block after which the chain counts as idle. */
const REST = 250;
/** Milliseconds without a block after which a complete window is indexed; shorter than most block intervals. */
const PAUSE = 50;

export interface IndexerOptions {
  readonly store: KeyValueStore;
  readonly log: EventLog;
  /** First height of the log. */
  readonly first: () => Height;
  readonly timers: Pick<Timers, 'after' | 'yield'>;
  readonly limits: Pick<Limits, 'indexBacklogTxs'>;
}

/** Input of a block's index rows. */
interface Kept {
  readonly results: EncodedResults;
  readonly touched: readonly Touched[];
}

/** Blocks index writes until `release` is called. */
interface Hold {
  readonly released: Promise<void>;
  readonly release: () => void;
}

/**
 * Writes the attribute index asynchronously, behind the head: when the chain is idle, when a search needs it, and at
 * the latest when the backlog is full, so that blocks mined in bulk do not wait for it. Until then the encoded results
 * are kept in memory. After a crash the index continues from its cursor with the results in the log.
 */
export class Indexer {
  readonly #options: IndexerOptions;
  #running: Promise<void> | undefined;
  #cancelRest: () => void = () => undefined;
  #target: Height;
  #through: bigint | undefined;
  #window: IndexWindow;
  readonly #results = new Map<Height, Kept>();
  #waitingTxs = 0;
  #hold: Hold | undefined;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#target = toHeight(0n);
    this.#window = new IndexWindow(options.first());
  }

  /**
   * Notifies the indexer of a new head; `results` and `touched` of its block if available. The first call starts
   * indexing at once.
   */
  follow(height: Height, results?: EncodedResults, touched: readonly Touched[] = []): void {
    this.#target = height;
    if (results !== undefined) this.#keep(height, { results, touched });
    if (this.#isFull()) this.#start();
    else this.#awaitPause();
  }

  /** Resolves when the unindexed rest is small enough for a search in memory. Waits while the index is held. */
  async caughtUp(): Promise<void> {
    while (this.#hold !== undefined) await this.#hold.released;
    // A run indexes only up to the head at its start.
    await this.#running;
    if (this.#hasWindow() || this.#waitingTxs >= FIXED_LIMITS.indexTailTxs) this.#start();
    await this.#running;
  }

  /** Events of a block that is not indexed yet; undefined when it was not executed. */
  eventsAt(height: Height, kind: PostingKind): BlockEvents | undefined {
    const kept = kind === 'block' ? this.#window.eventsAt(height) : undefined;
    return kept ?? blockEvents(this.#options.log, height);
  }

  /** Cancels scheduled work and waits for running work. */
  async idle(): Promise<void> {
    this.#cancelRest();
    await this.#running;
    this.#cancelRest();
  }

  /** Stops index writes until `release`, for a revert of the chain; resolves when no write is running. */
  async hold(): Promise<void> {
    invariant(this.#hold === undefined, 'one part of the node holds the index at a time');
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    this.#hold = { released, release };
    await this.idle();
  }

  /** Ends `hold`, whether or not the chain was reverted. */
  release(): void {
    this.#hold?.release();
    this.#hold = undefined;
    if (this.#isFull()) this.#start();
    else this.#awaitPause();
  }

  /** Resets the indexer after the chain and index rows were reverted to `height`, or a state was restored. */
  reverted(height: Height): void {
    this.#target = height;
    this.#through = indexedThrough(this.#options.store);
    this.#results.clear();
    this.#window = new IndexWindow(this.#options.first());
    this.#waitingTxs = 0;
  }

  #isFull(): boolean {
    if (this.#through === undefined || this.#target - this.#through >= FIXED_LIMITS.indexBacklogBlocks) return true;
    // Guarantees that a chain of more than `indexedBlocks` blocks has an index, even after crashes.
    if (this.#through < this.#options.first() && this.#hasWindow()) return true;
    return this.#waitingTxs >= this.#options.limits.indexBacklogTxs;
  }

  /** True when a complete window is waiting to be indexed. */
  #hasWindow(): boolean {
    if (this.#through === undefined) return false;
    return windowStart(toHeight(this.#target + 1n)) > windowStart(toHeight(this.#through + 1n));
  }

  #awaitPause(): void {
    this.#cancelRest();
    const pause = this.#hasWindow() ? PAUSE : REST;
    if (pause === PAUSE || this.#waitingTxs >= FIXED_LIMITS.indexTailTxs)
      this.#cancelRest = this.#options.timers.after(pause, () => this.#start());
  }

  #start(): void {
    this.#cancelRest();
    if (this.#hold !== undefined) return;
    this.#running ??= this.#run()
      .catch((error: unknown) => {
        // Both errors stop the node anyway: a poisoned store refuses the next block, and damage is reported by the
        // store.
        if (!(error instanceof PoisonedError) && !(error instanceof CorruptionError)) throw error;
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  /**
   * Results beyond the backlog limit are read from the log later; this happens only when the store is slower than the
   * chain.
   */
  #keep(height: Height, kept: Kept): void {
    if (this.#isBacklogFull()) return;
    this.#results.set(height, kept);
    this.#waitingTxs += kept.results.txCount;
  }

  #isBacklogFull(): boolean {
    return (
      this.#waitingTxs >= this.#options.limits.indexBacklogTxs || this.#results.size >= FIXED_LIMITS.indexBacklogBlocks
    );
  }

  /** Takes the kept events of a height; undefined when they are not in memory. */
  #take(height: Height): BlockEvents | undefined {
    const kept = this.#results.get(height);
    if (kept === undefined) return undefined;
    const { results, touched } = kept;
    this.#results.delete(height);
    this.#waitingTxs -= results.txCount;
    return blockEventsOf(height, results, touched);
  }

  async #run(): Promise<void> {
    const { store, log, first, timers } = this.#options;
    // Let the caller publish its block first.
    await Promise.resolve();
    let target = this.#target;
    for (;;) {
      this.#through = indexedThrough(store) ?? first() - 1n;
      if (this.#through >= target) {
        if (!this.#isFull()) return this.#awaitPause();
        target = this.#target;
      }
      const next = this.#through + 1n;
      const rows: StoreOperation[] = [];
      this.#window.enter(toHeight(next), (height) => blockEvents(log, height));
      for (
        let height = toHeight(next);
        height <= target && rows.length < FIXED_LIMITS.indexRowsPerTurn;
        height = toHeight(height + 1n)
      ) {
        const events = this.#take(height) ?? blockEvents(log, height);
        if (events === undefined) break;
        for (const row of this.#window.addInSteps(events)) {
          if (row === undefined) await timers.yield();
          else rows.push(row);
        }
      }
      if (rows.length === 0) return;
      try {
        await store.commit(rows, { sync: false });
      } catch {
        // The store handle is poisoned now; the next block fails.
        return;
      }
    }
  }
}

/** Reads the indexed events of a block from the log; undefined when it is not executed. */
export function blockEvents(log: Pick<EventLog, 'blockAt'>, height: Height): BlockEvents | undefined {
  const executed = log.blockAt(height)?.executed;
  if (executed === undefined) return undefined;
  const { results, touched } = executed.event.data;
  return blockEventsOf(height, new EncodedResults(results), touched);
}
