/** The app hashes that a rebuild of the trees compares, over the log of a simulated node. */
import { fromBinary } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import type { LogEvent } from '../../../src/core/log-events.js';
import { toHeight, toPosition } from '../../../src/core/primitives.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import { rebuildTrees, ReplayMismatch } from '../../../src/runtime/chain/rebuild-trees.js';
import { crypto } from '../../core/app/support.js';
import { simulate } from '../../node/simulated-node.js';
import { MemoryStore } from '../../support/memory-store.js';

it.each([2, 4] as const)('an app hash that an engine outside was told is compared, in version %i', async (v) => {
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
  /** Rebuilds from a log whose block 3 was told this hash. */
  const rebuilt = (told: Uint8Array): Promise<Uint8Array> => {
    const changed = (event: LogEvent): LogEvent =>
      event.type === 'BlockExecuted' && event.data.height === 3n
        ? { ...event, v, data: { ...event.data, appHash: told } }
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
