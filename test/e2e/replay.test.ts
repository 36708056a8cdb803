/** The database of a stopped home follows from its log alone (docs/decisions/0001-log-record.md). */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toTimeNs } from '../../src/core/primitives.js';
import { openPending } from '../../src/runtime/chain/pending.js';
import { PREFIX } from '../../src/store/keys.js';
import { openEventLog } from '../../src/store/log/event-log.js';
import { openLevelStore } from '../../src/store/leveldb/level-store.js';
import { crypto } from '../core/app/support.js';
import { startDaemonProcess } from '../support/daemon.js';
import { derivedRows, HOST_FACTS, replayLog } from '../support/replay-log.js';
import { call } from './comet-client.js';
import { signedEither } from './load.js';

it('a log replayed into an empty database gives the same database, byte for byte', async () => {
  const first = await startDaemonProcess();
  const { home } = first;
  for (const sequence of [0n, 1n, 2n]) {
    const sent = await Promise.all(
      [0, 1, 2].map((account) =>
        call(first.endpoints.comet, 'broadcast_tx_commit', { tx: signedEither(account, sequence).tx }),
      ),
    );
    expect(sent).toHaveLength(3);
  }
  expect((await first.kill('SIGKILL')).signal).toBe('SIGKILL');
  // In the second run, one transaction is in a block and one stays in the mempool.
  const second = await startDaemonProcess({ home });
  await call(second.endpoints.comet, 'broadcast_tx_commit', { tx: signedEither(0, 3n).tx });
  expect(await second.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const third = await startDaemonProcess({ home, args: ['--mining', 'manual'] });
  await call(third.endpoints.comet, 'broadcast_tx_sync', { tx: signedEither(0, 4n).tx });
  const { response: shown } = await call<{
    readonly response: Readonly<Record<'last_block_height' | 'last_block_app_hash', string>>;
  }>(third.endpoints.comet, 'abci_info');
  expect(await third.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  const store = await openLevelStore(join(home, 'data', 'chronicle.db'), { create: false });
  try {
    const log = await openEventLog({ store, crypto, clock: { now: () => toTimeNs(0n) }, sync: 'os' });
    const replayed = await replayLog({ log, store }, crypto);
    const rows = await derivedRows(store);
    const kinds = new Set(rows.map((row) => Number.parseInt(row.slice(0, 2), 16)));
    for (const kind of [
      PREFIX.head,
      PREFIX.record,
      PREFIX.height,
      PREFIX.blockHash,
      PREFIX.txHash,
      PREFIX.state,
      PREFIX.index,
      PREFIX.history,
    ]) {
      expect(kinds, `rows of prefix ${kind}`).toContain(kind);
    }
    expect([...HOST_FACTS.keys()].filter((kind) => kinds.has(kind))).toEqual([]);
    expect(await derivedRows(replayed.store)).toEqual(rows);
    // The mempool is the same from the checkpoint and the log after it as from the whole log.
    const { waiting } = await openPending({ log, store, crypto });
    expect(waiting.all().map(({ tx }) => Buffer.from(tx).toString('base64'))).toEqual([signedEither(0, 4n).tx]);
    expect((await openPending({ log: replayed.log, store: replayed.store, crypto })).waiting.all()).toEqual(
      waiting.all(),
    );
    expect({
      last_block_height: String(replayed.state.height),
      last_block_app_hash: Buffer.from(replayed.state.appHash).toString('base64'),
    }).toEqual({
      last_block_height: shown.last_block_height,
      last_block_app_hash: shown.last_block_app_hash,
    });
  } finally {
    await store.close();
  }
});
