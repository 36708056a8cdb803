import { EncodedResults } from '../../core/comet/encoded-results.js';
import { fromHex } from '../../core/bytes/hex.js';
import type { Limits } from '../../core/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { conditionsOf, parseQuery } from '../../core/query/index.js';
import type { EventLog } from '../../store/event-log.js';
import { indexedThrough, indexRows } from '../../store/index-rows/index-rows.js';
import { blockEventsOf, type BlockEvents } from '../../store/index-rows/posting.js';
import { searchPostings } from '../../store/index-rows/search.js';
import type { Searches } from './ledger.js';

export interface SearchesOptions {
  readonly store: KeyValueStore;
  readonly log: EventLog;
  readonly first: Height;
  readonly limits: Pick<Limits, 'searchRows' | 'rangeRows'>;
}

/** tx_search and block_search over the attribute index, its tail matched in memory. */
export function createSearches(options: SearchesOptions): Searches {
  const { store, first, limits, log } = options;
  const context = (head: Height) => ({
    store,
    head,
    first,
    limits,
    eventsAt: (height: Height) => blockEvents(log, height),
  });
  return {
    async txs(text, head) {
      const parsed = parseQuery(text);
      if (!parsed.ok) return { ok: false, error: { code: 'bad-query', message: parsed.message } };
      const conditions = conditionsOf(parsed.query);
      const byHash = conditions.find((condition) => condition.tag === 'tx.hash' && condition.op === '=');
      if (byHash !== undefined && 'operand' in byHash) {
        const hash = byHash.operand.text.replace(/^0x/i, '');
        const place = /^[0-9a-fA-F]{64}$/.test(hash) ? log.txByHash(fromHex(hash)) : undefined;
        return { ok: true, value: place === undefined ? [] : [place] };
      }
      return searchPostings('tx', conditions, context(head));
    },
    async blocks(text, head) {
      const parsed = parseQuery(text);
      if (!parsed.ok) return { ok: false, error: { code: 'bad-query', message: parsed.message } };
      const found = await searchPostings('block', conditionsOf(parsed.query), context(head));
      return found.ok ? { ok: true, value: found.value.map(({ height }) => height) } : found;
    },
  };
}

/** Blocks of one batch of the index: what lies behind the cursor is matched in memory until it is written. */
const BLOCKS_PER_RUN = 32n;
/**
 * Rows after which a batch is written although more blocks wait: bounds the time that one turn takes, for each write
 * lets others have theirs.
 */
const ROWS_PER_TURN = 1_000;
/**
 * Transactions whose results are kept until they are indexed: bounds the memory, and how long a busy chain's index
 * waits.
 */
const TXS_PER_RUN = 64;

export type IndexerOptions = Pick<SearchesOptions, 'store' | 'log' | 'first'>;

/**
 * Writes the attribute index behind the head, a run of blocks a batch or a few, off the path of the block. Results that
 * are at hand are kept until then, so that those of the log need not be decoded once more.
 */
export class Indexer {
  readonly #options: IndexerOptions;
  #running: Promise<void> | undefined;
  #target: Height;
  #through: bigint | undefined;
  readonly #results = new Map<Height, EncodedResults>();
  #waitingTxs = 0;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#target = toHeight(0n);
  }

  /**
   * Indexes up to `height` when a run is full, and at the first call. `results` of that block, where they are at hand.
   */
  follow(height: Height, results?: EncodedResults): void {
    this.#target = height;
    if (results !== undefined) this.#keep(height, results);
    if (this.#through !== undefined && height - this.#through < BLOCKS_PER_RUN && this.#waitingTxs < TXS_PER_RUN)
      return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  /** The chain went back to `height`, and the rows with it. */
  reverted(height: Height): void {
    this.#target = height;
    if (this.#through !== undefined && this.#through > height) this.#through = height;
    this.#forget();
  }

  /** Beyond the bounds they are read from the log: only a store that is slower than the chain comes there. */
  #keep(height: Height, results: EncodedResults): void {
    if (this.#waitingTxs >= TXS_PER_RUN || this.#results.size >= BLOCKS_PER_RUN) return;
    this.#results.set(height, results);
    this.#waitingTxs += results.txCount;
  }

  /** The indexed parts of a height whose results are kept; they are not needed again. */
  #take(height: Height): BlockEvents | undefined {
    const results = this.#results.get(height);
    if (results === undefined) return undefined;
    this.#results.delete(height);
    this.#waitingTxs -= results.txCount;
    return blockEventsOf(height, results);
  }

  #forget(): void {
    this.#results.clear();
    this.#waitingTxs = 0;
  }

  async #run(): Promise<void> {
    const { store, log, first } = this.#options;
    // The block that calls is published first.
    await Promise.resolve();
    for (;;) {
      const next = (indexedThrough(store) ?? first - 1n) + 1n;
      const rows: StoreOperation[] = [];
      for (
        let height = toHeight(next);
        height <= this.#target && rows.length < ROWS_PER_TURN;
        height = toHeight(height + 1n)
      ) {
        const events = this.#take(height) ?? blockEvents(log, height);
        if (events === undefined) break;
        for (const row of indexRows(events)) rows.push(row);
      }
      if (rows.length === 0) {
        this.#through = next - 1n;
        return;
      }
      try {
        await store.commit(rows, { sync: false });
      } catch {
        // The handle is poisoned: the next block's batch fails too and stops the node.
        return;
      }
    }
  }
}

/** The indexed parts of a height, read from the log; undefined when the block is not executed. */
export function blockEvents(log: EventLog, height: Height): BlockEvents | undefined {
  const executed = log.blockAt(height)?.executed;
  if (executed === undefined) return undefined;
  return blockEventsOf(height, new EncodedResults(executed.event.data.results));
}
