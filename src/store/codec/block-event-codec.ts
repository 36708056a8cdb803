/**
 * Codec of the block events BlockDecided and BlockExecuted; part of `src/store/codec/event-codec.ts`, whose
 * compatibility rules apply.
 */
import type { BlockDecided, BlockExecuted } from '../../core/log-events.js';
import { toHeight } from '../../core/primitives.js';
import { joinBlock, splitBlock } from './block-parts.js';
import type { ByteReader } from '../bytes.js';
import type { SectionReaders, SectionWriters } from './sections.js';
import { packWrites, unpackWrites } from './state-writes.js';
import { packTouched, unpackTouched } from './touched-codec.js';
import { packTrace, unpackTrace } from './trace-codec.js';

/** States of the block's field `Data`: absent, stored in the section `transactions`, or present but empty. */
const NO_DATA = 0;
const HAS_DATA = 1;
const EMPTY_DATA = 2;

/** Writes the data of a BlockDecided. */
export function encodeDecided(event: BlockDecided, to: SectionWriters): void {
  const parts = splitBlock(event.data.block);
  to.envelope.uint(event.data.height);
  to.envelope.bytes(parts.before);
  const { data } = parts;
  to.envelope.byte(data === undefined ? NO_DATA : data.length === 0 ? EMPTY_DATA : HAS_DATA);
  to.envelope.bytes(parts.after);
  if (data !== undefined && data.length > 0) to.transactions.bytes(data);
  if (event.v === 2) {
    to.envelope.bytes(event.data.hash);
    to.envelope.bytes(event.data.lastCommit);
    to.envelope.list(event.data.misbehavior);
    return;
  }
  to.envelope.bytes(event.data.commit);
  if (event.v === 3) {
    packTrace(event.data.trace, to.trace);
    return;
  }
  to.trace.uint(event.data.trace.length);
  for (const { type, value } of event.data.trace) {
    to.trace.text(type);
    to.trace.text(value);
  }
}

/** Reads the data of a BlockDecided of a known version; throws FormatError. */
export function decodeDecided(version: number, from: SectionReaders): BlockDecided {
  const { envelope } = from;
  const height = toHeight(envelope.uint());
  const before = envelope.bytes();
  const data = envelope.byte();
  const after = envelope.bytes();
  const block = joinBlock({ before, data: readData(data, from.transactions), after });
  if (version === 2) {
    const hash = envelope.bytes();
    const lastCommit = envelope.bytes();
    return {
      type: 'BlockDecided',
      v: 2,
      data: { height, block, hash, lastCommit, misbehavior: envelope.list() },
    };
  }
  const commit = envelope.bytes();
  if (version === 3) {
    const trace = from.trace === undefined ? [] : unpackTrace(from.trace, height);
    return { type: 'BlockDecided', v: 3, data: { height, block, commit, trace } };
  }
  return {
    type: 'BlockDecided',
    v: 1,
    data: { height, block, commit, trace: from.trace === undefined ? [] : decodeTrace(from.trace) },
  };
}

/** Writes the data of a BlockExecuted. */
export function encodeExecuted(event: BlockExecuted, to: SectionWriters): void {
  to.envelope.uint(event.data.height);
  to.envelope.optional(event.data.upgradeHeight);
  if (event.v === 2 || event.v === 4) to.envelope.bytes(event.data.appHash);
  to.results.bytes(event.data.results);
  packWrites(event.data.writes, to.writes);
  if (event.v >= 3) packTouched(event.data.touched ?? [], to.other);
}

/** Reads the data of a BlockExecuted of a known version; throws FormatError. */
export function decodeExecuted(version: number, from: SectionReaders): BlockExecuted {
  const { envelope } = from;
  const height = toHeight(envelope.uint());
  const upgrade = envelope.optional();
  const appHash = version === 2 || version === 4 ? envelope.bytes() : undefined;
  const data = {
    height,
    results: from.results?.bytes() ?? new Uint8Array(0),
    writes: from.writes === undefined ? [] : unpackWrites(from.writes),
    upgradeHeight: upgrade === undefined ? undefined : toHeight(upgrade),
    ...(version >= 3 && { touched: from.other === undefined ? [] : unpackTouched(from.other) }),
  };
  return appHash === undefined
    ? { type: 'BlockExecuted', v: version === 3 ? 3 : 1, data }
    : { type: 'BlockExecuted', v: version === 4 ? 4 : 2, data: { ...data, appHash } };
}

/** Contents of the block's `Data`. Logs of format 4 and below store empty contents in the section, too. */
function readData(kind: number, from: ByteReader | undefined): Uint8Array | undefined {
  if (kind === EMPTY_DATA) return new Uint8Array(0);
  return kind === HAS_DATA ? from?.bytes() : undefined;
}

function decodeTrace(from: ByteReader): { type: string; value: string }[] {
  return from.items(() => ({ type: from.text(), value: from.text() }));
}
