import { genesisHeight } from '../../core/genesis/genesis-height.js';
import { compare } from '../../core/bytes/bytes.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight } from '../../core/primitives.js';
import { CorruptionError } from '../../store/errors.js';
import { bytesToRestore, checkpointRows } from '../../store/checkpoints/checkpoints.js';
import { PREFIX } from '../../store/keys.js';
import { withExternalRecords } from '../../store/log/external-records.js';
import { openEventLog } from '../../store/log/event-log.js';
import { markLostRecords } from '../../store/log/lost-records.js';
import { lastRecord, readRecords, type StoredRecord } from '../../store/log/read-records.js';
import { NO_HASH } from '../../store/log/record.js';
import { readHead } from '../../store/log/verify-tail.js';
import type { Witnessed } from '../../store/log/witness.js';
import { withoutSummed, type RowSums } from '../../store/rows/row-sums.js';
import { writeBehind } from '../../store/rows/write-behind.js';
import { CommittedTrees } from '../../core/chain/committed-trees.js';
import { unlessDamaged, type HostRows } from './host-rows.js';
import { deriveIndex, IndexOfLog } from './index-of-log.js';
import { indexInThread } from './index-thread.js';
import { rebuildTrees } from './rebuild-trees.js';
import { TreesOfLog } from './trees-of-log.js';
import { firstHeight } from '../chain/restored-chain.js';
import { RowsOfLog, type MadeRows } from './rows-of-log.js';
import { loadVersionOf } from '../load-preset.js';
import { pruneState } from '../../store/state/prune.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** A complete log without gaps, with verified digests and hash chain. */
export interface WholeLog {
  readonly records: AsyncIterable<StoredRecord>;
  /** Position of the last event, for progress reports. */
  readonly through: bigint;
}

export interface DeriveOptions {
  readonly log: WholeLog;
  /** Rows of this host that cannot be derived from the log. */
  readonly host: HostRows;
  /** An empty database. */
  readonly target: KeyValueStore;
  /** Folders of both databases: the attribute index is then built in a thread. Without them it is built here. */
  readonly folders?: { readonly source: string; readonly target: string };
  readonly crypto: Crypto;
  /** Database that contains the records, which are then not copied; by default they are copied to the target. */
  readonly records?: Pick<KeyValueStore, 'get' | 'range'>;
  /** Sums that replace the rows of some tables. */
  readonly sums?: RowSums | undefined;
  /** Called with the fraction done, 0 to 1. */
  readonly progress?: (part: number) => void;
}

export interface Derived extends MadeRows {
  readonly records: number;
}

/**
 * Derives a whole database from a log in one pass: copies the records, builds all derived rows and the trees, and
 * compares the trees' root with the app hash in each header. Throws CorruptionError when the log is damaged, and
 * ReplayMismatch when its writes do not produce the app hashes of its headers.
 */
export async function deriveDatabase(options: DeriveOptions): Promise<Derived> {
  const { log, host, crypto, progress, folders, records: source, sums } = options;
  const { through } = log;
  const { indexedThrough } = host;
  const kept = sums === undefined ? options.target : withoutSummed(options.target, sums);
  const made = source === undefined ? kept : withExternalRecords(kept, source);
  const target = writeBehind(made, isReadWhileMade, sums);
  const thread = folders && indexInThread({ ...folders, through, indexedThrough });
  const index = source && new IndexOfLog({ source, target: made, crypto, indexedThrough, sums });
  try {
    const rows = new RowsOfLog({ store: target, crypto, host });
    const trees = new TreesOfLog({ crypto, checkpoint: host.checkpoint, checkpointFormat: host.checkpointFormat });
    let records = 0;
    for await (const record of log.records) {
      await rows.apply(record);
      for (const recorded of record.events) await trees.apply(recorded);
      await index?.apply(record);
      records += 1;
      progress?.((ROWS_PART * Number(rows.head.position)) / Number(through));
    }
    const facts = await rows.finish();
    await target.flush();
    const floor = host.stateFloor ?? toHeight(0n);
    const first = genesisHeight(facts.started.initialHeight);
    if (floor > 0n) await pruneState(made, { first, floor, rows: FIXED_LIMITS.derivedPrunedRows });
    await writeTrees(options, target, facts, trees);
    await target.flush();
    const ofIndex = { source: target, target: made, crypto, through: facts.head.position, indexedThrough };
    await (index?.finish() ?? thread?.done ?? deriveIndex(ofIndex));
    progress?.(1);
    return { ...facts, records };
  } finally {
    await thread?.stop();
  }
}

/**
 * True for keys read during the build: state rows that a block overwrites, and the height row of a block decided
 * earlier.
 */
function isReadWhileMade(key: Uint8Array): boolean {
  return key[0] === PREFIX.state || key[0] === PREFIX.height;
}

/** Estimated fraction of the time for the pass over the log; the rest is for trees that must be rebuilt. */
const ROWS_PART = 0.9;

export interface LogInDatabase {
  /** The database with the log; its other rows may be damaged. */
  readonly store: KeyValueStore;
  readonly crypto: Crypto;
  /** The last synced head, from the witness file. */
  readonly witnessed: Witnessed | undefined;
}

/** Opens the log of a database whose other rows may be lost. Throws CorruptionError, now or while it is read. */
export async function wholeLogOf(options: LogInDatabase): Promise<WholeLog> {
  await markLostRecords(options.store, options.crypto);
  const through = await endOfLog(options);
  return { through, records: witnessedRecords(options, through) };
}

async function* witnessedRecords(
  { store, crypto, witnessed }: LogInDatabase,
  through: bigint,
): AsyncGenerator<StoredRecord> {
  for await (const record of readRecords(store, crypto, { first: 1n, through, previousHash: NO_HASH })) {
    checkWitness(record, witnessed);
    yield record;
  }
}

/** Position of the last event. A damaged head row is ignored, unless the log ends before it. */
async function endOfLog({ store, crypto, witnessed }: LogInDatabase): Promise<bigint> {
  const last = await lastRecord(store, crypto);
  if (last === undefined) throw new CorruptionError('the log has no records');
  const end = last.first + BigInt(last.count) - 1n;
  const written = [unlessDamaged(() => readHead(store))?.position, witnessed?.position];
  const missing = written.find((position) => position !== undefined && position > end);
  if (missing !== undefined)
    throw new CorruptionError(`events up to ${missing} were written, the log ends at ${end}`, { position: end });
  return end;
}

function checkWitness({ header }: StoredRecord, witnessed: Witnessed | undefined): void {
  const last = header.first + BigInt(header.count) - 1n;
  if (witnessed?.position === last && compare(witnessed.hash, header.hash) !== 0)
    throw new CorruptionError('hash of the last acknowledged record differs', { position: header.first });
}

/** Writes the tree checkpoint; rebuilds the trees if they could not be built during the pass. */
async function writeTrees(
  options: DeriveOptions,
  target: KeyValueStore,
  made: MadeRows,
  trees: TreesOfLog,
): Promise<void> {
  const { checkpoint } = made;
  if (!trees.covers(checkpoint)) return buildTreesAgain(options, target, made);
  if (checkpoint !== undefined && trees.image !== undefined)
    await target.commit(checkpointRows(target, trees.image), { sync: false });
}

async function buildTreesAgain(
  { crypto, host: { now, checkpointFormat }, progress }: DeriveOptions,
  target: KeyValueStore,
  { head, started, checkpoint }: MadeRows,
): Promise<void> {
  const log = await openEventLog({ store: target, crypto, clock: { now: () => now }, sync: 'os' });
  const version = await loadVersionOf(started);
  const trees = new CommittedTrees({ version, crypto, provableHeights: 1 });
  const first = firstHeight(log, started);
  const blocks = Number(head.executed - first) + 1;
  await rebuildTrees({
    log,
    store: target,
    crypto,
    executor: {
      genesis: async (writes) => trees.genesis(writes),
      replay: async (height, writes) => trees.commit(height, writes),
      checkpoint: async () => trees.multistore.snapshotBytes(checkpointFormat),
      async restore(from) {
        const bytes = bytesToRestore(target, from);
        return bytes && trees.multistore.restore(bytes)?.appHash;
      },
    },
    genesisWrites: started.writes,
    through: head.executed === 0n ? genesisHeight(started.initialHeight) : head.executed,
    checkpoint,
    progress: (height) => progress?.(ROWS_PART + ((1 - ROWS_PART) * (Number(height - first) + 1)) / blocks),
  });
}
