/** Pruning of states of a running node: kept states, answers about them, and crashes during pruning. */
import { expect, test } from 'vitest';
import type { DaemonOptions } from '../../../src/config/daemon-options.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { lowestHeight } from '../../../src/store/state/latest.js';
import { undoKey } from '../../../src/store/state/tables.js';
import { crypto } from '../../core/app/support.js';
import { FaultyStore } from '../../support/faulty-store.js';
import { MemoryStore } from '../../support/memory-store.js';
import { devOf, value } from '../dev/support.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';
import { reopenable } from '../../support/reopenable.js';

const PRUNED: DaemonOptions['pruning'] = { strategy: 'custom', keepRecent: 4n, interval: 10n };
const PAUSES_MS = 400;

async function problemsOf(store: KeyValueStore): Promise<readonly unknown[]> {
  const now = toTimeNs(0n);
  const verified = await verifyDatabase({ store, crypto, witnessed: undefined, target: new MemoryStore(), now });
  return verified.problems;
}

/** The values of an account and of a store at a height, and the block, as the faces read them. */
async function answersAt({ node }: SimulatedNode, height: bigint): Promise<unknown> {
  const { queries } = node.api;
  const at = toHeight(height);
  const address = new Uint8Array(20).fill(1);
  return {
    block: queries.chain.block(at),
    results: queries.chain.results(at)?.bytes,
    account: node.ethereum?.api.account(address, at),
    supply: await queries.app.query('/cosmos.bank.v1beta1.Query/TotalSupply', new Uint8Array(), at),
    subspace: await queries.abciQuery({ path: '/store/bank/subspace', data: Uint8Array.of(2), height, prove: false }),
  };
}

test('a node keeps the configured states and gives the same answers for them as before pruning', async () => {
  const store = reopenable();
  const whole = await simulate({ store });
  for (let sequence = 0n; sequence < 3n; sequence += 1n) {
    await whole.node.api.commands.broadcastTx(send(0, 2, 5n, sequence));
    await whole.mineTo(7n * (sequence + 1n));
  }
  const heights = [17n, 18n, 19n, 20n, 21n];
  const before = await Promise.all(heights.map((height) => answersAt(whole, height)));
  const blocks = [1n, 9n, 16n].map((height) => whole.node.api.queries.chain.block(toHeight(height)));
  await whole.node.stop();

  // The start prunes states that an earlier life kept.
  const simulated = await simulate({ store, pruning: PRUNED });
  const { queries } = simulated.node.api;
  const { chain } = queries;
  await simulated.time.advance(PAUSES_MS);
  expect(lowestHeight(store)).toBe(17n);
  expect(chain.earliestState()).toBe(17n);
  expect(chain.earliestHeight()).toBe(1n);
  expect(await Promise.all(heights.map((height) => answersAt(simulated, height)))).toEqual(before);
  expect([1n, 9n, 16n].map((height) => chain.block(toHeight(height)))).toEqual(blocks);
  for (let height = 0n; height <= 17n; height += 1n) expect(store.get(undoKey(toHeight(height)))).toBeUndefined();

  expect(simulated.node.ethereum?.api.account(new Uint8Array(20), toHeight(16n))).toEqual({
    ok: false,
    error: { code: 'state-pruned', height: 16n, lowest: 17n },
  });
  const refused = {
    code: 38,
    log:
      'failed to load state at height 16; version mismatch on immutable IAVL tree; version does not exist. ' +
      'Version has either been pruned, or is for a future block height (latest height: 21): not found',
  };
  for (const path of ['/store/bank/key', '/store/bank/subspace', '/cosmos.bank.v1beta1.Query/TotalSupply'])
    expect(
      await queries.abciQuery({
        path,
        data: path.startsWith('/store') ? Uint8Array.of(2) : Uint8Array.of(),
        height: 16n,
        prove: false,
      }),
    ).toMatchObject({
      ok: true,
      value: refused,
    });

  // A node that runs prunes every tenth block.
  await simulated.mineTo(29n);
  await simulated.time.advance(PAUSES_MS);
  expect(lowestHeight(store)).toBe(17n);
  await simulated.mineTo(30n);
  await simulated.time.advance(PAUSES_MS);
  expect(lowestHeight(store)).toBe(26n);
  expect(simulated.errors).toEqual([]);
  await simulated.node.stop();
  expect(await problemsOf(store)).toEqual([]);
});

test('a revert reaches kept states and is refused below the lowest one', async () => {
  const store = reopenable();
  const simulated = await simulate({ store, pruning: PRUNED });
  const dev = devOf(simulated);
  await value(dev.mine(2, undefined));
  await value(dev.snapshot());
  await value(dev.mine(15, undefined));
  await value(dev.snapshot());
  await value(dev.mine(3, undefined));
  await simulated.time.advance(PAUSES_MS);
  const lowest = lowestHeight(store);
  expect(lowest).toBe(16n);
  expect(await dev.revert(1n)).toMatchObject({ ok: false, error: { code: 'state-pruned', lowest } });
  expect(await value(dev.revert(2n))).toBe(true);
  await value(dev.mine(14, undefined));
  await simulated.time.advance(PAUSES_MS);
  expect(lowestHeight(store)).toBeGreaterThan(lowest);
  expect(simulated.errors).toEqual([]);
  await simulated.node.stop();
  expect(await problemsOf(store)).toEqual([]);
});

test('a crash at any commit of a node that prunes states leaves a home that opens, verifies and continues', async () => {
  let crashes = 0;
  for (let seed = 1; seed <= 6; seed += 1) {
    const store = new FaultyStore({ seed, commitFails: 0.08 });
    let simulated: SimulatedNode | undefined;
    try {
      simulated = await simulate({ store, pruning: PRUNED });
      for (let height = 5n; height <= 20n; height += 5n) {
        await simulated.mineTo(height);
        await simulated.time.advance(PAUSES_MS);
      }
    } catch {
      crashes += 1;
    }
    await simulated?.node.stop();
    const image = reopenable(await store.crashImage());
    const again = await simulate({ store: image, pruning: PRUNED }).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    const head = again.node.api.queries.chain.head().height;
    await again.mineTo(toHeight(head + 10n - (head % 10n)));
    await again.time.advance(PAUSES_MS);
    expect(again.node.api.queries.chain.earliestState(), `seed ${seed}`).toBe(head + 6n - (head % 10n));
    expect(again.errors, `seed ${seed}`).toEqual([]);
    await again.node.stop();
    expect(await problemsOf(image), `seed ${seed}`).toEqual([]);
  }
  expect(crashes).toBeGreaterThan(2);
}, 120_000);
