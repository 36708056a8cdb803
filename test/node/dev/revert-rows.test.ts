/** Limits of one revert, and the rows that it removes. */
import { expect, it } from 'vitest';
import { invariant } from '../../../src/core/errors.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight } from '../../../src/core/primitives.js';
import { revertRows, type RevertRowsOptions } from '../../../src/runtime/chain/revert-rows.js';
import { checkpointBytes, checkpointRows, readCheckpoint } from '../../../src/store/checkpoints/checkpoints.js';
import { indexedThrough } from '../../../src/store/index-rows/index-rows.js';
import { pruneState } from '../../../src/store/state/prune.js';
import { crypto } from '../../core/app/support.js';
import { simulate, type SimulatedNode } from '../simulated-node.js';
import { devOf, firing, head, judge, value } from './support.js';
import { WHOLE } from '../../support/whole-search.js';
import { reopenable } from '../../support/reopenable.js';

const store = reopenable();

async function tenBlocks(): Promise<SimulatedNode> {
  const simulated = await simulate({ store });
  await value(devOf(simulated).mine(4, undefined));
  await value(devOf(simulated).snapshot());
  await value(devOf(simulated).mine(6, undefined));
  return simulated;
}

function optionsOf({ node }: SimulatedNode, change: Partial<RevertRowsOptions>): RevertRowsOptions {
  return {
    store,
    crypto,
    history: node.chain.history,
    head: toHeight(10n),
    to: toHeight(4n),
    lowest: toHeight(0n),
    block: (height) => node.api.queries.chain.block(height),
    results: (height) => node.api.queries.chain.results(height),
    limits: DEFAULT_LIMITS,
    pause: () => Promise.resolve(),
    ...change,
  };
}

it('a revert is refused above its limits and below pruned states, and removes all rows of abandoned heights', async () => {
  const simulated = await tenBlocks();
  const limits = (devRevertBlocks: number, devRevertRows: number) => ({ limits: { devRevertBlocks, devRevertRows } });
  expect(await revertRows(optionsOf(simulated, limits(5, 100_000)))).toEqual({
    ok: false,
    error: { code: 'limit-exceeded', limit: 'devRevertBlocks', maximum: 5 },
  });
  expect(await revertRows(optionsOf(simulated, limits(6, 8)))).toEqual({
    ok: false,
    error: { code: 'limit-exceeded', limit: 'devRevertRows', maximum: 8 },
  });
  const made = await value(revertRows(optionsOf(simulated, limits(6, 100_000))));
  // These blocks have no transactions: all of their rows are counted, and no more.
  const most = [...made].length;
  expect(await revertRows(optionsOf(simulated, limits(6, most)))).toMatchObject({ ok: true });
  expect(await revertRows(optionsOf(simulated, limits(6, most - 1)))).toMatchObject({ ok: false });

  // A set of validators and a checkpoint of abandoned heights.
  const { history } = simulated.node.chain;
  const set = history.validators(toHeight(9n));
  invariant(set !== undefined, 'the validators of a height are known');
  const changed = history.validatorRows(toHeight(9n), set, true);
  await store.commit(changed, { sync: false });
  history.published(changed);
  await store.commit(checkpointRows(store, { height: toHeight(7n), bytes: new Uint8Array(600_000) }), { sync: false });
  expect(checkpointBytes(store)).toBe(600_000);
  expect(await value(devOf(simulated).revert(1n))).toBe(true);
  expect([readCheckpoint(store), checkpointBytes(store)]).toEqual([undefined, 0]);
  expect(changed.map(({ key }) => store.get(key))).toEqual([undefined]);
  const leftovers = await store.range({ start: Uint8Array.of(0x50), end: Uint8Array.of(0x51), limit: 10 });
  expect(leftovers).toEqual([]);

  await value(devOf(simulated).snapshot());
  await value(devOf(simulated).mine(4, undefined));
  await pruneState(store, { first: toHeight(0n), floor: toHeight(6n), rows: 100 });
  expect(await devOf(simulated).revert(2n)).toEqual({
    ok: false,
    error: { code: 'state-pruned', height: 4n, lowest: 6n },
  });
  await value(devOf(simulated).mine(1, undefined));
  expect(head(simulated).height).toBe(9n);
  expect(simulated.errors).toEqual([]);
  await simulated.node.stop();
});

it('a revert over most of a chain keeps the rows of the remaining blocks and rebuilds the index', async () => {
  const home = reopenable();
  const simulated = await simulate({ store: home });
  const dev = devOf(simulated);
  await value(dev.mine(4, undefined));
  await value(dev.snapshot());
  await firing(simulated, dev.mine(Number(FIXED_LIMITS.indexRevertBlocks) + 8, undefined));
  const { chain } = simulated.node.api.queries;
  await chain.searchBlocks('block.height = 1', WHOLE);
  expect(indexedThrough(home)).toBeGreaterThan(FIXED_LIMITS.indexRevertBlocks + 4n);
  let pauses = 0;
  const rows = await revertRows(
    optionsOf(simulated, {
      store: home,
      head: head(simulated).height,
      pause: async () => void (pauses += 1),
    }),
  );
  expect(rows.ok).toBe(true);
  const ofBlocks = Number(FIXED_LIMITS.indexRevertBlocks + 8n) / FIXED_LIMITS.revertBlocksPerTurn;
  expect(pauses).toBeGreaterThanOrEqual(Math.floor(ofBlocks));
  expect(await firing(simulated, dev.revert(1n))).toBe(true);
  expect(indexedThrough(home) ?? 0n).toBeLessThanOrEqual(4n);
  await value(dev.mine(40, undefined));
  const found = await chain.searchBlocks('block.height > 2 AND block.height < 40', WHOLE);
  expect(found.ok && found.value.items).toHaveLength(37);
  expect(simulated.errors).toEqual([]);
  await simulated.node.stop();
  await judge(home);
});
