/** A node whose state comes from a snapshot of another node, by ABCI calls as they come from the socket. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AbciSnapshot } from '../../../src/core/abci/abci-application.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { MetadataSchema } from '../../../src/core/proto/cosmos/store/snapshots/v1/snapshot_pb.js';
import { reExecute } from '../../../src/runtime/re-execution/re-execute-log.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { MemoryStore } from '../../support/memory-store.js';
import { temporaryFolder } from '../../support/temporary.js';
import { started } from '../../node/abci/engine-node.js';
import { send, simulate } from '../../node/simulated-node.js';
import { ACCEPTED, appHashAt, block, type EngineNode, make, snapshotOf, source, sync } from './source.js';
import { WHOLE } from '../../support/whole-search.js';
import { reopenable } from '../../support/reopenable.js';

const crypto = createPureCrypto();

/** A node whose snapshots the tests use and which they do not change. */
let still: EngineNode;

beforeAll(async () => {
  still = await source();
});
afterAll(() => still.node.stop());

async function verified(store: KeyValueStore) {
  const target = new MemoryStore();
  return verifyDatabase({ store, crypto, target, now: toTimeNs(0n), witnessed: undefined });
}

describe('a snapshot of a node behind an engine', () => {
  test('is taken at each interval of heights, and the newest are kept', async () => {
    const node = await source();
    const snapshots = await node.engine.listSnapshots();
    expect(snapshots.map(({ height, format, chunks }) => [height, format, chunks])).toEqual([
      [6n, 3, 1],
      [3n, 3, 1],
    ]);
    await make(node, 8n, 9n);
    expect((await snapshotOf(node, 9n)).map(({ height }) => height)).toEqual([9n, 6n]);
    expect(await node.engine.loadSnapshotChunk({ height: toHeight(6n), format: 3, chunk: 1 })).toHaveLength(0);
    expect(await node.engine.loadSnapshotChunk({ height: toHeight(6n), format: 2, chunk: 0 })).toHaveLength(0);
    expect(await node.engine.loadSnapshotChunk({ height: toHeight(5n), format: 3, chunk: 0 })).toHaveLength(0);
    await node.node.stop();
  });

  test('makes the node keep the blocks that a restored node needs', async () => {
    const node = await started(new MemoryStore(), { snapshots: 3n });
    await make(node, 1n, 7n);
    await node.engine.finalizeBlock(block(node, 8n));
    expect(await node.engine.commit()).toEqual({ retainHeight: 2n });
    await node.node.stop();
  });

  test('is not served when one of its files was changed', async () => {
    const home = temporaryFolder();
    const node = await started(new MemoryStore(), { snapshots: 2n, home });
    await make(node, 1n, 2n);
    await snapshotOf(node, 2n);
    const folder = join(home, 'data', 'snapshots', '2');
    expect(readdirSync(folder).toSorted()).toEqual(['0', 'snapshot.pb']);
    writeFileSync(join(folder, '0'), 'damage');
    expect(await node.engine.loadSnapshotChunk({ height: toHeight(2n), format: 3, chunk: 0 })).toHaveLength(0);
    writeFileSync(join(folder, 'snapshot.pb'), 'damage');
    expect(await node.engine.listSnapshots()).toEqual([]);
    await node.node.stop();
  });
});

describe('a node that is restored from a snapshot', () => {
  test('has the state, the trees and the app hash of the height, and continues like the source', async () => {
    const first = await source();
    const store = reopenable();
    const second = await started(store);
    const [newest] = await first.engine.listSnapshots();
    if (newest === undefined) throw new Error('there is a snapshot');
    expect(await sync(first, second, newest)).toEqual(ACCEPTED);
    expect(await second.engine.info()).toEqual({
      ...(await first.engine.info()),
      lastBlockHeight: 6n,
      lastBlockAppHash: appHashAt(first, 6n),
    });
    const { chain } = second.node.api.queries;
    expect([chain.head().height, chain.head().appHash, chain.earliestHeight()]).toEqual([6n, appHashAt(first, 6n), 7n]);
    // The hash of block 6 is in the state: the next block can refer to its parent.
    expect(chain.head().blockHash).toEqual(block(first, 6n).hash);
    expect(chain.head().time).toBe(block(first, 6n).time);
    expect(chain.validators(toHeight(8n))?.validators.map(({ votingPower }) => votingPower)).toEqual([10n]);
    expect(chain.validators(toHeight(6n))).toBeUndefined();
    expect(second.node.api.queries.status().mode).toBe('running');

    for (const height of [7n, 8n]) {
      if (height > 7n) await first.engine.finalizeBlock(block(first, height, [send(0, 2, 7n, 1n)]));
      if (height > 7n) await first.engine.commit();
      const txs = height > 7n ? [send(0, 2, 7n, 1n)] : [];
      const results = await second.engine.finalizeBlock(block(first, height, txs));
      expect(results.appHash).toEqual(appHashAt(first, height));
      await second.engine.commit();
      expect(results.txResults.map(({ code }) => code)).toEqual(txs.map(() => 0));
    }
    expect(chain.block(toHeight(7n))?.block.header?.lastBlockId?.hash).toEqual(block(first, 6n).hash);
    const query = { path: '/store/bank/key', data: new Uint8Array([0]), prove: true } as const;
    expect(await second.engine.query({ ...query, height: toHeight(8n) })).toEqual(
      await first.engine.query({ ...query, height: toHeight(8n) }),
    );
    await second.node.stop();

    const third = await started(store);
    expect(await third.engine.info()).toMatchObject({
      lastBlockHeight: 8n,
      lastBlockAppHash: appHashAt(first, 8n),
    });
    await make(first, 9n, 9n);
    expect((await third.engine.finalizeBlock(block(first, 9n))).appHash).toEqual(appHashAt(first, 9n));
    await third.engine.commit();
    const { eventLog } = third.node;
    const again = await reExecute(eventLog.read({ from: toPosition(1n) }), crypto);
    expect(again.disagreements).toEqual([]);
    expect(again).toMatchObject({ blocks: 3, disagreements: [], state: { height: 9n, appHash: appHashAt(first, 9n) } });
    await third.node.stop();
    expect(await verified(store)).toMatchObject({ problems: [], head: { height: 9n } });
    await expect(simulate({ store })).rejects.toThrow('use chronicled abci');
    await first.node.stop();
  });

  test('is as before or restored after a kill at any write, and can be restored again', async () => {
    const first = still;
    const [newest] = await first.engine.listSnapshots();
    if (newest === undefined) throw new Error('there is a snapshot');
    const { height, format } = newest;
    const chunk = { index: 0, chunk: await first.engine.loadSnapshotChunk({ height, format, chunk: 0 }), sender: '' };
    const heights: bigint[] = [];
    // The first writes succeed; the one after them and all later ones do not happen, as after a kill.
    for (let written = 0; heights.at(-1) !== 6n; written += 1) {
      const kept = reopenable();
      let left = Infinity;
      const second = await started({
        ...kept,
        async commit(operations, options) {
          if (left === 0) throw new Error('killed');
          left -= 1;
          return kept.commit(operations, options);
        },
      });
      expect(await second.engine.offerSnapshot(newest, appHashAt(first, 6n))).toBe('accept');
      left = written;
      await second.engine.applySnapshotChunk(chunk).catch(() => undefined);
      await second.node.stop().catch(() => undefined);
      expect(await verified(kept)).toMatchObject({ problems: [] });

      const third = await started(kept);
      const { lastBlockHeight } = await third.engine.info();
      heights.push(lastBlockHeight);
      expect(await sync(first, third, newest)).toEqual(ACCEPTED);
      expect((await third.engine.finalizeBlock(block(first, 7n))).appHash).toEqual(appHashAt(first, 7n));
      await third.engine.commit();
      await third.node.stop();
      expect(await verified(kept)).toMatchObject({ problems: [] });
    }
    expect(heights.length).toBeGreaterThan(1);
    expect(new Set(heights)).toEqual(new Set([0n, 6n]));
  });

  test('answers for its heights, and refuses earlier ones with a reason', async () => {
    const first = still;
    const second = await started(new MemoryStore());
    const [newest] = await first.engine.listSnapshots();
    if (newest === undefined) throw new Error('there is a snapshot');
    await sync(first, second, newest);
    await second.engine.finalizeBlock(block(first, 7n));
    await second.engine.commit();
    const { queries } = second.node.api;
    const { chain } = queries;
    const { api } = second.node.ethereum ?? {};
    expect(chain.block(toHeight(6n))).toBeUndefined();
    expect(chain.results(toHeight(3n))).toBeUndefined();
    expect(api?.earliestBlock()).toBe(7n);
    const address = new Uint8Array(20).fill(1);
    expect(api?.account(address, toHeight(6n))).toMatchObject({ ok: true });
    expect(api?.account(address, toHeight(5n))).toEqual({
      ok: false,
      error: { code: 'state-pruned', height: 5n, lowest: 6n },
    });
    const data = new Uint8Array([0]);
    const asked = await queries.abciQuery({ path: '/store/bank/key', data, height: toHeight(4n), prove: false });
    expect(asked).toMatchObject({ ok: true, value: { code: 38, codespace: 'sdk' } });
    expect(await chain.searchTxs('tx.height > 0', WHOLE)).toEqual({ ok: true, value: { total: 0, items: [] } });
    expect(await chain.searchBlocks('block.height > 0', WHOLE)).toEqual({ ok: true, value: { total: 1, items: [7n] } });
    await second.node.stop();
  });

  test('can be restored again until it has a block, also from another height', async () => {
    const first = still;
    const store = reopenable();
    const [newest, older] = await first.engine.listSnapshots();
    if (newest === undefined || older === undefined) throw new Error('there are two snapshots');
    const second = await started(store);
    await sync(first, second, newest);
    await second.node.stop();
    const third = await started(store);
    expect(await third.engine.info()).toMatchObject({ lastBlockHeight: 6n });
    expect(await sync(first, third, older)).toEqual(ACCEPTED);
    expect(await third.engine.info()).toMatchObject({
      lastBlockHeight: 3n,
      lastBlockAppHash: appHashAt(first, 3n),
    });
    for (let height = 4n; height <= 7n; height += 1n) {
      expect((await third.engine.finalizeBlock(block(first, height))).appHash).toEqual(appHashAt(first, height));
      await third.engine.commit();
    }
    expect(await third.engine.offerSnapshot(newest, appHashAt(first, 6n))).toBe('abort');
    expect(third.errors).toContain(
      'a snapshot is refused: the log of this home has blocks; state sync begins with an empty home',
    );
    await third.node.stop();
    expect(await verified(store)).toMatchObject({ problems: [] });
  });
});

describe('chunks of a snapshot', () => {
  /** The newest snapshot of a node, cut into the given number of chunks. */
  async function cut(from: EngineNode, count: number) {
    const [newest] = await from.engine.listSnapshots();
    if (newest === undefined) throw new Error('there is a snapshot');
    const { height, format } = newest;
    const whole = await from.engine.loadSnapshotChunk({ height, format, chunk: 0 });
    const size = Math.ceil(whole.length / count);
    const parts = Array.from({ length: count }, (_, index) => whole.subarray(index * size, (index + 1) * size));
    return { parts, snapshot: { ...newest, chunks: count, metadata: metadataOf(parts) } };
  }

  const metadataOf = (parts: readonly Uint8Array[]) =>
    toBinary(MetadataSchema, create(MetadataSchema, { chunkHashes: parts.map((part) => crypto.sha256(part)) }));

  test('are applied in order, a bad one is requested again, and the last one completes the restore', async () => {
    const first = still;
    const { parts, snapshot } = await cut(first, 3);
    const [one, two, three] = parts;
    if (one === undefined || two === undefined || three === undefined) throw new Error('three parts');
    const second = await started(new MemoryStore());
    const apply = (index: number, chunk: Uint8Array) =>
      second.engine.applySnapshotChunk({ index, chunk, sender: 'peer' });
    expect(await second.engine.offerSnapshot(snapshot, appHashAt(first, 6n))).toBe('accept');
    // The socket's buffer is reused for the next message.
    const buffer = one.slice();
    expect(await apply(0, buffer)).toEqual(ACCEPTED);
    buffer.fill(0);
    expect(await apply(1, three)).toMatchObject({ result: 'retry', refetchChunks: [1] });
    expect(await apply(1, two)).toEqual(ACCEPTED);
    expect(await second.engine.info()).toMatchObject({ lastBlockHeight: 0n });
    expect(await apply(2, three)).toEqual(ACCEPTED);
    expect(await second.engine.info()).toMatchObject({ lastBlockHeight: 6n });
    await second.node.stop();
  });
});

describe('an offered snapshot', () => {
  test('is refused when its format is unknown, its hashes are missing, or it is below the chain', async () => {
    const { engine, node } = await started(new MemoryStore());
    const hash = new Uint8Array(32);
    const metadata = toBinary(MetadataSchema, create(MetadataSchema, { chunkHashes: [hash] }));
    const good: AbciSnapshot = { height: toHeight(5n), format: 3, chunks: 1, hash, metadata };
    const offer = (part: Partial<AbciSnapshot>, appHash = hash) => engine.offerSnapshot({ ...good, ...part }, appHash);
    expect(await offer({ format: 2 })).toBe('reject format');
    expect(await offer({ format: 4 })).toBe('reject format');
    expect(await offer({ chunks: 0 })).toBe('reject');
    expect(await offer({ chunks: 2 })).toBe('reject');
    expect(await offer({ metadata: new Uint8Array([0xff]) })).toBe('reject');
    expect(await offer({ height: toHeight(0n) })).toBe('reject');
    expect(await offer({}, new Uint8Array())).toBe('reject');
    const chunk = { index: 0, chunk: new Uint8Array(), sender: 'peer' };
    expect(await engine.applySnapshotChunk(chunk)).toMatchObject({ result: 'abort' });
    expect(await offer({})).toBe('accept');
    expect(await engine.applySnapshotChunk({ ...chunk, index: 1 })).toMatchObject({ result: 'abort' });
    await node.stop();
  });

  test('with wrong chunks or another app hash changes nothing, and the right one is accepted afterwards', async () => {
    const first = still;
    const second = await started(new MemoryStore());
    const [newest] = await first.engine.listSnapshots();
    if (newest === undefined) throw new Error('there is a snapshot');
    const before = second.node.eventLog.head().position;
    expect(await sync(first, second, newest, appHashAt(first, 5n))).toMatchObject({ result: 'reject snapshot' });
    expect(await second.engine.offerSnapshot(newest, appHashAt(first, 6n))).toBe('accept');
    const bad = { index: 0, chunk: new TextEncoder().encode('garbage'), sender: 'liar' };
    expect(await second.engine.applySnapshotChunk(bad)).toEqual({
      result: 'retry',
      refetchChunks: [0],
      rejectSenders: ['liar'],
    });
    const garbage = toBinary(MetadataSchema, create(MetadataSchema, { chunkHashes: [crypto.sha256(bad.chunk)] }));
    expect(await second.engine.offerSnapshot({ ...newest, metadata: garbage }, appHashAt(first, 6n))).toBe('accept');
    expect(await second.engine.applySnapshotChunk(bad)).toMatchObject({ result: 'reject snapshot' });
    expect(second.errors).toContain('the snapshot is refused');
    expect(second.node.eventLog.head().position).toBe(before);
    expect(await second.engine.info()).toMatchObject({ lastBlockHeight: 0n });
    expect(await sync(first, second, newest)).toEqual(ACCEPTED);
    await second.node.stop();
  });
});
