/** A command that mines many blocks: the executor makes the empty ones between the first and the last in runs. */
import { expect, it } from 'vitest';
import { toHeight, toPosition, toTimeNs, type Height, type TimeNs } from '../../../src/core/primitives.js';
import { create } from '@bufbuild/protobuf';
import type { ChainState } from '../../../src/core/chain/chain-state.js';
import { CommitSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { BlockRuns } from '../../../src/runtime/chain/block-runs.js';
import { endsRun } from '../../../src/runtime/executor/block-run.js';
import { send, simulate, type SimulatedNode } from '../simulated-node.js';
import { admit, blockAt, devOf, head, judge, secondOf, value } from './support.js';
import { BLOCKS, RUN, watched } from './watched-runs.js';
import { reopenable } from '../../support/reopenable.js';

const unused = (): never => {
  throw new Error('no block is written');
};

const traceTypes = async ({ node }: SimulatedNode): Promise<readonly string[]> => {
  const traces: string[] = [];
  for await (const events of node.eventLog.read({ from: toPosition(1n) }))
    for (const { event } of events)
      if (event.type === 'BlockDecided' && event.v === 3)
        traces.push(event.data.trace.map(({ type }) => type).join(' '));
  return traces;
};

it('blocks between the first and the last are made in runs, and equal blocks made one by one', async () => {
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

it('the executor thread returns each block of a run completely', async () => {
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

it('consumers are shown each block of a run, in order', async () => {
  const { simulated } = await watched(() => undefined);
  const heights: bigint[] = [];
  simulated.node.activity.subscribe((message) => {
    if (message.type === 'executed') heights.push(message.data.height);
  });
  await value(devOf(simulated).mine(BLOCKS, undefined));
  expect(heights).toEqual(Array.from({ length: BLOCKS }, (_, index) => BigInt(index + 1)));
  await simulated.node.stop();
});

it('blocks with set timestamps are made one by one', async () => {
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

it('a transaction sent during a run is in one block, after which runs continue', async () => {
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

it('a chain mined in runs reverts and continues on another branch', async () => {
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

it('a run ends at a checkpoint height, and one block before an upgrade height', () => {
  expect(endsRun(toHeight(999n), undefined)).toBe(false);
  expect(endsRun(toHeight(1_000n), undefined)).toBe(true);
  expect(endsRun(toHeight(7n), toHeight(9n))).toBe(false);
  expect(endsRun(toHeight(8n), toHeight(9n))).toBe(true);
});

it('runs stop at checkpoints, upgrades and pending work, and need a single validator whose key is known', async () => {
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
