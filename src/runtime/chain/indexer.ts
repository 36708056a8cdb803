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

/** Milliseconds without a block after which the chain rests. */
const REST = 250;
/** Milliseconds without a block after which a window of block events is written: between two blocks of most chains. */
const PAUSE = 50;

export interface IndexerOptions {
  readonly store: KeyValueStore;
  readonly log: EventLog;
  /** First height of the log. */
  readonly first: () => Height;
  readonly timers: Pick<Timers, 'after'>;
  readonly limits: Pick<Limits, 'indexBacklogTxs'>;
}

/** The parts of a block that its index is made of. */
interface Kept {
  readonly results: EncodedResults;
  readonly touched: readonly Touched[];
}

/** Until `release`, nothing is written. */
interface Hold {
  readonly released: Promise<void>;
  readonly release: () => void;
}

/**
 * Writes the attribute index behind the head, off the path of the block: when the chain rests, when a search asks for
 * it, and at the latest when a backlog is full. So the blocks of one command that makes many do not wait for it. Until
 * then the results of its blocks stay in memory as bytes. The log has them too: after a kill the index goes on from its
 * cursor.
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
   * The chain reached `height`; `results` are those of its block, where they are at hand. The first call indexes at
   * once.
   */
  follow(height: Height, results?: EncodedResults, touched: readonly Touched[] = []): void {
    this.#target = height;
    if (results !== undefined) this.#keep(height, { results, touched });
    if (this.#isFull()) this.#start();
    else this.#awaitPause();
  }

  /** Resolves when little waits: a search matches it in memory. Waits while the index is held. */
  async caughtUp(): Promise<void> {
    while (this.#hold !== undefined) await this.#hold.released;
    // A run ends at the height that was the head at its beginning.
    await this.#running;
    if (this.#hasWindow() || this.#waitingTxs >= FIXED_LIMITS.indexTailTxs) this.#start();
    await this.#running;
  }

  /**
   * The events of a block that is outside of the index: of its transactions, or of the block itself; undefined when it
   * was not executed.
   */
  eventsAt(height: Height, kind: PostingKind): BlockEvents | undefined {
    const kept = kind === 'block' ? this.#window.eventsAt(height) : undefined;
    return kept ?? blockEvents(this.#options.log, height);
  }

  /** Ends what was planned, and waits for what runs. */
  async idle(): Promise<void> {
    this.#cancelRest();
    await this.#running;
    this.#cancelRest();
  }

  /** Waits for what runs, and writes nothing from then on until `release`: the rows go back with the chain. */
  async hold(): Promise<void> {
    invariant(this.#hold === undefined, 'one part of the node holds the index at a time');
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    this.#hold = { released, release };
    await this.idle();
  }

  /** Ends `hold`, whether the chain was reverted or not. */
  release(): void {
    this.#hold?.release();
    this.#hold = undefined;
    if (this.#isFull()) this.#start();
    else this.#awaitPause();
  }

  /** The chain was reverted to `height`, and the rows with it; or its state was restored. */
  reverted(height: Height): void {
    this.#target = height;
    this.#through = indexedThrough(this.#options.store);
    this.#results.clear();
    this.#window = new IndexWindow(this.#options.first());
    this.#waitingTxs = 0;
  }

  #isFull(): boolean {
    if (this.#through === undefined || this.#target - this.#through >= FIXED_LIMITS.indexBacklogBlocks) return true;
    // A chain of more than `indexedBlocks` has an index, whatever happened to its process.
    if (this.#through < this.#options.first() && this.#hasWindow()) return true;
    return this.#waitingTxs >= this.#options.limits.indexBacklogTxs;
  }

  /** The last block of a window waits, with which block events get their rows. */
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
        // A poisoned store refuses the next block's batch, and a damaged one reports itself: both end the node.
        if (!(error instanceof PoisonedError) && !(error instanceof CorruptionError)) throw error;
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Beyond the bounds they are read from the log: only a store that is slower than the chain comes there. */
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

  /** The events that the index is made of at a height whose results are kept; they are not needed again. */
  #take(height: Height): BlockEvents | undefined {
    const kept = this.#results.get(height);
    if (kept === undefined) return undefined;
    const { results, touched } = kept;
    this.#results.delete(height);
    this.#waitingTxs -= results.txCount;
    return blockEventsOf(height, results, touched);
  }

  async #run(): Promise<void> {
    const { store, log, first } = this.#options;
    // The block that calls is published first.
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
        for (const row of this.#window.add(events)) rows.push(row);
      }
      if (rows.length === 0) return;
      try {
        await store.commit(rows, { sync: false });
      } catch {
        // The handle is poisoned from here on.
        return;
      }
    }
  }
}

/** The events that the index is made of at a height, read from the log; undefined when the block is not executed. */
export function blockEvents(log: Pick<EventLog, 'blockAt'>, height: Height): BlockEvents | undefined {
  const executed = log.blockAt(height)?.executed;
  if (executed === undefined) return undefined;
  const { results, touched } = executed.event.data;
  return blockEventsOf(height, new EncodedResults(results), touched);
}
