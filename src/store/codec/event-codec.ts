/**
 * Codec of one event. Its fields are spread over the sections of its record (docs/decisions/0001-log-record.md). Type
 * numbers and field order never change; a new shape gets a new version of its type, with a decoder beside the old one.
 */
import { invariant } from '../../core/errors.js';
import {
  heldChunks,
  type LogEvent,
  type LoggedChunks,
  STREAM_OF,
  type Recorded,
  type TxAdmitted,
} from '../../core/log-events.js';
import { toHeight, toPosition, toTimeNs, type Position } from '../../core/primitives.js';
import { decodeDecided, decodeExecuted, encodeDecided, encodeExecuted } from './block-event-codec.js';
import { type ByteReader, FormatError } from '../bytes.js';
import { decodeCriteria, encodeCriteria } from '../filters/criteria-codec.js';
import type { SectionReaders, SectionWriters } from './sections.js';
import { decodeSnapshotHead, encodeSnapshotHead } from './snapshot-head-codec.js';
import { packWrites, unpackWrites } from './state-writes.js';

const TYPE_NUMBER = {
  ChainStarted: 1,
  BlockDecided: 2,
  BlockExecuted: 3,
  TxAdmitted: 4,
  UpgradeHalted: 5,
  NodeStarted: 6,
  FilterCreated: 7,
  FilterRemoved: 8,
  TimeShifted: 9,
  SnapshotTaken: 10,
  Reverted: 11,
  TxDropped: 12,
  SnapshotRestored: 13,
} as const satisfies Record<LogEvent['type'], number>;

/** Writes an event into the sections of its record. */
export function encodeEvent(recorded: Recorded, to: SectionWriters): void {
  const { event } = recorded;
  to.envelope.uint(TYPE_NUMBER[event.type]);
  to.envelope.uint(event.v);
  to.envelope.uint(recorded.streamPosition);
  to.envelope.int(recorded.time);
  to.envelope.text(recorded.cause);
  switch (event.type) {
    case 'ChainStarted': {
      const { data } = event;
      to.other.text(data.chainId);
      to.other.uint(data.evmChainId);
      to.other.text(data.bech32Prefix);
      to.other.text(data.preset);
      to.other.bytes(data.genesis);
      to.other.uint(data.initialHeight);
      to.other.bytes(data.validators);
      to.other.bytes(data.consensusParams);
      packWrites(data.writes, to.writes);
      return;
    }
    case 'SnapshotRestored': {
      const { data } = event;
      to.envelope.uint(data.height);
      to.envelope.bytes(data.appHash);
      to.envelope.int(data.time);
      to.envelope.bytes(data.blockHash);
      to.envelope.bytes(data.validators);
      to.envelope.bytes(data.nextValidators);
      to.envelope.bytes(data.consensusParams);
      to.envelope.optional(data.upgradeHeight);
      to.envelope.uint(data.format);
      to.writes.list(chunksToEncode(data.chunks));
      if (event.v === 2) encodeSnapshotHead(event.data.head, to.envelope);
      return;
    }
    case 'BlockDecided':
      encodeDecided(event, to);
      return;
    case 'BlockExecuted':
      encodeExecuted(event, to);
      return;
    case 'TxAdmitted':
      to.other.bytes(event.data.tx);
      to.other.list(event.data.left);
      return;
    case 'TxDropped':
      to.other.list(event.data.hashes);
      return;
    case 'UpgradeHalted':
      to.other.text(event.data.name);
      to.other.uint(event.data.height);
      to.other.text(event.data.info);
      return;
    case 'NodeStarted':
      to.other.text(event.data.version);
      to.other.text(event.data.appVersion);
      to.other.uint(event.data.skipUpgradeHeights.length);
      for (const height of event.data.skipUpgradeHeights) to.other.uint(height);
      return;
    case 'FilterCreated':
      to.other.bytes(event.data.id);
      encodeCriteria(event.data.criteria, to.other);
      to.other.uint(event.data.height);
      to.other.uint(event.data.position);
      return;
    case 'FilterRemoved':
      to.other.bytes(event.data.id);
      to.other.byte(event.data.reason === 'expired' ? 1 : 0);
      return;
    case 'TimeShifted':
      to.other.int(event.data.shift);
      return;
    case 'SnapshotTaken':
      to.other.uint(event.data.id);
      to.other.uint(event.data.height);
      return;
    case 'Reverted':
      to.envelope.uint(event.data.toHeight);
      to.envelope.uint(event.data.snapshot);
  }
}

/** Returns the chunks that the record stores. The chunks of an anchor are separate rows and are never encoded here. */
function chunksToEncode(chunks: LoggedChunks): readonly Uint8Array[] {
  const held = heldChunks(chunks);
  invariant(held !== undefined, 'no record holds the chunks of an anchor');
  return held;
}

/** Reads the next event; throws FormatError. Byte fields are views into the sections. */
export function decodeEvent(position: Position, from: SectionReaders): Recorded {
  const { envelope } = from;
  const type = envelope.count();
  const version = envelope.count();
  const streamPosition = envelope.uint();
  const time = toTimeNs(envelope.int());
  const cause = envelope.text();
  const event = decodeData(type, version, from);
  return { position, stream: STREAM_OF[event.type], streamPosition, time, cause, event };
}

/** Newest version of each event type; 1 for types that are not listed. */
const LAST_VERSION: ReadonlyMap<number, number> = new Map([
  [TYPE_NUMBER.BlockDecided, 3],
  [TYPE_NUMBER.BlockExecuted, 4],
  [TYPE_NUMBER.TxAdmitted, 2],
  [TYPE_NUMBER.SnapshotRestored, 2],
]);

function decodeData(type: number, version: number, from: SectionReaders): LogEvent {
  const { envelope } = from;
  if (version < 1 || version > (LAST_VERSION.get(type) ?? 1))
    throw new FormatError(`event type ${type} has unknown version ${version}`);
  switch (type) {
    case TYPE_NUMBER.ChainStarted: {
      const other = present(from.other);
      return {
        type: 'ChainStarted',
        v: 1,
        data: {
          chainId: other.text(),
          evmChainId: other.uint(),
          bech32Prefix: other.text(),
          preset: other.text(),
          genesis: other.bytes(),
          initialHeight: toHeight(other.uint()),
          validators: other.bytes(),
          consensusParams: other.bytes(),
          writes: from.writes === undefined ? [] : unpackWrites(from.writes),
        },
      };
    }
    case TYPE_NUMBER.SnapshotRestored: {
      const height = toHeight(envelope.uint());
      const appHash = envelope.bytes();
      const time = toTimeNs(envelope.int());
      const blockHash = envelope.bytes();
      const validators = envelope.bytes();
      const nextValidators = envelope.bytes();
      const consensusParams = envelope.bytes();
      const upgrade = envelope.optional();
      const data = {
        height,
        appHash,
        time,
        blockHash,
        validators,
        nextValidators,
        consensusParams,
        upgradeHeight: upgrade === undefined ? undefined : toHeight(upgrade),
        format: envelope.count(),
        chunks: from.writes?.list() ?? [],
      };
      return version === 1
        ? { type: 'SnapshotRestored', v: 1, data }
        : { type: 'SnapshotRestored', v: 2, data: { ...data, head: decodeSnapshotHead(envelope) } };
    }
    case TYPE_NUMBER.BlockDecided:
      return decodeDecided(version, from);
    case TYPE_NUMBER.BlockExecuted:
      return decodeExecuted(version, from);
    case TYPE_NUMBER.TxAdmitted:
      return { type: 'TxAdmitted', v: 2, data: decodeAdmitted(version, present(from.other)) };
    case TYPE_NUMBER.TxDropped:
      return { type: 'TxDropped', v: 1, data: { hashes: present(from.other).list() } };
    case TYPE_NUMBER.UpgradeHalted: {
      const other = present(from.other);
      return {
        type: 'UpgradeHalted',
        v: 1,
        data: { name: other.text(), height: toHeight(other.uint()), info: other.text() },
      };
    }
    case TYPE_NUMBER.NodeStarted: {
      const other = present(from.other);
      const version = other.text();
      const appVersion = other.text();
      const skipUpgradeHeights = other.items(() => toHeight(other.uint()));
      return { type: 'NodeStarted', v: 1, data: { version, appVersion, skipUpgradeHeights } };
    }
    case TYPE_NUMBER.FilterCreated: {
      const other = present(from.other);
      const id = other.bytes();
      const criteria = decodeCriteria(other);
      return {
        type: 'FilterCreated',
        v: 1,
        data: { id, criteria, height: toHeight(other.uint()), position: toPosition(other.uint()) },
      };
    }
    case TYPE_NUMBER.FilterRemoved: {
      const other = present(from.other);
      return {
        type: 'FilterRemoved',
        v: 1,
        data: { id: other.bytes(), reason: other.byte() === 1 ? 'expired' : 'uninstalled' },
      };
    }
    case TYPE_NUMBER.TimeShifted:
      return { type: 'TimeShifted', v: 1, data: { shift: present(from.other).int() } };
    case TYPE_NUMBER.SnapshotTaken: {
      const other = present(from.other);
      return { type: 'SnapshotTaken', v: 1, data: { id: other.uint(), height: toHeight(other.uint()) } };
    }
    case TYPE_NUMBER.Reverted:
      return { type: 'Reverted', v: 1, data: { toHeight: toHeight(envelope.uint()), snapshot: envelope.uint() } };
    default:
      throw new FormatError(`unknown event type ${type}`);
  }
}

/** Version 1 of TxAdmitted ends after the transaction and does not record which transactions left the pool for it. */
function decodeAdmitted(version: number, from: ByteReader): TxAdmitted['data'] {
  const tx = from.bytes();
  return { tx, left: version === 1 ? [] : from.list() };
}

function present(reader: ByteReader | undefined): ByteReader {
  if (reader === undefined) throw new FormatError('section missing');
  return reader;
}
