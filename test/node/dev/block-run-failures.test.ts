/** Runs of blocks whose executor, node or store fails in the middle. */
import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { NODE_STOPPING } from '../../../src/core/errors.js';
import { toHeight } from '../../../src/core/primitives.js';
import { CommitSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { BlockRuns } from '../../../src/runtime/chain/block-runs.js';
import type { MadeBlock } from '../../../src/runtime/executor/protocol.js';
import { ExecutorLost } from '../../../src/runtime/executor/executor.js';
import { PoisonedError } from '../../../src/store/errors.js';
import { heightKey } from '../../../src/store/keys.js';
import { unhandledRejections } from '../../support/unhandled-rejections.js';
import { simulate } from '../simulated-node.js';
import { devOf, head, judge, value } from './support.js';
import { BLOCKS, RUN, watched } from './watched-runs.js';
import { reopenable } from '../../support/reopenable.js';

it.each(['once', 'always'] as const)('an executor lost %s during a run of blocks costs no block', async (times) => {
  let lost = 0;
  const { simulated, store } = await watched((run) => {
    if (times === 'once' && run !== 2) return undefined;
    lost += 1;
    return Promise.reject(new ExecutorLost('by the test'));
  });
  await value(devOf(simulated).mine(BLOCKS, undefined));
  expect(lost).toBeGreaterThan(0);
  expect(head(simulated).height).toBe(BigInt(BLOCKS));
  await simulated.node.stop();
  await judge(store);
});

it('blocks whose executor was lost before it answered are made again from the log', async () => {
  let lost = 0;
  const store = reopenable();
  const simulated = await simulate({
    store,
    wrap: (executor) => ({
      ...executor,
      async run(request) {
        const made = await executor.run(request);
        if (request.start !== undefined || lost > 0) return made;
        lost += 1;
        throw new ExecutorLost(`by the test, behind ${made.length} blocks`);
      },
    }),
  });
  await value(devOf(simulated).mine(BLOCKS, undefined));
  expect(lost).toBe(1);
  expect(head(simulated).height).toBe(BigInt(BLOCKS));
  await simulated.node.stop();
  await judge(store);
});

it('a node stopped between runs leaves a valid chain that continues after a restart', async () => {
  let stopping: Promise<void> | undefined;
  const { simulated, store } = await watched((run, { node }) => {
    if (run === 2) stopping ??= node.stop();
    return undefined;
  });
  const blocks = BLOCKS + 3 * RUN;
  expect(await devOf(simulated).mine(blocks, undefined)).toMatchObject({ ok: false, error: NODE_STOPPING });
  expect(stopping).toBeDefined();
  await stopping;
  await judge(store);
  const again = await simulate({ store });
  expect(again.node.chain.state.height).toBeLessThan(blocks);
  await value(devOf(again).mine(RUN, undefined));
  await again.node.stop();
  await judge(store);
});

it('a failed batch ends the command and the node, and none of its blocks is in the log', async () => {
  let left = 3;
  const [ofHeight] = heightKey(toHeight(1n));
  const store = reopenable();
  const failing = {
    ...store,
    commit: (...[operations, options]: Parameters<typeof store.commit>) => {
      const blocks = operations.filter(({ key }) => key[0] === ofHeight).length;
      if (blocks === RUN && (left -= 1) === 0) return Promise.reject(new Error('by the test'));
      return store.commit(operations, options);
    },
  };
  const simulated = await simulate({ store: failing });
  expect(await devOf(simulated).mine(2 + 6 * RUN, undefined)).toMatchObject({
    ok: false,
    error: { code: 'storage-failed' },
  });
  expect(String(await simulated.node.failed)).toContain('its outcome is unknown');
  const shown = head(simulated).height;
  await simulated.node.stop().catch(() => undefined);
  await judge(store);
  const again = await simulate({ store });
  expect(again.node.chain.state.height).toBe(shown);
  expect(shown % BigInt(RUN)).toBe(1n);
  await again.node.stop();
});

it('a block that fails while the previous one is being written causes no unhandled rejection', async () => {
  let blocks: readonly MadeBlock[] = [];
  const simulated = await simulate({
    store: reopenable(),
    wrap: (executor) => ({ ...executor, run: async (request) => (blocks = await executor.run(request)) }),
  });
  await value(devOf(simulated).mine(2 + RUN, undefined));
  const { state } = simulated.node.chain;
  await simulated.node.stop();
  expect(blocks.length).toBeGreaterThan(1);
  const begun: Promise<void>[] = [];
  const failures: unknown[] = [];
  const runs = new BlockRuns({
    executor: { run: () => Promise.resolve(blocks) },
    writer: {
      decidedRows: () => [],
      after: () => ({ before: state, provisional: state, paramsChanged: false }),
      writeNext() {
        if (begun.length > 0) throw new PoisonedError(new Error('by the test'));
        begun.push(Promise.reject(new Error('the commit failed')));
        return { state, hasHistory: false, logged: begun[0] ?? Promise.resolve() };
      },
    },
    ledger: { state: { ...state, lastCommit: create(CommitSchema) }, upgradeHeight: undefined },
    pool: { pending: 0 },
    evidence: { isWaiting: false },
    clock: { now: () => state.time, nextTime: () => undefined },
    seed: new Uint8Array(32),
    onFailure: (error) => failures.push(error),
  });
  const unhandled = await unhandledRejections(async () => {
    expect(await runs.make(RUN, () => false)).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
  });
  expect(failures).toEqual([expect.any(PoisonedError)]);
  expect(unhandled).toEqual([]);
});
