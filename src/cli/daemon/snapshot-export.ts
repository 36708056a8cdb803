import { fromBinary } from '@bufbuild/protobuf';
import type { CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { toHeight } from '../../core/primitives.js';
import { BlockSchema } from '../../core/proto/tendermint/types/block_pb.js';
import { HeaderSchema } from '../../core/proto/tendermint/types/types_pb.js';
import { withAppHash } from '../../core/chain/chain-state.js';
import { loadVersionOf } from '../../runtime/load-preset.js';
import { firstEvent, stateAtHead } from '../../runtime/chain/open-chain.js';
import { treesAtHead } from '../../runtime/rebuild/trees-at-head.js';
import { homePaths } from '../../runtime/home/home.js';
import { SNAPSHOT_FORMAT } from '../../runtime/snapshots/chunks.js';
import { snapshotChainOf, type SnapshotChain } from '../../runtime/snapshots/snapshot-chain.js';
import { SnapshotStore } from '../../runtime/snapshots/store.js';
import { SnapshotTaker } from '../../runtime/snapshots/taker.js';
import { History } from '../../store/history/history.js';
import { recordHash } from '../../store/log/read-records.js';
import { createStateReader } from '../../store/state/latest.js';
import type { CommandOutput } from './command-output.js';
import { withStoppedHome, type StoppedHome } from './stopped-home.js';

/** `snapshots export`: takes a snapshot of the state of a stopped home after its last block. */
export function exportSnapshot(
  options: DaemonOptions,
  args: CommandArguments<'snapshots export'>,
  output: CommandOutput,
): Promise<number> {
  return withStoppedHome(options, output, async (home) => {
    const { log, store, crypto } = home;
    const { executed: head } = log.head();
    const requested = args.height ?? 0n;
    if (log.blockAt(head) === undefined && log.restored()?.event.data.height !== head) {
      output.stderr('no trees to export: the chain has no block yet\n');
      return EXIT.notFound;
    }
    if (requested > 0n && requested !== head) {
      output.stderr(`no trees of height ${requested}: a stopped home has those of its last block, ${head}\n`);
      return EXIT.notFound;
    }
    output.stdout(`Exporting snapshot for height ${head}\n`);
    const started = await firstEvent(log);
    const version = await loadVersionOf(started);
    const { trees } = await treesAtHead({
      ...{ log, store, crypto, version, through: head, blocks: 0 },
      genesisWrites: started.writes,
    });
    const { multistore } = trees;
    const latest = createStateReader(store, 'latest');
    const chain = await chainOf(home, multistore.latest?.appHash ?? new Uint8Array());
    const snapshots = new SnapshotStore(homePaths(options.home).snapshots);
    let failure: string | undefined;
    const taker = new SnapshotTaker({
      store: snapshots,
      executor: {
        snapshotSlice: (height, from, leaves) =>
          Promise.resolve(multistore.snapshotSlice(height, from, leaves, (name, key) => latest.get(name, key))),
      },
      interval: 1n,
      keepRecent: 0,
      timers: { yield: () => Promise.resolve() },
      log: {
        info: () => undefined,
        error: (_, fields) => {
          failure = JSON.stringify(fields);
        },
      },
      ...(chain && { chain: () => chain }),
    });
    taker.committed(head);
    await taker.idle();
    const taken = snapshots.find(toHeight(head), SNAPSHOT_FORMAT);
    if (failure !== undefined || taken === undefined) {
      output.stderr(`failed to export: ${failure ?? 'the snapshot is not there'}\n`);
      return EXIT.failed;
    }
    const { height, format, chunks } = taken;
    output.stdout(`Snapshot created at height ${height}, format ${format}, chunks ${chunks}\n`);
    return 0;
  });
}

/**
 * The chain at its head, for a snapshot; undefined if an external engine made the blocks, because the engine has the
 * commits.
 */
async function chainOf({ log, store, crypto }: StoppedHome, appHash: Uint8Array): Promise<SnapshotChain | undefined> {
  const started = await firstEvent(log);
  const state = stateAtHead({ log, crypto }, started, await History.open(store));
  const restored = log.restored()?.event.data;
  if (restored !== undefined && restored.height === state.height && 'head' in restored) {
    const { header, record } = restored.head;
    return snapshotChainOf(started, withAppHash(state, appHash), fromBinary(HeaderSchema, header), record);
  }
  const decided = log.blockAt(state.height)?.decided.event;
  const record = log.recordOf(state.height)?.executed?.record;
  const hash = record === undefined ? undefined : recordHash(store, crypto, record);
  if (state.lastCommit === undefined || decided === undefined || hash === undefined) return undefined;
  const { header } = fromBinary(BlockSchema, decided.data.block);
  return header && snapshotChainOf(started, withAppHash(state, appHash), header, hash);
}
