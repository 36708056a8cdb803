/**
 * Homes of builds before the row `durable` (src/store/log/durable.ts) may lack records in the middle: LevelDB had
 * opened a new write-ahead log, a block was synced there and acknowledged, and a power cut took the end of the old one.
 * Unsynced were admissions and polling filters; the positions in the streams prove whether nothing else is gone.
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
 * Reads with `read`; where it finds that records are missing which held admissions and filters only, writes a row in
 * their place, calls `onNoted` with the first lost position and the one after the last, and reads again. Throws what
 * `read` throws.
 */
export async function notingLostRecords<Value>(
  store: KeyValueStore,
  crypto: Sha256,
  read: () => Promise<Value>,
  onNoted: (from: bigint, next: bigint) => void = () => undefined,
): Promise<Value> {
  for (let left: number = FIXED_LIMITS.lostRecords; ; left -= 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MissingRecordsError) || left === 0) throw error;
      const row = await rowInPlace(store, crypto, error);
      if (row === undefined) throw error;
      await store.commit([{ type: 'put', ...row }], { sync: true });
      onNoted(error.from, error.next);
    }
  }
}

/** Notes lost records as `notingLostRecords` does, in a log that may be damaged otherwise. */
export async function noteLostRecords(store: KeyValueStore, crypto: Sha256): Promise<void> {
  try {
    await notingLostRecords(store, crypto, () => verifyTail(store, crypto, undefined));
  } catch (error) {
    // Readers of the whole log name the damage.
    if (!(error instanceof CorruptionError)) throw error;
  }
}

/** The row for the missing records; undefined when something else may have been lost. */
async function rowInPlace(
  store: KeyValueStore,
  crypto: Sha256,
  { from, next }: MissingRecordsError,
): Promise<ReturnType<typeof lostRow> | undefined> {
  // Builds with this row cut what follows lost writes, and leave no record out.
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

/** The last position of each stream, and the hash of the last record, before the event at `from`. */
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

/**
 * The last position of each stream before the record at `next`: a stream without a later event stands as in the head.
 */
async function streamsAt(store: KeyValueStore, crypto: Sha256, next: bigint, head: LogHead): Promise<Streams> {
  const found: Partial<Record<Stream, bigint>> = {};
  const range = { first: next, through: head.position, sections: ENVELOPES };
  for await (const { events } of readRecords(store, crypto, range))
    for (const { event, streamPosition } of events) found[STREAM_OF[event.type]] ??= streamPosition - 1n;
  return { ...head.streams, ...found };
}
