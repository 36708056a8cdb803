/** A node behind a consensus engine prunes the log below its anchors: the engine continues, and the log verifies. */
import { expect, test } from 'vitest';
import type { AbciBlock } from '../../../src/core/abci/abci-application.js';
import { validatorSetHash } from '../../../src/core/comet/validator-set.js';
import type { Recorded, SnapshotRestoredV1 } from '../../../src/core/log-events.js';
import { toHeight, toPosition, toTimeNs } from '../../../src/core/primitives.js';
import { reExecute } from '../../../src/runtime/re-execution/re-execute-log.js';
import { verifyDatabase } from '../../../src/runtime/rebuild/verify-database.js';
import { blocksFloor } from '../../../src/store/log/blocks-floor.js';
import { withRowChecksums } from '../../../src/store/leveldb/checked-store.js';
import { crypto } from '../../core/app/support.js';
import { MemoryStore } from '../../support/memory-store.js';
import { send } from '../simulated-node.js';
import { block, started } from './engine-node.js';
import { reopenable } from '../../support/reopenable.js';

const RULES = {
  crypto,
  retained: { blocks: 30n, seconds: undefined },
  pruning: { strategy: 'custom', keepRecent: 20n, interval: 10n },
  anchorBlocks: 24,
} as const;
/** Longer than all steps of one pruning, in milliseconds. */
const PAUSES_MS = 20_000;

type Simulated = Awaited<ReturnType<typeof started>>;
const start = (disk: MemoryStore): Promise<Simulated> => started(reopenable(withRowChecksums(disk)), RULES);

/** A block as CometBFT decides it: the header has the hash of the validators that the application gave. */
function decided(simulated: Simulated, height: bigint): AbciBlock {
  const txs = height % 9n === 0n ? [send(0, 2, 5n, height / 9n - 1n)] : [];
  const next = simulated.node.api.queries.chain.validators(toHeight(height)) ?? { validators: [] };
  return { ...block(simulated, height, txs), nextValidatorsHash: validatorSetHash(crypto, next) };
}

/** Makes blocks, and waits until pruning has finished. */
async function grow(simulated: Simulated, from: bigint, to: bigint): Promise<void> {
  for (let height = from; height <= to; height += 1n) {
    await simulated.engine.finalizeBlock(decided(simulated, height));
    await simulated.engine.commit();
    if (height % 8n === 0n) await simulated.time.advance(PAUSES_MS);
  }
}

const verified = (disk: MemoryStore): ReturnType<typeof verifyDatabase> =>
  verifyDatabase({
    store: reopenable(withRowChecksums(disk)),
    crypto,
    witnessed: undefined,
    target: new MemoryStore(),
    now: toTimeNs(0n),
  });

/** The records of the log, with wrong data in the anchor. */
async function* anchoredWith(
  records: AsyncIterable<readonly Recorded[]>,
  lie: Partial<SnapshotRestoredV1['data']>,
): AsyncGenerator<readonly Recorded[]> {
  const changed = (recorded: Recorded): Recorded => {
    const { event } = recorded;
    const isAnchor = event.type === 'SnapshotRestored' && event.v === 1;
    return isAnchor ? { ...recorded, event: { ...event, data: { ...event.data, ...lie } } } : recorded;
  };
  for await (const events of records) yield events.map(changed);
}

test('a node behind CometBFT prunes its log; after a restart the engine resumes at the same block', async () => {
  const disk = new MemoryStore();
  const first = await start(disk);
  await grow(first, 1n, 75n);
  const { appHash } = first.node.api.queries.chain.head();
  const finalized = await first.engine.finalizeBlock(decided(first, 76n));
  expect([first.errors, first.node.eventLog.keptFrom() > 1n]).toEqual([[], true]);
  await first.node.stop();
  expect((await verified(disk)).problems).toEqual([]);

  // The engine asks where the application is, and sends the block that was not committed again.
  const second = await start(disk);
  expect(await second.engine.info()).toMatchObject({ lastBlockHeight: 75n, lastBlockAppHash: appHash });
  expect((await second.engine.finalizeBlock(decided(second, 76n))).appHash).toEqual(finalized.appHash);
  await grow(second, 76n, 80n);
  const restored = second.node.eventLog.restored();
  const { lowest, before } = blocksFloor(reopenable(withRowChecksums(disk)));
  expect([restored?.event.v, lowest, second.node.api.queries.chain.earliestHeight()]).toEqual([1, 32n, 32n]);
  expect(second.errors).toEqual([]);

  const again = await reExecute(second.node.eventLog.read({ from: toPosition(1n) }), crypto, 0, before);
  expect([again.blocks, again.disagreements]).toEqual([56, []]);
  for (const [lie, found] of [
    [{ nextValidators: new Uint8Array() }, 'next validators of the anchor'],
    [{ consensusParams: new Uint8Array() }, 'consensus parameters of the anchor'],
    [{ upgradeHeight: toHeight(3n) }, 'the state of the anchor names another upgrade'],
  ] as const) {
    const records = second.node.eventLog.read({ from: toPosition(1n) });
    const { disagreements } = await reExecute(anchoredWith(records, lie), crypto, 0, before);
    expect(disagreements.map(({ problem }) => problem).join()).toContain(found);
  }
  await second.node.stop();
  expect(await verified(disk)).toMatchObject({ problems: [], logFrom: 25n });
}, 60_000);
