import { createFilterManager, type FilterManager } from '../../actors/filter-manager/index.js';
import { contentOf } from '../../core/ethereum/content.js';
import { filterRow, deleteFilterRow, readFilters } from '../../store/filters/filters.js';
import { readAdmissions } from '../ethereum/history.js';
import type { Foundation } from './foundation.js';

/** The filter manager over the log, its rows and the ledger's head. */
export function composeFilters({ host, limits, home, views }: Foundation): FilterManager {
  const { store, log } = home;
  const { ledger, streams, ethereumBlocks } = views;
  const { crypto, randomness } = host;
  return createFilterManager({
    limits,
    timers: host.timers,
    clock: host.timerClock,
    randomness,
    stream: streams.of('filterManager'),
    head: () => ledger.head(),
    hasAbandonedSince: (position) => (ethereumBlocks?.abandonedSince(position).length ?? 0) > 0,
    executedAt: (height) => log.recordOf(height)?.executed?.position,
    hashOf: (tx) => contentOf(crypto, tx)?.hash,
    append: async (events, { put, forget }) => {
      await log.append(
        events.map((event) => ({ event })),
        [...put.map(filterRow), ...forget.map(deleteFilterRow)],
      );
    },
    writeRows: (rows) => store.commit(rows.map(filterRow), { sync: false }),
    readRows: () => readFilters(store),
    admissions: (from, through, maximum) => readAdmissions(log, crypto, { from, through, maximum }),
  });
}
