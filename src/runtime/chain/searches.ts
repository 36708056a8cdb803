import { fromHex } from '../../core/bytes/hex.js';
import type { Limits } from '../../core/limits/limits.js';
import type { ChainQueries, SearchSlice } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import type { Height } from '../../core/primitives.js';
import { type Condition, conditionsOf, parseQuery } from '../../core/query/index.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { PostingKind } from '../../store/index-rows/posting.js';
import { searchPostings } from '../../store/index-rows/search.js';
import type { Indexer } from './indexer.js';

/** Finds transactions and blocks by the attributes of their events. */
export interface Searches {
  txs(query: string, slice: SearchSlice, head: Height): ReturnType<ChainQueries['searchTxs']>;
  blocks(query: string, slice: SearchSlice, head: Height): ReturnType<ChainQueries['searchBlocks']>;
}

export interface SearchesOptions {
  readonly store: KeyValueStore;
  readonly log: EventLog;
  /** Lowest height that queries answer. */
  readonly lowest: () => Height;
  readonly limits: Pick<Limits, 'searchRows' | 'rangeRows'>;
  readonly indexer: Pick<Indexer, 'caughtUp' | 'eventsAt'>;
  readonly timers: Pick<Timers, 'yield'>;
}

/** Implements tx_search and block_search: over the attribute index, and in memory for blocks not indexed yet. */
export function createSearches(options: SearchesOptions): Searches {
  const { store, lowest, limits, log, indexer, timers } = options;
  const search = async (
    kind: PostingKind,
    conditions: readonly Condition[],
    slice: SearchSlice,
    head: Height,
  ): ReturnType<typeof searchPostings> => {
    await indexer.caughtUp();
    for (;;) {
      const first = lowest();
      const found = await searchPostings(kind, conditions, slice, {
        store,
        head,
        first,
        limits,
        eventsAt: (height) => indexer.eventsAt(height, kind),
        pause: () => timers.yield(),
      });
      // Pruning deletes rows while a search counts them: search again above the new lowest height.
      if (first === lowest()) return found;
    }
  };
  return {
    async txs(text, slice, head) {
      const parsed = parseQuery(text);
      if (!parsed.ok) return { ok: false, error: { code: 'bad-query', message: parsed.message } };
      const conditions = conditionsOf(parsed.query);
      const byHash = conditions.find((condition) => condition.tag === 'tx.hash' && condition.op === '=');
      if (byHash !== undefined && 'operand' in byHash) {
        const hash = byHash.operand.text.replace(/^0x/i, '');
        const place = /^[0-9a-fA-F]{64}$/.test(hash) ? log.txByHash(fromHex(hash)) : undefined;
        const found = place === undefined || place.height > head || place.height < lowest() ? [] : [place];
        return {
          ok: true,
          value: { total: found.length, items: found.slice(slice.offset, slice.offset + slice.limit) },
        };
      }
      return search('tx', conditions, slice, head);
    },
    async blocks(text, slice, head) {
      const parsed = parseQuery(text);
      if (!parsed.ok) return { ok: false, error: { code: 'bad-query', message: parsed.message } };
      const found = await search('block', conditionsOf(parsed.query), slice, head);
      if (!found.ok) return found;
      const { total, items } = found.value;
      return { ok: true, value: { total, items: items.map(({ height }) => height) } };
    },
  };
}
