/** The app hashes that a rebuild of the trees compares, over the log of a simulated node. */
import { fromBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import type { LogEvent } from '../../../src/core/log-events.js';
import { toHeight, toPosition } from '../../../src/core/primitives.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { Checkpointer, rebuildTrees, ReplayMismatch } from '../../../src/runtime/rebuild/rebuild-trees.js';
import {
  bytesToRestore,
  checkpointHeight,
  checkpointRows,
  deleteCheckpointUpTo,
} from '../../../src/store/checkpoints/checkpoints.js';
import { crypto } from '../../core/app/support.js';
import { simulate } from '../../node/simulated-node.js';
import { unhandledRejections } from '../../support/unhandled-rejections.js';
import { MemoryStore } from '../../support/memory-store.js';

it.each([2, 4] as const)('an app hash that was given to an external engine is compared, in version %i', async (v) => {
  const simulated = await simulate({ store: new MemoryStore() });
  await simulated.mineTo(4n);
  const { node } = simulated;
  const { eventLog: log } = node;
  const promised = new Map<bigint, Uint8Array>();
  for await (const events of log.read({ from: toPosition(1n) }))
    for (const { event } of events)
      if (event.type === 'BlockDecided')
        promised.set(
          event.data.height - 1n,
          fromBinary(BlockSchema, event.data.block).header?.appHash ?? new Uint8Array(),
        );
  const after = (height: bigint): Uint8Array => promised.get(height) ?? new Uint8Array();
  /** Rebuilds from a log in which block 3 reported this hash to its engine. */
  const rebuilt = (reported: Uint8Array): Promise<Uint8Array> => {
    const changed = (event: LogEvent): LogEvent =>
      event.type === 'BlockExecuted' && event.data.height === 3n
        ? { ...event, v, data: { ...event.data, appHash: reported } }
        : event;
    return rebuildTrees({
      log: {
        async *read(options) {
          for await (const events of log.read(options))
            yield events.map((recorded) => ({ ...recorded, event: changed(recorded.event) }));
        },
        recordOf: (height) => log.recordOf(height),
        isOnBranch: (recorded) => log.isOnBranch(recorded),
        restored: () => undefined,
        keptFrom: () => toPosition(1n),
      },
      store: new MemoryStore(),
      crypto,
      executor: {
        genesis: async () => undefined,
        replay: async (height) => after(height),
        checkpoint: async () => new Uint8Array(),
        restore: async () => undefined,
      },
      genesisWrites: [],
      through: toHeight(3n),
      checkpoint: undefined,
    });
  };
  expect(await rebuilt(after(3n))).toEqual(after(3n));
  await expect(rebuilt(after(3n).map((byte) => byte ^ 1))).rejects.toBeInstanceOf(ReplayMismatch);
  await node.stop();
});

describe('a checkpoint of the trees', () => {
  const ROW = 256 * 1024;
  /** The heights of the requested checkpoints, and the height of the one in the store at the end. */
  async function checkpoints(follow: (checkpointer: Checkpointer) => void, bytes = 1): Promise<readonly bigint[]> {
    const asked: bigint[] = [];
    const store = new MemoryStore();
    await store.commit(checkpointRows(store, { height: toHeight(1n), bytes: new Uint8Array(bytes) }));
    const checkpointer = new Checkpointer(store, {
      checkpoint: async (height) => {
        asked.push(height);
        return new Uint8Array(1);
      },
    });
    follow(checkpointer);
    await checkpointer.idle();
    return [...asked, checkpointHeight(store) ?? 0n];
  }

  it('is written before the writes since the last one take too long to apply at a start', async () => {
    const { checkpointWrites } = FIXED_LIMITS;
    expect(await checkpoints((checkpointer) => checkpointer.follow(toHeight(2n), checkpointWrites - 1))).toEqual([1n]);
    const twice = await checkpoints((checkpointer) => {
      checkpointer.follow(toHeight(2n), checkpointWrites - 1);
      checkpointer.follow(toHeight(3n), 1);
      checkpointer.follow(toHeight(4n), checkpointWrites - 1);
      checkpointer.follow(toHeight(1_000n), 0);
      checkpointer.follow(toHeight(1_001n), checkpointWrites - 1);
    });
    expect(twice).toEqual([3n, 1_000n, 1_000n]);
  });

  it('is skipped when its executor is lost during the previous one, without an unhandled rejection', async () => {
    let answer: (bytes: Uint8Array) => void = () => undefined;
    const store = new MemoryStore();
    const checkpointer = new Checkpointer(store, {
      checkpoint: (height) =>
        height === 1_000n ? new Promise((resolve) => (answer = resolve)) : Promise.reject(new Error('lost')),
    });
    const unhandled = await unhandledRejections(async () => {
      checkpointer.follow(toHeight(1_000n), 0);
      checkpointer.follow(toHeight(2_000n), 0);
      await new Promise((resolve) => setImmediate(resolve));
      answer(new Uint8Array(1));
      await checkpointer.idle();
    });
    expect([unhandled, checkpointHeight(store)]).toEqual([[], 1_000n]);
  });

  it('is written after more writes when the previous one was larger', async () => {
    const { checkpointWrites, checkpointWriteBytes } = FIXED_LIMITS;
    const rows = Math.ceil((checkpointWrites * 2 * checkpointWriteBytes) / ROW);
    const most = (rows * ROW) / checkpointWriteBytes;
    const of = (writes: number): Promise<readonly bigint[]> =>
      checkpoints((checkpointer) => checkpointer.follow(toHeight(2n), writes), rows * ROW);
    expect(await of(most - 1)).toEqual([1n]);
    expect(await of(most)).toEqual([2n, 2n]);
  });

  it.each([3, 2, 1, 0])('is not mixed with another one of %i rows that replaces it between two reads', async (rows) => {
    const [first, second] = [toHeight(1n), toHeight(2n)];
    const PLACE = { record: toPosition(1n), position: toPosition(1n) };
    for (let reads = 1, isReplaced = true; isReplaced; reads += 1) {
      const store = new MemoryStore();
      await store.commit(checkpointRows(store, { height: first, bytes: new Uint8Array(2 * ROW).fill(1) }));
      let left = reads;
      const read = (key: Uint8Array): Uint8Array | undefined => {
        const row = store.get(key);
        left -= 1;
        if (left === 0) {
          const other = { height: second, bytes: new Uint8Array(rows * ROW).fill(2) };
          void store.commit(rows === 0 ? deleteCheckpointUpTo(store, first) : checkpointRows(store, other));
        }
        return row;
      };
      const restored: bigint[] = [];
      await rebuildTrees({
        log: {
          async *read() {
            yield [];
          },
          recordOf: () => ({ decided: PLACE, executed: PLACE }),
          isOnBranch: () => true,
          restored: () => undefined,
          keptFrom: () => toPosition(1n),
        },
        store: { get: read, commit: (operations) => store.commit(operations) },
        crypto,
        executor: {
          genesis: async () => void restored.push(0n),
          replay: async () => new Uint8Array(),
          checkpoint: async () => undefined,
          async restore(from) {
            const bytes = bytesToRestore({ get: read }, from);
            if (typeof from !== 'bigint' || bytes === undefined) return undefined;
            const isWhole = bytes.length === (from === first ? 2 : rows) * ROW;
            expect(isWhole && bytes.every((byte) => BigInt(byte) === from), `height ${from}, read ${reads}`).toBe(true);
            restored.push(from);
            return bytes;
          },
        },
        genesisWrites: [],
        through: second,
        checkpoint: undefined,
      });
      isReplaced = left <= 0;
      expect([first, isReplaced && rows > 0 ? second : 0n, first]).toContain(restored[0]);
      expect(restored, `read ${reads}`).toHaveLength(1);
    }
  });
});
