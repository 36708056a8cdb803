import { expect, it } from 'vitest';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight, type Height } from '../../../src/core/primitives.js';
import { createSearches } from '../../../src/runtime/chain/searches.js';
import { blockIndexRows } from '../../../src/store/log/block-index.js';
import type { BlockEvents } from '../../../src/store/index-rows/posting.js';
import { openEventLog } from '../../../src/store/log/event-log.js';
import { MemoryStore } from '../../support/memory-store.js';
import { chainStarted, crypto, decided, executed, steppingClock, text } from '../../store/support.js';
import { WHOLE } from '../../support/whole-search.js';

it('a search finds a transaction only while its block is published and not pruned', async () => {
  const store = new MemoryStore();
  const log = await openEventLog({ store, crypto, clock: steppingClock(), sync: 'os' });
  await log.append([{ event: chainStarted() }]);
  const hash = crypto.sha256(text('tx-1'));
  await log.append(
    [{ event: decided(1n) }, { event: executed(1n) }],
    blockIndexRows({ height: toHeight(1n), blockHash: hash, txHashes: [[hash]] }),
  );
  let lowest = toHeight(1n);
  let during = (): void => undefined;
  const blockOf = (height: Height): BlockEvents => ({ height, txs: [{ events: [] }], events: [], logs: [] });
  const indexer = { caughtUp: () => Promise.resolve(), eventsAt: blockOf };
  const searches = createSearches({
    store,
    log,
    lowest: () => lowest,
    limits: DEFAULT_LIMITS,
    indexer,
    timers: { yield: () => Promise.resolve(during()) },
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
  // Pruning raises the lowest height first, and deletes rows later.
  const whole = ['tx.height > 0', 'tx.height = 1', query];
  for (const text of whole)
    expect(await searches.txs(text, WHOLE, toHeight(1n))).toMatchObject({ ok: true, value: { total: 1 } });
  expect(await searches.blocks('block.height = 1', WHOLE, toHeight(1n))).toEqual({
    ok: true,
    value: { total: 1, items: [1n] },
  });
  // A search that counted rows before the lowest height rose begins again.
  during = () => void (lowest = toHeight(2n));
  expect(await searches.txs('tx.height > 0', WHOLE, toHeight(1n))).toEqual({
    ok: true,
    value: { total: 0, items: [] },
  });
  for (const text of whole)
    expect(await searches.txs(text, WHOLE, toHeight(1n))).toEqual({ ok: true, value: { total: 0, items: [] } });
  expect(await searches.blocks('block.height = 1', WHOLE, toHeight(1n))).toEqual({
    ok: true,
    value: { total: 0, items: [] },
  });
});
