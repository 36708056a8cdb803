import { fromHex } from '../../core/bytes/hex.js';
import type { Limits } from '../../core/limits/limits.js';
import type { ChainQueries, SearchSlice } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import type { Height } from '../../core/primitives.js';
import { conditionsOf, parseQuery } from '../../core/query/index.js';
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
  /** First height of the log. */
  readonly first: () => Height;
  readonly limits: Pick<Limits, 'searchRows' | 'rangeRows'>;
  readonly indexer: Pick<Indexer, 'caughtUp' | 'eventsAt'>;
  readonly timers: Pick<Timers, 'yield'>;
}

/** Implements tx_search and block_search: over the attribute index, and in memory for blocks not indexed yet. */
export function createSearches(options: SearchesOptions): Searches {
  const { store, first, limits, log, indexer, timers } = options;
  const context = (head: Height) => ({
    store,
    head,
    first: first(),
    limits,
    eventsAt: (height: Height, kind: PostingKind) => indexer.eventsAt(height, kind),
    pause: () => timers.yield(),
  });
  return {
    async txs(text, slice, head) {
      const parsed = parseQuery(text);
      if (!parsed.ok) return { ok: false, error: { code: 'bad-query', message: parsed.message } };
      const conditions = conditionsOf(parsed.query);
      const byHash = conditions.find((condition) => condition.tag === 'tx.hash' && condition.op === '=');
      if (byHash !== undefined && 'operand' in byHash) {
        const hash = byHash.operand.text.replace(/^0x/i, '');
        const place = /^[0-9a-fA-F]{64}$/.test(hash) ? log.txByHash(fromHex(hash)) : undefined;
        const found = place === undefined || place.height > head ? [] : [place];
        return {
          ok: true,
          value: { total: found.length, items: found.slice(slice.offset, slice.offset + slice.limit) },
        };
      }
      await indexer.caughtUp();
      return searchPostings('tx', conditions, slice, context(head));
    },
    async blocks(text, slice, head) {
      const parsed = parseQuery(text);
      if (!parsed.ok) return { ok: false, error: { code: 'bad-query', message: parsed.message } };
      await indexer.caughtUp();
      const found = await searchPostings('block', conditionsOf(parsed.query), slice, context(head));
      if (!found.ok) return found;
      const { total, items } = found.value;
      return { ok: true, value: { total, items: items.map(({ height }) => height) } };
    },
  };
}
