/** The rows of a stopped home follow from its log alone (reliability-security.md 2.1). */
import { join } from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import type { KeyValue, KeyValueStore } from '../../src/core/ports/key-value-store.js';
import { toHeight, toPosition, toTimeNs } from '../../src/core/primitives.js';
import { ResponseFinalizeBlockSchema } from '../../src/core/proto/tendermint/abci/types_pb.js';
import { openEventLog } from '../../src/store/event-log.js';
import { indexRows } from '../../src/store/index-rows/index-rows.js';
import { PREFIX } from '../../src/store/keys.js';
import { openLevelStore } from '../../src/store/level-store.js';
import { MemoryStore } from '../../src/store/memory-store.js';
import { stateRows } from '../../src/store/state/latest.js';
import { crypto } from '../app/support.js';
import { startDaemonProcess } from '../support/daemon.js';
import { call } from './comet-client.js';
import { signedSend } from './load.js';

it('writes byte-equal state and index rows when the log is replayed into an empty database', async () => {
  const daemon = await startDaemonProcess();
  for (const sequence of [0n, 1n, 2n]) {
    const sent = await Promise.all([0, 1, 2].map((account) => call(daemon.endpoints.comet, 'broadcast_tx_commit', { tx: signedSend(account, sequence).tx })));
    expect(sent).toHaveLength(3);
  }
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  const store = await openLevelStore(join(daemon.home, 'data', 'chronicle.db'), { create: false });
  const log = await openEventLog({ store, crypto, clock: { now: () => toTimeNs(0n) }, sync: 'os' });
  const replayed = new MemoryStore();
  for await (const events of log.read({ from: toPosition(1n) })) {
    for (const { event } of events) {
      if (event.type === 'ChainStarted') {
        await replayed.commit(stateRows(toHeight(event.data.initialHeight - 1n), event.data.writes, (key) => replayed.get(key)));
      }
      if (event.type !== 'BlockExecuted') continue;
      const { height, results, writes } = event.data;
      const { txResults, events: blockEvents } = fromBinary(ResponseFinalizeBlockSchema, results);
      await replayed.commit(stateRows(height, writes, (key) => replayed.get(key)));
      await replayed.commit(indexRows({ height, txs: txResults, events: blockEvents }));
    }
  }
  for (const [start, end] of [[PREFIX.state, PREFIX.index], [PREFIX.index, PREFIX.history]] as const) {
    const kept = await rowsOf(store, start, end);
    expect(kept.length).toBeGreaterThan(0);
    expect(await rowsOf(replayed, start, end)).toEqual(kept);
  }
  await store.close();
});

async function rowsOf(store: KeyValueStore, start: number, end: number): Promise<readonly string[]> {
  const rows: readonly KeyValue[] = await store.range({ start: Uint8Array.of(start), end: Uint8Array.of(end), limit: 100_000 });
  return rows.map(({ key, value }) => `${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`);
}
