import type { LogEvent, LoggedChunks } from '../../core/log-events.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { compare } from '../../core/bytes/bytes.js';
import { ByteReader, FormatError, readU64 } from '../bytes.js';
import { hex } from '../../core/bytes/hex.js';
import { decodeHashRow, decodeHeightRow, decodeTxHashRow, type HeightRow } from './block-index.js';
import { splitBlock } from '../codec/block-parts.js';
import { blocksFloor, NO_FLOOR, type BlocksFloor } from './blocks-floor.js';
import { CorruptionError } from '../errors.js';
import { problemOf, type LogProblem } from './log-problem.js';
import { tableOf } from '../rows/tables.js';
import { tolerantRows } from './tolerant-rows.js';
import { EMPTY_HEAD, heightsAfter, type LogHead } from './head.js';
import { heightKey, PREFIX, recordBound, recordsEnd, txHashKey } from '../keys.js';
import { readRecords } from './read-records.js';
import { NO_HASH, type Sha256 } from './record.js';
import { readHead } from './verify-tail.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

export interface VerifyReport {
  readonly records: number;
  readonly rows: number;
  readonly problems: readonly LogProblem[];
}

/**
 * Verifies everything: row checksums, all records with digests, contiguity and hash chain, the head, and the primary
 * indexes in both directions. Damage is reported, never thrown (`chronicled log verify`).
 */
export async function verifyLog(store: KeyValueStore, crypto: Sha256): Promise<VerifyReport> {
  const problems: LogProblem[] = [];
  const report = (problem: LogProblem): void =>
    void (problems.length < FIXED_LIMITS.verifyProblems && problems.push(problem));
  let head: LogHead = EMPTY_HEAD;
  try {
    head = readHead(store);
  } catch (error) {
    report(problemOf(error));
  }
  const rows = await verifyRows(store, head, report);
  const records = await verifyRecords(store, crypto, head, report);
  return { records, rows, problems };
}

/** Checks every row's checksum, and that index rows point to existing blocks. */
async function verifyRows(store: KeyValueStore, head: LogHead, report: (problem: LogProblem) => void): Promise<number> {
  let count = 0;
  let heights = 0n;
  let hashes = 0n;
  let headerHashes = 0n;
  for await (const rows of tolerantRows(store, report)) {
    count += rows.length;
    for (const { key, value } of rows) {
      try {
        if (key[0] === PREFIX.height) heights += 1n;
        if (key[0] === PREFIX.blockHash) {
          hashes += 1n;
          requireHeight(store, decodeHashRow(value));
        }
        if (key[0] === PREFIX.headerHash) {
          headerHashes += 1n;
          requireHeight(store, decodeHashRow(value));
        }
        if (key[0] === PREFIX.txHash) requireHeight(store, decodeTxHashRow(value).height);
      } catch (error) {
        report({ table: tableOf(key), key: hex(key), ...problemOf(error) });
      }
    }
  }
  const lowest = await store
    .range({ start: Uint8Array.of(PREFIX.height), end: Uint8Array.of(PREFIX.height + 1), limit: 1 })
    .catch(() => []);
  const first = lowest[0] === undefined ? head.decided + 1n : readU64(lowest[0].key, 1);
  const expected = head.decided === 0n ? 0n : head.decided - first + 1n;
  const { lowest: kept } = floorOf(store, report);
  const named = kept <= first ? expected : head.decided - kept + 1n;
  if (heights !== expected) report({ problem: `${heights} height rows for ${expected} blocks` });
  if (hashes !== 0n && hashes !== named) report({ problem: `${hashes} block hash rows for ${named} blocks` });
  const executed = named - (head.decided - head.executed);
  if (headerHashes !== 0n && headerHashes !== executed)
    report({ problem: `${headerHashes} Ethereum hash rows for ${executed} executed blocks` });
  return count;
}

function floorOf(store: KeyValueStore, report: (problem: LogProblem) => void): BlocksFloor {
  try {
    return blocksFloor(store);
  } catch (error) {
    report(problemOf(error));
    return NO_FLOOR;
  }
}

function requireHeight(store: Pick<KeyValueStore, 'get'>, height: Height): void {
  if (store.get(heightKey(height)) === undefined) throw new CorruptionError('names a height that is not there');
}

/** Reads all records; a damaged one is reported and skipped. */
async function verifyRecords(
  store: KeyValueStore,
  crypto: Sha256,
  head: LogHead,
  report: (problem: LogProblem) => void,
): Promise<number> {
  let first = 1n;
  let previousHash: Uint8Array | undefined = NO_HASH;
  let records = 0;
  let lastHash = NO_HASH;
  let heights: { decided: Height; executed: Height } = { decided: toHeight(0n), executed: toHeight(0n) };
  /** Blocks not named by the row of their height; a later Reverted event may explain this. */
  let doubtful: { readonly height: Height; readonly problem: LogProblem }[] = [];
  while (first <= head.position) {
    try {
      for await (const { header, events } of readRecords(store, crypto, {
        first,
        through: head.position,
        previousHash,
      })) {
        first = header.first + BigInt(header.count);
        previousHash = header.hash;
        lastHash = header.hash;
        records += 1;
        for (const { event, position } of events) {
          try {
            if (event.type === 'SnapshotRestored') await readToEnd(event.data.chunks);
            heights = heightsAfter(heights, event);
            if (event.type === 'Reverted') doubtful = doubtful.filter(({ height }) => height <= event.data.toHeight);
            const problem = blockProblem(store, crypto, event, head, position);
            if (problem === undefined || !('height' in event.data)) continue;
            const doubt = { height: event.data.height, problem: { position, ...problem } };
            // Above the limit it is reported as damage: a dev chain does not revert that far.
            if (doubtful.length < FIXED_LIMITS.verifyAbandoned) doubtful.push(doubt);
            else report(doubt.problem);
          } catch (error) {
            report({ position, ...problemOf(error) });
          }
        }
      }
    } catch (error) {
      report({ position: first, ...problemOf(error) });
      const [next] = await store.range({ start: recordBound(first + 1n), end: recordsEnd(), limit: 1 }).catch(() => []);
      if (next === undefined) {
        for (const { problem } of doubtful) report(problem);
        return records;
      }
      first = readU64(next.key, 1);
      previousHash = undefined;
      heights = { decided: toHeight(0n), executed: toHeight(0n) };
    }
  }
  for (const { problem } of doubtful) report(problem);
  if (compare(lastHash, head.hash) !== 0)
    report({ position: head.position, problem: 'the head does not name the last record' });
  return records;
}

/** Reads all chunks, which verifies their digests; resolves with the total bytes. */
async function readToEnd(chunks: LoggedChunks): Promise<number> {
  let bytes = 0;
  for await (const { length } of chunks) bytes += length;
  return bytes;
}

/** The problem of the index rows that should lead to a block event; undefined when they are correct. */
function blockProblem(
  store: KeyValueStore,
  crypto: Sha256,
  event: LogEvent,
  head: LogHead,
  position: bigint,
): LogProblem | undefined {
  try {
    if (event.type === 'BlockDecided') verifyBlock(store, crypto, event.data, head, position);
    if (event.type === 'BlockExecuted' && heightRow(store, event.data.height)?.executed?.position !== position) {
      throw new CorruptionError('height row does not name the execution');
    }
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** Checks that height and transaction hash rows lead to the block; throws CorruptionError. */
function verifyBlock(
  store: KeyValueStore,
  crypto: Sha256,
  block: { readonly height: Height; readonly block: Uint8Array },
  head: LogHead,
  position: bigint,
): void {
  const row = heightRow(store, block.height);
  if (row?.decided.position !== position) throw new CorruptionError('height row does not name the decision');
  if (block.height > head.executed || block.height < blocksFloor(store).lowest) return;
  for (const tx of transactionsOf(block.block)) {
    const bytes = store.get(txHashKey(crypto.sha256(tx)));
    if (bytes === undefined)
      throw new CorruptionError('transaction hash row is missing', { key: hex(txHashKey(crypto.sha256(tx))) });
  }
}

function heightRow(store: KeyValueStore, height: Height): HeightRow | undefined {
  const bytes = store.get(heightKey(height));
  return bytes === undefined ? undefined : decodeHeightRow(bytes);
}

/** Transactions of an encoded block: field 1 of its Data. */
function transactionsOf(block: Uint8Array): Uint8Array[] {
  const reader = new ByteReader(splitBlock(block).data ?? new Uint8Array(0));
  const txs: Uint8Array[] = [];
  while (reader.remaining > 0) {
    if (reader.byte() !== 0x0a) throw new FormatError('block data holds something else than transactions');
    txs.push(reader.bytes());
  }
  return txs;
}
