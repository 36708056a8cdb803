/** Prunes the records of a stopped home: builds an anchor whose snapshot is computed from the log itself. */
import { fromBinary } from '@bufbuild/protobuf';
import { equal } from '../../core/bytes/bytes.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import { CommittedTrees } from '../../core/chain/committed-trees.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { ChainStarted, NodeStarted } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, toPosition, type Height } from '../../core/primitives.js';
import { BlockSchema } from '../../core/proto/tendermint/types/block_pb.js';
import type { Header } from '../../core/proto/tendermint/types/types_pb.js';
import type { StateWrite } from '../../core/state/state.js';
import { removeRows } from '../../store/rows/all-rows.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { checkpointBytes } from '../../store/checkpoints/checkpoints.js';
import { CorruptionError } from '../../store/errors.js';
import type { EventLog } from '../../store/log/event-log.js';
import { History } from '../../store/history/history.js';
import { recordHash, recordsBytes } from '../../store/log/read-records.js';
import { lowestHeight } from '../../store/state/latest.js';
import { latestKey } from '../../store/state/tables.js';
import { writeBehind } from '../../store/rows/write-behind.js';
import { loadVersionOf } from '../load-preset.js';
import { AnchorTaker } from '../pruning/anchor-taker.js';
import { restoreTrees } from '../snapshots/chunks.js';
import { snapshotHeadOf } from '../snapshots/snapshot-chain.js';
import { firstKept } from '../pruning/make-anchor.js';
import { firstEvent, stateAtHead } from '../chain/open-chain.js';
import { RecordPruning } from '../pruning/prune-records.js';
import { ReplayMismatch } from './rebuild-trees.js';
import { anchoredState, firstHeight, type AnchoredState } from '../chain/restored-chain.js';
import { openPending } from '../chain/pending.js';

interface OpenedLog {
  /** A database without other writers. */
  readonly store: KeyValueStore;
  readonly log: EventLog;
  readonly crypto: Crypto;
}

export interface StoppedLog extends OpenedLog {
  /** Calls `use` with a temporary empty database. */
  readonly withScratch: <Value>(use: (scratch: KeyValueStore) => Promise<Value>) => Promise<Value>;
}

/**
 * Deletes the records of already pruned blocks, in slices of about `rows` rows, if they are larger than the snapshot
 * that replaces them. Resolves with the lowest height whose record is kept; undefined when all are. Throws
 * CorruptionError, and ReplayMismatch when the log's writes do not produce the app hashes in its headers.
 */
export async function pruneRecords(home: StoppedLog, rows: number): Promise<Height | undefined> {
  const { store, log, crypto } = home;
  const { checkpoint } = await openPending(home);
  await checkpoint.write(log.head().position);
  const history = await History.open(store);
  const started = await firstEvent(log);
  const first = (): Height => firstHeight(log, started);
  const pruning = new RecordPruning({ store, crypto, log, history, first, requestPoolCheckpoint: () => undefined });
  await finish(pruning, store, rows);
  const height = await anchorableHeight(home, pruning.anchored);
  if (height !== undefined && !pruning.isWaiting) {
    const onDiscard = (): void => pruning.scheduleSweep();
    pruning.attach(await home.withScratch((scratch) => takenFromLog(home, { scratch, history, height, onDiscard })));
    await finish(pruning, store, rows);
  }
  const restored = log.keptFrom() > 1n ? log.restored()?.event.data.height : undefined;
  return restored === undefined ? undefined : toHeight(restored + 1n);
}

async function finish(pruning: RecordPruning, store: KeyValueStore, rows: number): Promise<void> {
  for (;;) {
    await pruning.prepare(rows);
    const operations = pruning.next();
    if (operations === undefined) return;
    await store.commit(operations, { sync: false });
    pruning.written();
  }
}

/** The highest height suitable for an anchor; undefined when it would replace too little. */
async function anchorableHeight(home: OpenedLog, anchored: Height | undefined): Promise<Height | undefined> {
  const { store, log } = home;
  const [states, blocks] = [lowestHeight(store), blocksFloor(store).cleared];
  const highest = (states < blocks ? states : blocks) - 2n;
  const last = anchored ?? 0n;
  const needed = checkpointBytes(store);
  const end = highest < 0n ? undefined : log.recordOf(toHeight(highest))?.decided.record;
  const room = end === undefined ? 0 : await recordsBytes(store, log.keptFrom(), end);
  const least = room < needed ? BigInt(Math.ceil(needed / FIXED_LIMITS.anchorBlockBytes)) : 0n;
  for (let height = highest; height > last + least; height -= 1n)
    if (firstKept(home, toHeight(height)) !== undefined) return toHeight(height);
  return undefined;
}

interface Taking {
  /** An empty database. */
  readonly scratch: KeyValueStore;
  readonly history: History;
  readonly height: Height;
  readonly onDiscard: () => void;
}

/** Takes the snapshot of a height from the log and writes its parts. */
async function takenFromLog(
  { store, log, crypto }: OpenedLog,
  { scratch, history, height, onDiscard }: Taking,
): Promise<AnchorTaker> {
  const started = await firstEvent(log);
  const header = headerAt(log, toHeight(height + 1n));
  const values = writeBehind(scratch, () => true);
  const { trees, node } = await stateOfLog({ log, crypto }, { started, height, values });
  const { multistore } = trees;
  const appHash = multistore.latest?.appHash ?? new Uint8Array();
  if (!equal(header.appHash, appHash)) throw new ReplayMismatch(toHeight(height + 1n), header.appHash, appHash);
  const valueOf = (name: string, key: Uint8Array): Uint8Array | undefined => values.get(latestKey(name, key));
  let failure: unknown;
  const taker = new AnchorTaker({
    executor: {
      snapshotSlice: (at, from, leaves) => Promise.resolve(multistore.snapshotSlice(at, from, leaves, valueOf)),
    },
    timers: { yield: () => Promise.resolve() },
    async write(rows) {
      try {
        await store.commit(rows, { sync: false });
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    chain: () => chainAt({ store, log, crypto }, { started, history, height, header }),
    started: node,
    last: () => toHeight(0n),
    bytes: () => 0,
    room: () => Promise.resolve(0),
    onDiscard,
    blocks: 0,
  });
  taker.committed(height);
  await taker.idle();
  if (failure !== undefined) throw failure;
  return taker;
}

interface OfLog {
  readonly started: ChainStarted['data'];
  readonly height: Height;
  /** Receives the values of the state. */
  readonly values: KeyValueStore;
}

/**
 * Builds the trees at a height from the log's writes; also returns the NodeStarted data of the process that made the
 * next block.
 */
async function stateOfLog(
  { log, crypto }: Pick<OpenedLog, 'log' | 'crypto'>,
  { started, height, values }: OfLog,
): Promise<{ readonly trees: CommittedTrees; readonly node: NodeStarted['data'] }> {
  const version = await loadVersionOf(started);
  let trees = new CommittedTrees({ version, crypto, provableHeights: 1 });
  let node: NodeStarted['data'] = { version: '', appVersion: '', skipUpgradeHeights: [] };
  const take = (writes: readonly StateWrite[]): Promise<void> => values.commit(writes.map(valueRow), { sync: false });
  const end = log.recordOf(toHeight(height + 1n))?.decided.record ?? 0n;
  for await (const events of log.read({ from: ONE, limit: Number(end - 1n), sections: SECTIONS })) {
    for (const recorded of events) {
      const { event } = recorded;
      if (recorded.position >= end) return { trees, node };
      if (event.type === 'NodeStarted') node = event.data;
      if (event.type === 'ChainStarted') {
        trees.genesis(event.data.writes);
        await take(event.data.writes);
      } else if (event.type === 'SnapshotRestored') {
        trees = new CommittedTrees({ version, crypto, provableHeights: 1 });
        await removeRows(values, Uint8Array.of(0), Uint8Array.of(0xff));
        await restoreTrees(trees.multistore, event.data, take);
      } else if (event.type === 'BlockExecuted' && log.isOnBranch(recorded)) {
        trees.commit(event.data.height, event.data.writes);
        await take(event.data.writes);
      }
    }
  }
  return { trees, node };
}

function valueRow({ store, key: name, value }: StateWrite): StoreOperation {
  const key = latestKey(store, name);
  return value === undefined ? { type: 'delete', key } : { type: 'put', key, value };
}

const ONE = toPosition(1n);
const SECTIONS = new Set(['envelope', 'writes', 'other'] as const);

interface At {
  readonly started: ChainStarted['data'];
  readonly history: History;
  readonly height: Height;
  /** Header of the next block. */
  readonly header: Header;
}

/** Chain facts at a height. The results hash is taken from the next header, because results may be pruned. */
function chainAt({ store, log, crypto }: OpenedLog, { started, history, height, header }: At): AnchoredState {
  const head = { ...log.head(), executed: height };
  const at = { head: () => head, blockAt: (one: Height) => log.blockAt(one), restored: () => log.restored() };
  const { appHash, lastResultsHash } = header;
  const state: ChainState = { ...stateAtHead({ crypto, log: at }, started, history), appHash, lastResultsHash };
  // An external engine keeps the commits.
  if (state.lastCommit === undefined) return anchoredState(state);
  const record = log.recordOf(height)?.executed?.record;
  const hash = record === undefined ? undefined : recordHash(store, crypto, record);
  if (hash === undefined) throw new CorruptionError(`the record of height ${height} is missing`);
  return anchoredState(state, snapshotHeadOf(state, headerAt(log, height), hash));
}

function headerAt(log: Pick<EventLog, 'blockAt'>, height: Height): Header {
  const decided = log.blockAt(height)?.decided.event.data;
  const header = decided && fromBinary(BlockSchema, decided.block).header;
  if (header === undefined) throw new CorruptionError(`the header of height ${height} is missing`);
  return header;
}
