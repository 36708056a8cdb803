/**
 * The anchor of a pruned log: a row that replaces the records from the second one on, with a snapshot of the state
 * before the first kept record (docs/decisions/0033-pruning-blocks.md). It decodes to two events: SnapshotRestored, and
 * the last NodeStarted before the first kept record.
 */
import { isRestored } from '../../core/event-guards.js';
import type { LoggedChunks, NodeStarted, Recorded, SnapshotRestored, Stream } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValue, KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toPosition, type Height, type Position } from '../../core/primitives.js';
import { compare } from '../../core/bytes/bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { keyAfter } from '../../core/bytes/key-order.js';
import { ByteReader, ByteWriter, FormatError } from '../bytes.js';
import { CorruptionError } from '../errors.js';
import { decodeEvent, encodeEvent } from '../codec/event-codec.js';
import { anchorPartKey } from '../keys.js';

/** Position of the anchor: right after the first event of the log. */
export const ANCHOR_POSITION = toPosition(2n);
/** 'CLA' and the version of the row. */
export const ANCHOR_MAGIC: Uint8Array = Uint8Array.of(0x43, 0x4c, 0x41, 0x01);

type Streams = Readonly<Record<Stream, bigint>>;
const STREAMS: readonly Stream[] = ['chain', 'mempool', 'upgrade', 'node', 'filters'];
const DIGEST_BYTES = 32;

/** The fields of an anchor that an ordinary record lacks. */
export interface Anchor {
  /** Last position in each stream before the first kept record. */
  readonly streams: Streams;
  /** Rows of validator sets and parameters valid after the snapshot's block. */
  readonly history: readonly KeyValue[];
  /** The sha256 of each part of the snapshot. */
  readonly parts: readonly Uint8Array[];
  /** Encoded events: the sections `envelope` and `other`. */
  readonly envelopes: Uint8Array;
  readonly other: Uint8Array;
}

/** Input of `encodeAnchor`. */
export interface AnchorFacts {
  /** Position of the first kept record. */
  readonly next: Position;
  /** Hash of the log's first record, and the previous hash that the first kept record names. */
  readonly previousHash: Uint8Array;
  readonly hash: Uint8Array;
  readonly streams: Streams;
  /** Time of the last event before the first kept record. */
  readonly time: Recorded['time'];
  readonly history: readonly KeyValue[];
  readonly parts: readonly Uint8Array[];
  readonly restored: SnapshotRestored['data'];
  readonly started: NodeStarted['data'];
}

/** Encodes the row of an anchor. */
export function encodeAnchor(facts: AnchorFacts): Uint8Array {
  const { next, previousHash, hash, streams, time, history, parts, restored, started } = facts;
  const [envelope, other, rest] = [new ByteWriter(), new ByteWriter(), new ByteWriter()];
  const events: readonly Pick<Recorded, 'event' | 'stream'>[] = [
    { stream: 'chain', event: restoredEvent(restored, []) },
    { stream: 'node', event: { type: 'NodeStarted', v: 1, data: started } },
  ];
  for (const [at, { stream, event }] of events.entries())
    encodeEvent(
      {
        event,
        stream,
        position: toPosition(ANCHOR_POSITION + BigInt(at)),
        streamPosition: streams[stream],
        time,
        cause: '',
      },
      { envelope, other, transactions: rest, results: rest, writes: rest, trace: rest },
    );
  const to = new ByteWriter();
  to.raw(ANCHOR_MAGIC);
  to.raw(be64(ANCHOR_POSITION));
  to.uint(next - ANCHOR_POSITION);
  to.raw(previousHash);
  to.raw(hash);
  for (const stream of STREAMS) to.uint(streams[stream]);
  to.list(parts);
  to.uint(history.length);
  for (const { key, value } of history) {
    to.bytes(key);
    to.bytes(value);
  }
  to.bytes(envelope.finish());
  to.bytes(other.finish());
  return to.finish();
}

/** Decodes the part of an anchor's row after the hashes. Throws FormatError. */
export function decodeAnchor(reader: ByteReader): Anchor {
  const positions = STREAMS.map(() => reader.uint());
  const [chain = 0n, mempool = 0n, upgrade = 0n, node = 0n, filters = 0n] = positions;
  const parts = reader.list();
  if (parts.some(({ length }) => length !== DIGEST_BYTES)) throw new FormatError('digest of a wrong length');
  const history = reader.items(() => ({ key: reader.bytes(), value: reader.bytes() }));
  return {
    streams: { chain, mempool, upgrade, node, filters },
    history,
    parts,
    envelopes: reader.bytes(),
    other: reader.bytes(),
  };
}

/** The two events of an anchor; SnapshotRestored without its chunks. Throws FormatError. */
export function anchorEvents({ envelopes, other }: Anchor): readonly [Recorded<SnapshotRestored>, Recorded] {
  const readers = { envelope: new ByteReader(envelopes), other: new ByteReader(other) };
  const left = { transactions: undefined, results: undefined, writes: undefined, trace: undefined };
  const restored = decodeEvent(ANCHOR_POSITION, { ...readers, ...left });
  const started = decodeEvent(toPosition(ANCHOR_POSITION + 1n), { ...readers, ...left });
  readers.envelope.end();
  readers.other.end();
  if (!isRestored(restored) || started.event.type !== 'NodeStarted')
    throw new FormatError('an anchor with other events');
  return [restored, started];
}

function restoredEvent(data: SnapshotRestored['data'], chunks: LoggedChunks): SnapshotRestored {
  return 'head' in data
    ? { type: 'SnapshotRestored', v: 2, data: { ...data, chunks } }
    : { type: 'SnapshotRestored', v: 1, data: { ...data, chunks } };
}

/** Height of the anchor's snapshot. Throws FormatError. */
export function anchorHeight(anchor: Anchor): Height {
  return anchorEvents(anchor)[0].event.data.height;
}

/** Operation that writes one part of an anchor's snapshot. */
export function partRow(height: Height, index: number, value: Uint8Array): StoreOperation {
  return { type: 'put', key: anchorPartKey(height, index), value };
}

/** Reads the parts of an anchor's snapshot one by one and checks their digests. Throws CorruptionError. */
async function* anchorParts(
  store: Pick<KeyValueStore, 'range'>,
  crypto: Pick<Crypto, 'sha256'>,
  anchor: Anchor,
): AsyncGenerator<Uint8Array> {
  const height = anchorHeight(anchor);
  for (const [index, digest] of anchor.parts.entries()) {
    const key = anchorPartKey(height, index);
    const [row] = await store.range({ start: key, end: keyAfter(key), limit: 1 });
    if (row === undefined) throw missing(index);
    if (compare(crypto.sha256(row.value), digest) !== 0)
      throw new CorruptionError(`part ${index} of the snapshot differs`, { position: ANCHOR_POSITION });
    yield row.value;
  }
}

function missing(index: number): CorruptionError {
  return new CorruptionError(`part ${index} of the snapshot is missing`, { position: ANCHOR_POSITION });
}

/** The two events of an anchor; the snapshot's chunks are read lazily, from the first one at each iteration. */
export function withChunks(
  anchor: Anchor,
  store: Pick<KeyValueStore, 'range'>,
  crypto: Pick<Crypto, 'sha256'>,
): readonly Recorded[] {
  const [restored, started] = anchorEvents(anchor);
  const chunks = { [Symbol.asyncIterator]: () => anchorParts(store, crypto, anchor) };
  return [{ ...restored, event: restoredEvent(restored.event.data, chunks) }, started];
}
