/**
 * Repairs homes of builds without the `durable` row (src/store/log/durable.ts), in which records may be missing in the
 * middle: LevelDB had opened a new write-ahead log, a block was synced there and acknowledged, and a power cut lost the
 * end of the old log. Only admissions and polling filters were unsynced; the stream positions prove whether anything
 * else was lost.
 */
import { STREAM_OF, type Recorded, type Stream } from '../../core/log-events.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toPosition } from '../../core/primitives.js';
import { CorruptionError, MissingRecordsError } from '../errors.js';
import { EMPTY_HEAD, type LogHead } from './head.js';
import { durableKey, recordKey } from '../keys.js';
import { readRecords } from './read-records.js';
import { decodeHeader, lostRow, NO_HASH, type Sha256 } from './record.js';
import { readHead, verifyTail } from './verify-tail.js';

type Streams = Readonly<Record<Stream, bigint>>;

const ENVELOPES = new Set(['envelope', 'other'] as const);

/**
 * Runs `read`. When it throws because records are missing that held only admissions and filters, writes a placeholder
 * row, calls `onMarked` with the first lost position and the position after the last, and runs it again. Throws what
 * `read` throws.
 */
export async function withLostRecordsMarked<Value>(
  store: KeyValueStore,
  crypto: Sha256,
  read: () => Promise<Value>,
  onMarked: (from: bigint, next: bigint) => void = () => undefined,
): Promise<Value> {
  for (let left: number = FIXED_LIMITS.lostRecords; ; left -= 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MissingRecordsError) || left === 0) throw error;
      const row = await placeholderRow(store, crypto, error);
      if (row === undefined) throw error;
      await store.commit([{ type: 'put', ...row }], { sync: true });
      onMarked(error.from, error.next);
    }
  }
}

/** Marks lost records in a log that may have other damage, which is ignored here. */
export async function markLostRecords(store: KeyValueStore, crypto: Sha256): Promise<void> {
  try {
    await withLostRecordsMarked(store, crypto, () => verifyTail(store, crypto, undefined));
  } catch (error) {
    // A full verification will report this damage.
    if (!(error instanceof CorruptionError)) throw error;
  }
}

/** The placeholder row for the missing records; undefined when other events may be lost, too. */
async function placeholderRow(
  store: KeyValueStore,
  crypto: Sha256,
  { from, next }: MissingRecordsError,
): Promise<ReturnType<typeof lostRow> | undefined> {
  // Builds that write this row truncate after lost writes, so no record can be missing in the middle.
  if (store.get(durableKey()) !== undefined) return undefined;
  const head = readHead(store);
  const before = await streamsBefore(store, crypto, from);
  const after = await streamsAt(store, crypto, next, head);
  const count = next - from;
  const lost = (stream: Stream): bigint => after[stream] - before.streams[stream];
  const isHarmless =
    [lost('chain'), lost('upgrade'), lost('node')].every((events) => events === 0n) &&
    lost('mempool') >= 0n &&
    lost('filters') >= 0n &&
    lost('mempool') + lost('filters') === count;
  const row = store.get(recordKey(toPosition(next), 0));
  if (!isHarmless || row === undefined) return undefined;
  const { previousHash: hash } = decodeHeader(toPosition(next), row, crypto);
  const { mempool, filters } = after;
  const first = toPosition(from);
  return lostRow({ first, count: Number(count), previousHash: before.hash, hash, lost: { mempool, filters } });
}

/** Last position of each stream, and hash of the last record, before position `from`. */
async function streamsBefore(
  store: KeyValueStore,
  crypto: Sha256,
  from: bigint,
): Promise<{ readonly streams: Streams; readonly hash: Uint8Array }> {
  let { streams, hash } = EMPTY_HEAD;
  const range = { first: 1n, through: from - 1n, previousHash: NO_HASH, sections: ENVELOPES };
  for await (const { header, events } of readRecords(store, crypto, range)) {
    streams = { ...streams, ...header.lost, ...header.anchor?.streams, ...lastPositions(events) };
    ({ hash } = header);
  }
  return { streams, hash };
}

function lastPositions(events: readonly Recorded[]): Partial<Streams> {
  return Object.fromEntries(events.map(({ stream, streamPosition }) => [stream, streamPosition]));
}

/** Last position of each stream before the record at `next`; a stream without later events is as in the head. */
async function streamsAt(store: KeyValueStore, crypto: Sha256, next: bigint, head: LogHead): Promise<Streams> {
  const found: Partial<Record<Stream, bigint>> = {};
  const range = { first: next, through: head.position, sections: ENVELOPES };
  for await (const { events } of readRecords(store, crypto, range))
    for (const { event, streamPosition } of events) found[STREAM_OF[event.type]] ??= streamPosition - 1n;
  return { ...head.streams, ...found };
}
