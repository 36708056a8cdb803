/** A command that makes many blocks: the executor makes the empty ones between the first and the last in runs. */
import { expect, it } from 'vitest';
import { NODE_STOPPING } from '../../../src/core/errors.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight, toPosition, toTimeNs, type Height, type TimeNs } from '../../../src/core/primitives.js';
import { create } from '@bufbuild/protobuf';
import type { ChainState } from '../../../src/core/chain/chain-state.js';
import { CommitSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { BlockRuns } from '../../../src/runtime/chain/block-runs.js';
import { endsRun } from '../../../src/runtime/executor/block-run.js';
import { ExecutorLost, type Executor } from '../../../src/runtime/executor/executor.js';
import type { MadeBlock } from '../../../src/runtime/executor/protocol.js';
import { heightKey } from '../../../src/store/keys.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';
import { admit, blockAt, devOf, head, judge, reopenable, secondOf, value } from './support.js';

const RUN = FIXED_LIMITS.blocksOfRun;
/** A first and a last block, two whole runs and a part of one. */
const BLOCKS = 2 + 2 * RUN + 3;

const unused = (): never => {
  throw new Error('no block is written');
};

interface Watched {
  /** Blocks of each run that the executor was asked for. */
  readonly asked: number[];
  /** What it answered, in order. */
  readonly made: (readonly MadeBlock[])[];
  /** Heights that were executed as single blocks. */
  readonly single: Height[];
}

/** A node whose executor is watched; `during` is called before each run, with its number, and may throw instead. */
async function watched(during: (run: number, node: SimulatedNode) => Promise<void> | undefined) {
  const seen: Watched = { asked: [], made: [], single: [] };
  const store = reopenable();
  let simulated: SimulatedNode | undefined;
  const wrap = (executor: Executor): Executor => ({
    ...executor,
    execute(request) {
      seen.single.push(request.height);
      return executor.execute(request);
    },
    async run(request) {
      seen.asked.push(request.blocks);
      if (simulated !== undefined) await during(seen.asked.length, simulated);
      const made = await executor.run(request);
      seen.made.push(made);
      return made;
    },
  });
  simulated = await simulate({ store, wrap });
  return { simulated, seen, store };
}

const traceTypes = async ({ node }: SimulatedNode): Promise<readonly string[]> => {
  const traces: string[] = [];
  for await (const events of node.eventLog.read({ from: toPosition(1n) }))
    for (const { event } of events)
      if (event.type === 'BlockDecided' && event.v === 3)
        traces.push(event.data.trace.map(({ type }) => type).join(' '));
  return traces;
};

it('blocks between the first and the last come in runs, and are what single ones are', async () => {
  const { simulated, seen, store } = await watched(() => undefined);
  await value(devOf(simulated).mine(BLOCKS, undefined));
  expect(head(simulated).height).toBe(BigInt(BLOCKS));
  expect(seen.asked).toEqual([RUN, RUN, 3]);
  expect(seen.made.map((made) => made.length)).toEqual([RUN, RUN, 3]);
  expect(seen.single).toEqual([1n, BigInt(BLOCKS)]);
  const traces = await traceTypes(simulated);
  expect(traces).toHaveLength(BLOCKS);
  expect(new Set(traces.slice(1)).size).toBe(1);
  await simulated.node.stop();
  await judge(store);
});

it('what crosses between the threads is the block whole', async () => {
  const { simulated, seen, store } = await watched(() => undefined);
  await value(devOf(simulated).mine(2 + RUN, undefined));
  const [made] = seen.made;
  expect(made).toHaveLength(RUN);
  for (const { decision } of made ?? []) {
    const { block, blockId } = decision.block;
    expect(simulated.node.eventLog.blockAt(decision.height)?.decided.event.data.block).toEqual(decision.block.encoded);
    const stored = blockAt(simulated, decision.height);
    expect(stored?.block).toEqual(block);
    expect(stored?.blockId).toEqual(blockId);
  }
  await simulated.node.stop();
  await judge(store);
});

it('hearers are shown each block of a run, in order', async () => {
  const { simulated } = await watched(() => undefined);
  const heights: bigint[] = [];
  simulated.node.activity.subscribe((message) => {
    if (message.type === 'executed') heights.push(message.data.height);
  });
  await value(devOf(simulated).mine(BLOCKS, undefined));
  expect(heights).toEqual(Array.from({ length: BLOCKS }, (_, index) => BigInt(index + 1)));
  await simulated.node.stop();
});

it('blocks whose times are set are made one after the other', async () => {
  const { simulated, seen, store } = await watched(() => undefined);
  const dev = devOf(simulated);
  await value(dev.mine(2, undefined));
  await value(dev.mine(4, undefined, { seconds: 60n, beforeFirst: false }));
  await value(dev.setTimestampInterval(30n));
  await value(dev.mine(4, undefined));
  expect(secondOf(simulated, 6n) - secondOf(simulated, 5n)).toBe(60n);
  expect(secondOf(simulated, 10n) - secondOf(simulated, 9n)).toBe(30n);
  expect(seen.asked).toEqual([]);
  await simulated.node.stop();
  await judge(store);
});

it('a transaction that comes meanwhile is in one of the blocks, and runs go on behind it', async () => {
  let admitted: Promise<number> | undefined;
  const { simulated, seen, store } = await watched((run, node) => {
    if (run === 1) admitted = admit(node, send(0, 1, 5n, 0n));
    return undefined;
  });
  const blocks = BLOCKS + 3 * RUN;
  await value(devOf(simulated).mine(blocks, undefined));
  expect(await admitted).toBe(0);
  const holding = Array.from({ length: blocks }, (_, index) => BigInt(index + 1)).filter(
    (height) => (blockAt(simulated, height)?.block.data?.txs.length ?? 0) > 0,
  );
  expect(holding).toHaveLength(1);
  expect(seen.single).toEqual([1n, ...holding, BigInt(blocks)]);
  await simulated.node.stop();
  await judge(store);
});

it.each(['once', 'always'] as const)('an executor that is lost %s in a run loses no block', async (times) => {
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

it('blocks that were made and not answered are made again from the log', async () => {
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

it('a node that is stopped in the middle leaves a whole chain, which goes on', async () => {
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

it('a batch that fails ends the command and the node, and the log holds nothing of its blocks', async () => {
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

it('a chain that was mined in runs goes back, and on in another branch', async () => {
  const { simulated, store } = await watched(() => undefined);
  const dev = devOf(simulated);
  await value(dev.mine(3, undefined));
  const snapshot = await value(dev.snapshot());
  await value(dev.mine(2 * RUN, undefined));
  await value(dev.revert(snapshot));
  expect(head(simulated).height).toBe(3n);
  await value(dev.mine(2 * RUN, undefined));
  expect(head(simulated).height).toBe(BigInt(3 + 2 * RUN));
  await simulated.node.stop();
  await judge(store);
});

it('a run ends behind the height of a checkpoint, and before one that may halt', () => {
  expect(endsRun(toHeight(999n), undefined)).toBe(false);
  expect(endsRun(toHeight(1_000n), undefined)).toBe(true);
  expect(endsRun(toHeight(7n), toHeight(9n))).toBe(false);
  expect(endsRun(toHeight(8n), toHeight(9n))).toBe(true);
});

it('runs are asked for only up to a checkpoint, an upgrade and waiting work, of an only validator with a key', async () => {
  const simulated = await simulate({ store: reopenable() });
  await value(devOf(simulated).mine(2, undefined));
  const { state } = simulated.node.chain;
  const [validator] = state.validators.validators;
  await simulated.node.stop();
  const nothing = {
    pool: { pending: 0 },
    evidence: { isWaiting: false },
    nextTime: undefined as TimeNs | undefined,
    seed: new Uint8Array(32) as Uint8Array | undefined,
  };
  const asked = async (change: Partial<typeof nothing>, at: Partial<ChainState> = {}, upgradeHeight?: Height) => {
    const runs: number[] = [];
    const head = { ...state, lastCommit: create(CommitSchema), ...at };
    const { pool, evidence, nextTime, seed } = { ...nothing, ...change };
    const made = await new BlockRuns({
      executor: {
        run(request) {
          runs.push(request.blocks);
          return Promise.resolve([]);
        },
      },
      writer: { decidedRows: () => [], after: unused, writeNext: unused },
      ledger: { state: head, upgradeHeight },
      pool,
      evidence,
      clock: { now: () => head.time, nextTime: () => nextTime },
      seed,
      onFailure: unused,
    }).make(100, () => false);
    expect(made).toEqual({ ok: true, value: 0 });
    return runs;
  };
  expect(await asked({})).toEqual([RUN, RUN]);
  expect(await asked({}, { height: toHeight(1_000n - BigInt(RUN) - 2n) })).toEqual([RUN, 2]);
  expect(await asked({}, { height: toHeight(998n) })).toEqual([2]);
  expect(await asked({}, { height: toHeight(1_000n) })).toEqual([RUN, RUN]);
  expect(await asked({}, {}, toHeight(state.height + 1n))).toEqual([]);
  expect(await asked({}, {}, toHeight(state.height + 2n))).toEqual([RUN, RUN]);
  expect(await asked({ pool: { pending: 1 } })).toEqual([]);
  expect(await asked({ evidence: { isWaiting: true } })).toEqual([]);
  expect(await asked({ nextTime: toTimeNs(1n) })).toEqual([]);
  expect(await asked({ seed: undefined })).toEqual([]);
  expect(await asked({}, { lastCommit: undefined })).toEqual([]);
  const two = validator === undefined ? [] : [validator, validator];
  expect(await asked({}, { validators: { ...state.validators, validators: two } })).toEqual([]);
});
