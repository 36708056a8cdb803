/** A running node prunes the log below anchors: answers for kept blocks stay the same, and the log verifies. */
import { expect, test } from 'vitest';
import type { DaemonOptions } from '../../../src/config/daemon-options.js';
import type { KeyValueStore, StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { reExecute } from '../../../src/runtime/re-execution/re-execute-log.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { blocksFloor } from '../../../src/store/log/blocks-floor.js';
import { withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import { nextAnchorKey } from '../../../src/store/keys.js';
import { crypto } from '../../core/app/support.js';
import { FaultyStore } from '../../support/faulty-store.js';
import { MemoryStore } from '../../support/memory-store.js';
import { devOf, value } from '../dev/support.js';
import { send, simulate, type SimulatedNode, type Simulation } from '../simulated-node.js';
import { reopenable } from '../../support/reopenable.js';

const RULES = {
  retained: { blocks: 30n, seconds: undefined } satisfies DaemonOptions['retained'],
  pruning: { strategy: 'custom', keepRecent: 20n, interval: 10n } satisfies DaemonOptions['pruning'],
  anchorBlocks: 24,
};
/** Longer than all steps of one pruning, in milliseconds. */
const PAUSES_MS = 20_000;
const SLICE = { offset: 0, limit: 100, descending: false };
const EVERYTHING = { start: Uint8Array.of(0), end: Uint8Array.of(255, 255, 255), limit: 100_000 };

/** The database of a disk, packed as on one. */
const opened = (disk: MemoryStore): KeyValueStore => reopenable(withRowChecksums(disk));

function started(store: KeyValueStore, rules: Partial<Simulation> = RULES): Promise<SimulatedNode> {
  return simulate({ store, crypto, ...rules });
}

function verified(store: KeyValueStore): ReturnType<typeof verifyDatabase> {
  const now = toTimeNs(0n);
  return verifyDatabase({ store, crypto, witnessed: undefined, target: new MemoryStore(), now });
}

/** Makes blocks up to a height, and waits until pruning has finished. */
async function grow(simulated: SimulatedNode, to: bigint): Promise<void> {
  const { chain } = simulated.node.api.queries;
  for (let height = chain.head().height + 1n; height <= to; height += 1n) {
    if (height % 9n === 0n) await simulated.node.api.commands.broadcastTx(send(0, 2, 5n, height / 9n - 1n));
    await simulated.mineTo(height);
    if (height % 8n === 0n) await simulated.time.advance(PAUSES_MS);
  }
}

/** Answers of faces about a block and the state after it. */
async function answersAt({ node }: SimulatedNode, height: bigint): Promise<unknown> {
  const { chain, app } = node.api.queries;
  const at = toHeight(height);
  const [tx] = chain.block(at)?.block.data?.txs ?? [];
  return {
    block: chain.block(at),
    results: chain.results(at)?.bytes,
    touched: chain.touched(at),
    commit: chain.commit(at),
    validators: chain.validators(at),
    params: chain.consensusParams(at),
    byHash: chain.heightByHash(chain.block(at)?.blockId.hash ?? new Uint8Array()),
    tx: tx && chain.tx(crypto.sha256(tx)),
    ethereum: node.ethereum?.api.block(at),
    supply: await app.query('/cosmos.bank.v1beta1.Query/TotalSupply', new Uint8Array(), at),
    searched: [
      await chain.searchTxs(`tx.height = ${height}`, SLICE),
      await chain.searchBlocks(`mint.amount EXISTS AND block.height = ${height}`, SLICE),
    ],
  };
}

test('a node that prunes its log repeatedly answers for kept blocks like a node that keeps all', async () => {
  const [disk, whole] = [new MemoryStore(), new MemoryStore()];
  const first = await started(opened(disk));
  await grow(first, 8n);
  const { instanceId } = devOf(first).facts();
  await grow(first, 60n);
  expect(first.errors).toEqual([]);
  const kept = [first.node.eventLog.keptFrom()];
  await first.node.stop();
  expect((await verified(opened(disk))).problems).toEqual([]);

  // A second life goes on; a node that keeps all makes the same blocks.
  const second = await started(opened(disk));
  await grow(second, 150n);
  const other = await started(opened(whole), {});
  await grow(other, 60n);
  await other.node.stop();
  const others = await started(opened(whole), {});
  await grow(others, 150n);
  const { eventLog, api } = second.node;
  kept.push(eventLog.keptFrom());
  expect(kept[0]).toBeLessThan(kept[1] ?? 0n);
  expect(devOf(second).facts().instanceId).toEqual(instanceId);
  const { lowest } = blocksFloor(opened(disk));
  const restored = eventLog.restored()?.event.data.height ?? 0n;
  expect([lowest, api.queries.chain.earliestHeight(), restored > 60n, restored < lowest]).toEqual([
    96n,
    96n,
    true,
    true,
  ]);
  for (let height = 130n; height <= 150n; height += 1n)
    expect(await answersAt(second, height), `height ${height}`).toEqual(await answersAt(others, height));
  for (let height: bigint = lowest; height < 130n; height += 7n) {
    const [block, wanted] = [second, others].map(({ node }) => node.api.queries.chain.block(toHeight(height)));
    expect(block).toEqual(wanted);
  }
  expect(api.queries.chain.block(toHeight(lowest - 1n))).toBeUndefined();
  expect([second.errors, others.errors]).toEqual([[], []]);
  for (const { node } of [second, others]) await node.stop();

  const report = await verified(opened(disk));
  expect(report).toMatchObject({ problems: [], logFrom: restored + 1n });
  const store = opened(disk);
  const third = await started(store, {});
  expect(devOf(third).facts().instanceId).toEqual(instanceId);
  const { before } = blocksFloor(store);
  const again = await reExecute(third.node.eventLog.read({ from: toPosition(1n) }), crypto, 0, before);
  expect([again.blocks, again.disagreements]).toEqual([Number(150n - restored), []]);
  await third.mineTo(152n);
  await third.node.stop();
  expect((await verified(opened(disk))).problems).toEqual([]);
}, 120_000);

test('a crash at any commit leaves a home that opens, verifies and continues pruning the log', async () => {
  let crashes = 0;
  let anchors = 0;
  for (let seed = 1; seed <= 4; seed += 1) {
    const store = new FaultyStore({ seed, commitFails: 0.016 });
    const disk = reopenable(withRowChecksums(store));
    let simulated: SimulatedNode | undefined;
    try {
      simulated = await started(disk);
      await grow(simulated, 110n);
    } catch {
      crashes += 1;
    }
    await simulated?.node.stop();
    const image = new MemoryStore();
    const rows = await (await store.crashImage()).range(EVERYTHING);
    await image.commit(rows.map((row): StoreOperation => ({ type: 'put', ...row })));
    expect((await verified(opened(image))).problems, `seed ${seed}`).toEqual([]);
    const again = await started(opened(image));
    await grow(again, again.node.api.queries.chain.head().height + 110n);
    expect(again.errors, `seed ${seed}`).toEqual([]);
    if (again.node.eventLog.keptFrom() > 1n) anchors += 1;
    await again.node.stop();
    expect((await verified(opened(image))).problems, `seed ${seed}`).toEqual([]);
  }
  expect([crashes > 1, anchors > 1]).toEqual([true, true]);
}, 120_000);

test('the log stays unpruned after a revert below the next anchor', async () => {
  const disk = new MemoryStore();
  const simulated = await started(opened(disk), { ...RULES, retained: { blocks: 90n, seconds: undefined } });
  const dev = devOf(simulated);
  await value(dev.mine(20, undefined));
  await value(dev.snapshot());
  await grow(simulated, 40n);
  expect(await value(dev.revert(1n))).toBe(true);
  await grow(simulated, 150n);
  expect([simulated.errors, simulated.node.eventLog.keptFrom()]).toEqual([[], 1n]);
  await simulated.node.stop();
  expect((await verified(opened(disk))).problems).toEqual([]);
}, 60_000);

test('a rollback below the next anchor discards that anchor', async () => {
  const disk = new MemoryStore();
  const simulated = await started(opened(disk), { ...RULES, retained: { blocks: 90n, seconds: undefined } });
  await grow(simulated, 40n);
  const waiting = opened(disk).get(nextAnchorKey());
  expect(waiting).toBeDefined();
  await value(devOf(simulated).rollbackTo(toHeight(20n)));
  await grow(simulated, 60n);
  expect(opened(disk).get(nextAnchorKey())).not.toEqual(waiting);
  expect(simulated.errors).toEqual([]);
  await simulated.node.stop();
  expect((await verified(opened(disk))).problems).toEqual([]);
}, 60_000);

test('a node that keeps all states prunes no records of the log', async () => {
  const disk = new MemoryStore();
  const { retained, anchorBlocks } = RULES;
  const simulated = await started(opened(disk), { retained, anchorBlocks });
  await grow(simulated, 110n);
  expect(blocksFloor(opened(disk)).lowest).toBeGreaterThan(24n);
  expect([simulated.errors, simulated.node.eventLog.keptFrom()]).toEqual([[], 1n]);
  await simulated.node.stop();
}, 60_000);
