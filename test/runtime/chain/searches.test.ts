import { expect, it } from 'vitest';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight, type Height } from '../../../src/core/primitives.js';
import { blockEvents } from '../../../src/runtime/chain/indexer.js';
import { createSearches } from '../../../src/runtime/chain/searches.js';
import { blockIndexRows } from '../../../src/store/log/block-index.js';
import { openEventLog } from '../../../src/store/log/event-log.js';
import { MemoryStore } from '../../support/memory-store.js';
import { chainStarted, crypto, decided, executed, steppingClock, text } from '../../store/support.js';
import { WHOLE } from '../../support/whole-search.js';

it('tx.hash finds a transaction only once its block is published', async () => {
  const store = new MemoryStore();
  const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'os' });
  await log.append([{ event: chainStarted() }]);
  const hash = crypto.sha256(text('tx-1'));
  await log.append(
    [{ event: decided(1n) }, { event: executed(1n) }],
    blockIndexRows({ height: toHeight(1n), blockHash: hash, txHashes: [[hash]] }),
  );
  const first = () => toHeight(1n);
  const indexer = { caughtUp: () => Promise.resolve(), eventsAt: (height: Height) => blockEvents(log, height) };
  const searches = createSearches({
    store,
    log,
    first,
    limits: DEFAULT_LIMITS,
    indexer,
    timers: { yield: () => Promise.resolve() },
  });
  const query = `tx.hash='${upperHex(hash)}'`;
  expect(await searches.txs(query, WHOLE, toHeight(1n))).toEqual({
    ok: true,
    value: { total: 1, items: [{ height: 1n, index: 0 }] },
  });
  // The block is in the log, and clients still see the one before: a total of 1 without a transaction.
  expect(await searches.txs(query, WHOLE, toHeight(0n))).toEqual({
    ok: true,
    value: { total: 0, items: [] },
  });
});
