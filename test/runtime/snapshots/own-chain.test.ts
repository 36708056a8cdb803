/** A home that begins from a snapshot of a node that makes its own blocks. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SnapshotHead } from '../../../src/core/log-events.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { beginFromSnapshot } from '../../../src/runtime/chain/begin-from-snapshot.js';
import { reExecute } from '../../../src/runtime/re-execution/re-execute-log.js';
import type { SnapshotWithChain } from '../../../src/runtime/chain/restored-chain.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { writeTar, readTar } from '../../../src/runtime/snapshots/tar.js';
import { dumpSnapshot, loadSnapshot } from '../../../src/runtime/snapshots/snapshot-archive.js';
import { decodeSnapshotChain, type SnapshotChain } from '../../../src/runtime/snapshots/snapshot-chain.js';
import { SnapshotStore } from '../../../src/runtime/snapshots/store.js';
import { crypto } from '../../core/app/support.js';
import { MemoryStore } from '../../support/memory-store.js';
import { temporaryFolder } from '../../support/temporary.js';
import { devOf, firing, value } from '../../node/dev/support.js';
import { plan, send, simulate, type SimulatedNode } from '../../node/simulated-node.js';
import { reopenable } from '../../support/reopenable.js';

const FORMAT = 3;
const AT = toHeight(10n);

interface Source {
  readonly node: SimulatedNode;
  readonly store: SnapshotStore;
}

/** A node with blocks 1 to 10, transfers in some of them, and snapshots of heights 5 and 10. */
async function source(): Promise<Source> {
  const home = temporaryFolder();
  const node = await simulate({ store: reopenable(), home, snapshots: 5n });
  for (const sequence of [0n, 1n]) {
    await node.node.api.commands.broadcastTx(send(0, 1, 5n, sequence));
    await node.mineTo(5n * (sequence + 1n));
    await taken(node, home, 5n * (sequence + 1n));
  }
  return { node, store: storeOf(home) };
}

const storeOf = (home: string): SnapshotStore => new SnapshotStore(join(home, 'data', 'snapshots'), { isRead: true });

/** Resolves when the newest snapshot is of this height. */
async function taken({ errors }: SimulatedNode, home: string, height: bigint): Promise<void> {
  while (storeOf(home).list()[0]?.height !== height) {
    if (errors.length > 0) throw new Error(errors.join('; '));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function snapshotAt(store: SnapshotStore, height = AT): Promise<SnapshotWithChain> {
  const found = store.find(height, FORMAT);
  const file = store.chainFile(height);
  const chain = found && file && decodeSnapshotChain(crypto, file, found.hash);
  if (found === undefined || chain === undefined) throw new Error('there is a snapshot with its chain');
  const chunks = await Promise.all(
    Array.from({ length: found.chunks }, (_, chunk) => store.chunk({ height, format: FORMAT, chunk })),
  );
  return { height, format: FORMAT, chain, chunks: chunks.map((chunk) => chunk ?? new Uint8Array()) };
}

const CLOCK = { now: () => toTimeNs(1n) };

async function begun(snapshot: SnapshotWithChain): Promise<KeyValueStore> {
  const store = reopenable();
  await beginFromSnapshot({ store, crypto, clock: CLOCK, snapshot });
  return store;
}

const hashAt = ({ node }: SimulatedNode, height: bigint): Uint8Array =>
  node.api.queries.chain.results(toHeight(height))?.appHash ?? new Uint8Array();

function verified(store: KeyValueStore): ReturnType<typeof verifyDatabase> {
  return verifyDatabase({ store, crypto, target: new MemoryStore(), now: toTimeNs(0n), witnessed: undefined });
}

/** One node for all tests; the first test makes more blocks. */
let shared: Source;
beforeAll(async () => {
  shared = await source();
});
afterAll(() => shared.node.node.stop());

describe('a home that begins from a snapshot', () => {
  test('makes the same blocks as the source node, and answers like a pruned home', async () => {
    const { node: first, store: snapshots } = shared;
    expect(snapshots.list().map(({ height }) => height)).toEqual([10n, 5n]);
    const store = await begun(await snapshotAt(snapshots));
    const second = await simulate({ store });
    const { chain } = second.node.api.queries;
    // Its first block exists before anything is requested.
    await first.mineTo(11n);
    expect([chain.head().height, chain.earliestHeight()]).toEqual([11n, 11n]);
    expect(chain.block(toHeight(11n))).toEqual(first.node.api.queries.chain.block(toHeight(11n)));

    for (const node of [first, second]) {
      await node.node.api.commands.broadcastTx(send(0, 1, 7n, 2n));
      await node.mineTo(14n);
    }
    for (const height of [11n, 12n, 13n, 14n]) {
      expect(hashAt(second, height)).toEqual(hashAt(first, height));
      expect(second.node.ethereum?.api.block(toHeight(height))).toEqual(
        first.node.ethereum?.api.block(toHeight(height)),
      );
    }
    const api = second.node.ethereum?.api;
    expect(api?.earliestBlock()).toBe(11n);
    expect(chain.block(AT)).toBeUndefined();
    const address = new Uint8Array(20).fill(1);
    expect(api?.account(address, AT)).toMatchObject({ ok: true });
    expect(api?.account(address, toHeight(9n))).toEqual({
      ok: false,
      error: { code: 'state-pruned', height: 9n, lowest: 10n },
    });
    const { eventLog } = second.node;
    await second.node.stop();

    const again = await reExecute(eventLog.read({ from: toPosition(1n) }), crypto);
    expect(again).toMatchObject({ blocks: 4, disagreements: [], state: { height: 14n } });
    expect(await verified(store)).toMatchObject({
      problems: [],
      head: { height: 14n },
      statesFrom: 10n,
      blocksFrom: 11n,
    });
    const third = await simulate({ store });
    await third.mineTo(15n);
    await third.node.stop();
    await expect(simulate({ store, engine: true })).rejects.toThrow('use chronicled start');
  });

  test('after an upgrade runs the upgraded application', async () => {
    const [home, kept] = [temporaryFolder(), reopenable()];
    const before = await simulate({ store: kept, home });
    await before.node.api.commands.broadcastTx(plan('v2', 3n, 0n));
    await before.mineTo(2n);
    void before.node.consensus.mine();
    await before.node.halted;
    await before.node.stop();
    const upgraded = await simulate({ store: kept, home, appVersion: 'v2', snapshots: 4n });
    await upgraded.mineTo(4n);
    await taken(upgraded, home, 4n);
    const store = await begun(await snapshotAt(storeOf(home), toHeight(4n)));
    const second = await simulate({ store, appVersion: 'v2' });
    for (const node of [upgraded, second]) await node.mineTo(7n);
    expect(hashAt(second, 7n)).toEqual(hashAt(upgraded, 7n));
    const again = await reExecute(second.node.eventLog.read({ from: toPosition(1n) }), crypto);
    expect(again).toMatchObject({ blocks: 3, disagreements: [] });
    for (const node of [upgraded, second]) await node.node.stop();
    expect(await verified(store)).toMatchObject({ problems: [], head: { height: 7n } });
  });

  test('and has no block yet can only be opened by chronicled start', async () => {
    const { store: snapshots } = shared;
    const store = await begun(await snapshotAt(snapshots));
    expect(await verified(store)).toMatchObject({ problems: [], head: { height: 10n }, blocksFrom: 11n });
    await expect(simulate({ store, engine: true })).rejects.toThrow('use chronicled start');
  });

  test.each<[string, string, (head: SnapshotHead, chain: SnapshotChain) => Partial<SnapshotChain>]>([
    ['a changed header', 'hash', ({ header }) => ({ head: { header: changed(header) } as SnapshotHead })],
    ['another commit', 'wrong signature', ({ commit }) => ({ head: { commit: changed(commit) } as SnapshotHead })],
    [
      'another signer',
      'other validators',
      (_, { validators }) => ({ head: { lastValidators: changed(validators, IN_KEY) } as SnapshotHead }),
    ],
    [
      'other next validators',
      'other next validators',
      (_, { validators }) => ({ validators: changed(validators, IN_KEY) }),
    ],
    [
      'other validators after the next',
      'the state names other validators',
      (_, { nextValidators }) => ({ nextValidators: changed(nextValidators, IN_KEY) }),
    ],
    ['another app hash', 'app hash', (_, { appHash }) => ({ appHash: changed(appHash) })],
  ])('is refused with %s', async (_, words, change) => {
    const { store: snapshots } = shared;
    const snapshot = await snapshotAt(snapshots);
    const { chain } = snapshot;
    const { head = {}, ...more } = change(chain.head, chain);
    const wrong = { ...snapshot, chain: { ...chain, ...more, head: { ...chain.head, ...head } } };
    await expect(begun(wrong)).rejects.toThrow(words);
  });
});

/** Bytes with one changed bit, by default in the last byte. */
function changed(bytes: Uint8Array, at = bytes.length - 1): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** A byte in the key of the first validator of an encoded set, after its address. */
const IN_KEY = 40;

describe('snapshots of a node without an engine', () => {
  test('are exported as an archive, and a damaged archive is refused and leaves nothing', async () => {
    const { store } = shared;
    const snapshot = store.find(AT, FORMAT);
    if (snapshot === undefined) throw new Error('there is a snapshot');
    const archive = await dumpSnapshot(store, snapshot);
    const folder = temporaryFolder();
    const other = new SnapshotStore(folder);
    expect(await loadSnapshot(other, archive)).toEqual(snapshot);
    expect(await snapshotAt(other)).toEqual(await snapshotAt(store));
    await expect(loadSnapshot(other, archive)).rejects.toThrow('exists already');
    await other.remove(AT);
    expect(readdirSync(folder)).toEqual([]);

    const plain = gunzipSync(archive);
    const files = readTar(plain);
    expect(files.map(({ name }) => name)).toEqual(['_snapshot', '0', '_chain']);
    const damaged: readonly (readonly [string, Uint8Array])[] = [
      ['cannot be unpacked', archive.subarray(0, -20)],
      ['is damaged', gzipSync(changed(plain.subarray(0, 512)))],
      ['truncated', gzipSync(plain.subarray(0, 2_048))],
      ['is no _snapshot', gzipSync(writeTar(files.slice(1)))],
      ['chunk 0 is missing', gzipSync(writeTar(files.slice(0, 1)))],
      [
        'another hash',
        gzipSync(writeTar(files.map(({ name, bytes }) => ({ name, bytes: name === '0' ? changed(bytes) : bytes })))),
      ],
    ];
    for (const [words, bytes] of damaged) await expect(loadSnapshot(other, bytes)).rejects.toThrow(words);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('are rejected when any byte of their chain file, or their chunks, are replaced', async () => {
    const { store } = shared;
    const [file, older] = [store.chainFile(AT), store.find(toHeight(5n), FORMAT)];
    const found = store.find(AT, FORMAT);
    if (file === undefined || found === undefined || older === undefined) throw new Error('there are two snapshots');
    expect(decodeSnapshotChain(crypto, file, found.hash)?.started.chainId).toBe('chronicle_271828-1');
    expect(decodeSnapshotChain(crypto, file, older.hash)).toBeUndefined();
    expect(decodeSnapshotChain(crypto, changed(file), found.hash)).toBeUndefined();
    expect(decodeSnapshotChain(crypto, file.subarray(1), found.hash)).toBeUndefined();
    expect(decodeSnapshotChain(crypto, new Uint8Array(), found.hash)).toBeUndefined();
  });

  test('are deleted when the chain is reverted below them, and when another chain replaces it', async () => {
    const home = temporaryFolder();
    const node = await simulate({ store: reopenable(), home, snapshots: 2n });
    await node.mineTo(2n);
    await taken(node, home, 2n);
    const dev = devOf(node);
    const id = await value(dev.snapshot());
    await node.mineTo(4n);
    await taken(node, home, 4n);
    expect(await firing(node, dev.revert(id))).toBe(true);
    await taken(node, home, 2n);
    // The block of the new branch gets a snapshot of its own.
    await node.node.api.commands.broadcastTx(send(0, 1, 5n, 0n));
    await node.mineTo(4n);
    await taken(node, home, 4n);
    expect((await snapshotAt(storeOf(home), toHeight(4n))).chain.appHash).toEqual(
      node.node.api.queries.chain.head().appHash,
    );
    await node.node.stop();

    rmSync(join(home, 'data', 'head.witness'));
    const another = await simulate({ store: reopenable(), home, snapshots: 2n });
    while (storeOf(home).list().length > 0) await new Promise((resolve) => setImmediate(resolve));
    await another.node.stop();
  });
});
