import { genesisHeight } from '../../core/genesis/genesis-height.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { decisionOf } from '../../core/chain/decision.js';
import { fromTimestamp } from '../../core/comet/time.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height, TimeNs } from '../../core/primitives.js';
import { loadVersionOf } from '../../runtime/load-preset.js';
import { pruneRecords } from '../../runtime/rebuild/anchor-of-log.js';
import { firstEvent } from '../../runtime/chain/open-chain.js';
import { pruneBlocks } from '../../runtime/pruning/prune-blocks.js';
import { blocksFloorOf, floorOf } from '../../runtime/pruning/pruner.js';
import { treesAtHead } from '../../runtime/rebuild/trees-at-head.js';
import { firstHeight } from '../../runtime/chain/restored-chain.js';
import { checkpointHeight } from '../../store/checkpoints/checkpoints.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { fillNewDatabase } from '../../store/leveldb/level-store.js';
import { lowestHeight } from '../../store/state/latest.js';
import { pruneState } from '../../store/state/prune.js';
import { stateBounds } from '../../store/state/tables.js';
import { makeTemporaryFolder } from '../../store/files/temporary-folder.js';
import { withStoppedHome, type StoppedHome } from './stopped-home.js';
import type { CommandOutput } from './command-output.js';

/**
 * `prune`: deletes old states of a stopped home beyond `--pruning` (cosmos-sdk v0.53 `client/pruning/main.go`), and
 * old blocks with their records beyond `--min-retain-blocks` and `--min-retain-time`; frees their disk space. If
 * killed, it leaves a consistent home, and can be run again.
 */
export function prune(options: DaemonOptions, output: CommandOutput): Promise<number> {
  return withStoppedHome(options, output, async (home) => {
    await pruneStates(options, home, output);
    await pruneOldBlocks(options, home, output);
    return 0;
  });
}

async function pruneStates(
  { pruning }: DaemonOptions,
  { store, log }: StoppedHome,
  output: CommandOutput,
): Promise<void> {
  const floor = floorOf(pruning, log.head().executed);
  const before = lowestHeight(store);
  const first = genesisHeight((await firstEvent(log)).initialHeight);
  if (floor === undefined || floor < first || floor < before) {
    output.stdout(`nothing to prune: states are kept from height ${before} on\n`);
    return;
  }
  output.stdout(`pruning heights up to ${floor - 1n}\n`);
  await pruneState(store, { first, floor, rows: FIXED_LIMITS.derivedPrunedRows });
  const { start, end } = stateBounds();
  await store.compact?.(start, end);
  output.stdout(`states are kept from height ${lowestHeight(store)} on\n`);
}

async function pruneOldBlocks(
  { retained }: DaemonOptions,
  { store, log, crypto }: StoppedHome,
  output: CommandOutput,
): Promise<void> {
  if (retained.blocks === undefined && retained.seconds === undefined) return;
  const first = firstHeight(log, await firstEvent(log));
  const { lowest: before } = blocksFloor(store);
  const timeOf = (height: Height): TimeNs => {
    const decided = log.blockAt(height)?.decided.event;
    return fromTimestamp(decided && decisionOf(crypto, decided).block.header?.time);
  };
  const facts = { head: log.head().executed, lowest: before > first ? before : first };
  const floor = blocksFloorOf(retained, facts, timeOf) ?? before;
  const pruned = { store, crypto, head: () => log.head(), first };
  const lowest = await pruneBlocks(pruned, floor, FIXED_LIMITS.derivedPrunedRows);
  const kept = log.keptFrom();
  const records = await pruneRecords({ store, log, crypto, withScratch }, FIXED_LIMITS.derivedPrunedRows);
  if (log.keptFrom() > kept) await writeCheckpoint({ store, log, crypto });
  if (lowest > before || log.keptFrom() > kept) await store.compact?.(Uint8Array.of(0), Uint8Array.of(0xff));
  output.stdout(`blocks are kept from height ${lowest > first ? lowest : first} on\n`);
  if (records !== undefined) output.stdout(`the log is kept from height ${records} on\n`);
}

/**
 * Writes a checkpoint of the trees, because pruning to an anchor removed the last one. Otherwise the next start would
 * have to read the trees from the anchor.
 */
async function writeCheckpoint({ store, log, crypto }: StoppedHome): Promise<void> {
  if (checkpointHeight(store) !== undefined) return;
  const { executed: through } = log.head();
  const started = await firstEvent(log);
  const version = await loadVersionOf(started);
  const { writes: genesisWrites } = started;
  await treesAtHead({ log, store, crypto, version, genesisWrites, through, blocks: 0, checkpoint: through });
}

async function withScratch<Value>(use: (scratch: KeyValueStore) => Promise<Value>): Promise<Value> {
  const { path: folder, remove } = makeTemporaryFolder('chronicle-prune-');
  try {
    return await fillNewDatabase(folder, use);
  } finally {
    remove();
  }
}
