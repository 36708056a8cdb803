import type { LogEvent, Stream } from '../../core/log-events.js';
import { toHeight, toPosition, toTimeNs, type Height, type Position, type TimeNs } from '../../core/primitives.js';
import { ByteWriter, FormatError } from '../bytes.js';
import { readRow } from '../rows/read-row.js';
import { NO_HASH } from './record.js';

/** Head of the log. The head row is written in the batch of every record. */
export interface LogHead {
  /** Position of the last event; 0 when the log is empty. */
  readonly position: Position;
  /** First position of the last record; 0 when the log is empty. */
  readonly record: Position;
  /** Hash of the last record; 32 zero bytes when the log is empty. */
  readonly hash: Uint8Array;
  readonly time: TimeNs;
  /** Last position inside each stream. */
  readonly streams: Readonly<Record<Stream, bigint>>;
  /** Last decided and last executed height; 0 before the first block. */
  readonly decided: Height;
  readonly executed: Height;
}

export const EMPTY_HEAD: LogHead = {
  position: toPosition(0n),
  record: toPosition(0n),
  hash: NO_HASH,
  time: toTimeNs(0n),
  streams: { chain: 0n, mempool: 0n, upgrade: 0n, node: 0n, filters: 0n },
  decided: toHeight(0n),
  executed: toHeight(0n),
};

/** Version 1 lacks the stream `filters`. */
const HEAD_VERSION = 2;

/** Encodes the head row in the newest version. */
export function encodeHead(head: LogHead): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(HEAD_VERSION);
  writer.uint(head.position);
  writer.uint(head.record);
  writer.raw(head.hash);
  writer.int(head.time);
  writer.uint(head.decided);
  writer.uint(head.executed);
  const { chain, mempool, upgrade, node, filters } = head.streams;
  for (const position of [chain, mempool, upgrade, node, filters]) writer.uint(position);
  return writer.finish();
}

/** Decodes the head row. Throws CorruptionError. */
export function decodeHead(bytes: Uint8Array): LogHead {
  return readRow('head row', bytes, (reader) => {
    const version = reader.byte();
    if (version !== 1 && version !== HEAD_VERSION) throw new FormatError('unknown version of the head row');
    return {
      position: toPosition(reader.uint()),
      record: toPosition(reader.uint()),
      hash: reader.raw(NO_HASH.length).slice(),
      time: toTimeNs(reader.int()),
      decided: toHeight(reader.uint()),
      executed: toHeight(reader.uint()),
      streams: {
        chain: reader.uint(),
        mempool: reader.uint(),
        upgrade: reader.uint(),
        node: reader.uint(),
        filters: version === 1 ? 0n : reader.uint(),
      },
    };
  });
}

/**
 * The event cannot follow the head: a bug of the caller. Heights must be consecutive, and a block is decided before it
 * is executed.
 */
export class OutOfOrderError extends Error {
  override readonly name = 'OutOfOrderError';
}

/** Decided and executed heights after `event`; throws OutOfOrderError when the event cannot follow. */
export function heightsAfter(
  heights: { readonly decided: Height; readonly executed: Height },
  event: LogEvent,
): { decided: Height; executed: Height } {
  const { decided, executed } = heights;
  if (event.type === 'ChainStarted') {
    if (decided !== 0n) throw new OutOfOrderError('the chain began already');
  } else if (event.type === 'SnapshotRestored') {
    const { height } = event.data;
    if (decided !== executed)
      throw new OutOfOrderError(`a snapshot of ${height} restored at the decided block ${decided}`);
    return { decided: height, executed: height };
  } else if (event.type === 'BlockDecided') {
    const { height } = event.data;
    if (height < 1n || (decided !== 0n && height !== decided + 1n))
      throw new OutOfOrderError(`block ${height} decided after ${decided}`);
    return { decided: height, executed };
  } else if (event.type === 'BlockExecuted') {
    const { height } = event.data;
    if (height > decided || height < 1n || (executed !== 0n && height !== executed + 1n)) {
      throw new OutOfOrderError(`block ${height} executed after ${executed}, decided ${decided}`);
    }
    return { decided, executed: height };
  } else if (event.type === 'Reverted') {
    const { toHeight: height } = event.data;
    if (executed !== 0n && height > executed) throw new OutOfOrderError(`went back to ${height} from ${executed}`);
    return { decided: height, executed: height };
  }
  return { decided, executed };
}
