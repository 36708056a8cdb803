/** Pruning of blocks of a running node: answers for kept blocks stay the same, and the log still verifies. */
import { expect, test } from 'vitest';
import type { DaemonOptions } from '../../../src/config/daemon-options.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { deriveDatabase, wholeLogOf } from '../../../src/runtime/rebuild/derive-database.js';
import { readHostRows } from '../../../src/runtime/rebuild/host-rows.js';
import { reExecute } from '../../../src/runtime/re-execution/re-execute-log.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { blocksFloor } from '../../../src/store/log/blocks-floor.js';
import { SECTION } from '../../../src/store/codec/sections.js';
import { recordBound } from '../../../src/store/keys.js';
import { crypto } from '../../core/app/support.js';
import { FaultyStore } from '../../support/faulty-store.js';
import { MemoryStore } from '../../support/memory-store.js';
import { devOf, value } from '../dev/support.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';
import { reopenable } from '../../support/reopenable.js';

const KEPT: DaemonOptions['retained'] = { blocks: 30n, seconds: undefined };
/** Longer than all steps of one pruning, in milliseconds. */
const PAUSES_MS = 10_000;
const SLICE = { offset: 0, limit: 100, descending: false };

function verified(store: KeyValueStore): ReturnType<typeof verifyDatabase> {
  const now = toTimeNs(0n);
  return verifyDatabase({ store, crypto, witnessed: undefined, target: new MemoryStore(), now });
}

/** Answers of faces about a block and the state after it. */
async function answersAt({ node }: SimulatedNode, height: bigint): Promise<unknown> {
  const { chain, app } = node.api.queries;
  const at = toHeight(height);
  const [tx] = chain.block(at)?.block.data?.txs ?? [];
  const place = tx && chain.tx(crypto.sha256(tx));
  return {
    block: chain.block(at),
    results: chain.results(at)?.bytes,
    touched: chain.touched(at),
    commit: chain.commit(at),
    validators: chain.validators(at),
    byHash: chain.heightByHash(chain.block(at)?.blockId.hash ?? new Uint8Array()),
    place,
    ethereum: node.ethereum?.api.block(at),
    supply: await app.query('/cosmos.bank.v1beta1.Query/TotalSupply', new Uint8Array(), at),
    searched: [
      await chain.searchTxs(`tx.height = ${height}`, SLICE),
      await chain.searchBlocks(`block.height = ${height}`, SLICE),
      await chain.searchBlocks(`mint.amount EXISTS AND block.height = ${height}`, SLICE),
    ],
  };
}

async function chainOf(store: KeyValueStore, blocks: bigint): Promise<SimulatedNode> {
  const simulated = await simulate({ store });
  for (let sequence = 0n; sequence < 6n; sequence += 1n) {
    await simulated.node.api.commands.broadcastTx(send(0, 2, 5n, sequence));
    await simulated.mineTo(((sequence + 1n) * blocks) / 6n);
  }
  await simulated.time.advance(PAUSES_MS);
  return simulated;
}

const HEAD = 70n;
const LOWEST = 32n;
const heights = Array.from({ length: Number(HEAD - LOWEST + 1n) }, (_, at) => LOWEST + BigInt(at));

test('a node keeps the configured blocks and gives the same answers for them as before pruning', async () => {
  const store = reopenable();
  const whole = await chainOf(store, HEAD);
  const before = await Promise.all(heights.map((height) => answersAt(whole, height)));
  const state = await whole.node.api.queries.app.query(
    '/cosmos.bank.v1beta1.Query/TotalSupply',
    new Uint8Array(),
    toHeight(20n),
  );
  const gone = whole.node.api.queries.chain.block(toHeight(12n));
  await whole.node.stop();
  const rows = async (): Promise<number> => (await verified(store)).rows;
  const rowsBefore = await rows();

  const simulated = await simulate({ store, retained: KEPT });
  const { queries } = simulated.node.api;
  const { chain } = queries;
  await simulated.time.advance(PAUSES_MS);
  expect(blocksFloor(store)).toMatchObject({ lowest: LOWEST, cleared: LOWEST });
  expect([chain.earliestHeight(), simulated.node.ethereum?.api.earliestBlock()]).toEqual([LOWEST, LOWEST]);
  expect(await Promise.all(heights.map((height) => answersAt(simulated, height)))).toEqual(before);
  for (const height of [1n, 12n, LOWEST - 1n]) {
    const at = toHeight(height);
    expect([chain.block(at), chain.results(at), chain.commit(at), chain.touched(at)]).toEqual([
      undefined,
      undefined,
      undefined,
      [],
    ]);
    expect(simulated.node.ethereum?.api.block(at)).toBeUndefined();
  }
  const [tx] = gone?.block.data?.txs ?? [];
  expect(tx).toBeDefined();
  expect(chain.tx(crypto.sha256(tx ?? new Uint8Array()))).toBeUndefined();
  expect(chain.heightByHash(gone?.blockId.hash ?? new Uint8Array())).toBeUndefined();
  expect(await chain.searchBlocks('block.height > 0', { ...SLICE, limit: 1 })).toMatchObject({
    value: { total: Number(HEAD - LOWEST + 1n), items: [LOWEST] },
  });
  // States may be kept longer than their blocks.
  expect(await queries.app.query('/cosmos.bank.v1beta1.Query/TotalSupply', new Uint8Array(), toHeight(20n))).toEqual(
    state,
  );

  await simulated.mineTo(HEAD + 20n);
  await simulated.time.advance(PAUSES_MS);
  expect(chain.earliestHeight()).toBe(LOWEST);
  await simulated.mineTo(96n);
  await simulated.time.advance(PAUSES_MS);
  expect(chain.earliestHeight()).toBe(64n);
  expect(simulated.errors).toEqual([]);
  const { before: pruned } = blocksFloor(store);
  const again = await reExecute(simulated.node.eventLog.read({ from: toPosition(1n) }), crypto, 0, pruned);
  expect([again.blocks, again.disagreements]).toEqual([96, []]);
  await simulated.node.stop();

  const { problems, blocksFrom } = await verified(store);
  expect([problems, blocksFrom]).toEqual([[], 64n]);
  expect(await rows()).toBeLessThan(rowsBefore);
  const sections = await store.range({ start: recordBound(2n), end: recordBound(pruned), limit: 10_000 });
  expect(new Set(sections.map(({ key }) => key[9]))).toEqual(
    new Set([0, SECTION.transactions, SECTION.writes, SECTION.other]),
  );
  const rebuilt = reopenable();
  const host = readHostRows(store, toTimeNs(0n));
  await deriveDatabase({
    log: await wholeLogOf({ store, crypto, witnessed: undefined }),
    host,
    target: rebuilt,
    crypto,
  });
  expect((await verified(rebuilt)).problems).toEqual([]);
  const last = await simulate({ store: rebuilt, retained: KEPT });
  await last.mineTo(98n);
  expect([last.node.api.queries.chain.earliestHeight(), last.errors]).toEqual([64n, []]);
  await last.node.stop();
});

test('a missing section is reported as damage in a kept block, not in a pruned one', async () => {
  const store = reopenable();
  await (await chainOf(store, HEAD)).node.stop();
  const simulated = await simulate({ store, retained: KEPT });
  await simulated.time.advance(PAUSES_MS);
  const place = simulated.node.eventLog.recordOf(toHeight(LOWEST))?.executed?.record;
  await simulated.node.stop();
  const key = new Uint8Array(10);
  key[0] = 2;
  new DataView(key.buffer).setBigUint64(1, place ?? 0n);
  key[9] = 3;
  await store.commit([{ type: 'delete', key }], { sync: true });
  expect((await verified(store)).problems).toMatchObject([
    { problem: expect.stringContaining('section results is missing'), position: place },
  ]);
});

test('blocks are also kept by age, and a revert reaches the kept blocks only', async () => {
  const store = reopenable();
  const simulated = await simulate({ store, retained: { blocks: 2n, seconds: 45n } });
  const dev = devOf(simulated);
  await value(dev.mine(20, undefined));
  await value(dev.snapshot());
  await value(dev.mine(20, undefined));
  await value(dev.increaseTime(100n));
  await value(dev.mine(40, undefined));
  await value(dev.snapshot());
  await value(dev.mine(16, undefined));
  await simulated.time.advance(PAUSES_MS);
  const { chain } = simulated.node.api.queries;
  // The last two blocks would begin at height 95; those of the last 45 seconds begin above height 40.
  expect(chain.head().height).toBe(96n);
  expect(chain.earliestHeight()).toBe(32n);
  expect(await dev.revert(1n)).toMatchObject({ ok: false, error: { code: 'height-pruned', height: 20n, lowest: 32n } });
  expect(await value(dev.revert(2n))).toBe(true);
  await value(dev.mine(30, undefined));
  await simulated.time.advance(PAUSES_MS);
  expect(simulated.errors).toEqual([]);
  await simulated.node.stop();
  expect((await verified(store)).problems).toEqual([]);
});

test('a crash at any commit of a node that prunes blocks leaves a home that opens, verifies and continues', async () => {
  let crashes = 0;
  for (let seed = 1; seed <= 4; seed += 1) {
    const store = new FaultyStore({ seed, commitFails: 0.013 });
    let simulated: SimulatedNode | undefined;
    try {
      simulated = await simulate({ store, retained: KEPT });
      for (let height = 32n; height <= 96n; height += 32n) {
        await simulated.mineTo(height);
        await simulated.time.advance(PAUSES_MS);
      }
    } catch {
      crashes += 1;
    }
    await simulated?.node.stop();
    const image = reopenable(await store.crashImage());
    expect((await verified(image)).problems, `seed ${seed}`).toEqual([]);
    const again = await simulate({ store: image, retained: KEPT });
    const head = again.node.api.queries.chain.head().height;
    await again.mineTo(toHeight(head + 32n - (head % 32n)));
    await again.time.advance(PAUSES_MS);
    const { lowest, cleared } = blocksFloor(image);
    expect([lowest, again.errors], `seed ${seed}`).toEqual([cleared, []]);
    await again.node.stop();
    expect((await verified(image)).problems, `seed ${seed}`).toEqual([]);
  }
  expect(crashes).toBeGreaterThan(1);
}, 120_000);
