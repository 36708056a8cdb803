import { toHeight, type Height } from '../../core/primitives.js';
import { ByteReader, ByteWriter, FormatError, readU64 } from '../bytes.js';
import { LEVELS, NO_SPANS, spansAfter, type Spans } from './spans.js';

/**
 * One version of one key: a row of `latest`, and later the same bytes as pre-image in the undo page of the block that
 * replaced it.
 */
export interface Version {
  /** Height of the block that wrote this version. */
  readonly height: Height;
  /**
   * Height of the block that wrote the previous version, which is in the undo page of `height`; undefined for the first
   * version.
   */
  readonly previous: Height | undefined;
  /** Skip pointers to earlier versions. */
  readonly spans: Spans;
  /** Undefined when the block deleted the key. */
  readonly value: Uint8Array | undefined;
}

/** Bits of the first byte; the lowest four are the number of spans. Rows of older builds begin with a zero byte. */
const MARK = 0x80;
const HAS_VALUE = 0x40;
/** Set when a count and that many spans follow; the remaining spans are zero. */
const HAS_SPANS = 0x20;
const COUNT = 0x0f;
/** Largest number of bytes before the value. */
const MOST_BEFORE_VALUE = 22 + 4 * LEVELS;
/** All-zero spans, by their number. */
const ZEROS: readonly Spans[] = Array.from({ length: COUNT + 1 }, (_, length) => Array.from({ length }, () => 0));

/** The version that a block at `height` writes over `before`. */
export function versionAfter(before: Version | undefined, height: Height, value: Uint8Array | undefined): Version {
  if (before === undefined) return { height, previous: undefined, spans: NO_SPANS, value };
  return { height, previous: before.height, spans: spansAfter(before, height), value };
}

/**
 * Encodes a version: kind (1), height, number of blocks since the previous version (0 when there is none), the spans up
 * to the last non-zero one, value. Numbers are varints.
 */
export function encodeVersion({ height, previous, spans, value }: Version): Uint8Array {
  let written = spans.length;
  while (written > 0 && spans[written - 1] === 0) written -= 1;
  const to = new ByteWriter(MOST_BEFORE_VALUE + (value?.length ?? 0));
  to.byte(MARK | (value === undefined ? 0 : HAS_VALUE) | (written === 0 ? 0 : HAS_SPANS) | spans.length);
  to.uint(height);
  to.uint(previous === undefined ? 0 : height - previous);
  if (written > 0) to.byte(written);
  for (let index = 0; index < written; index += 1) to.uint(spans[index] ?? 0);
  if (value !== undefined) to.raw(value);
  return to.finish();
}

/**
 * Inverse of `encodeVersion`; also decodes rows of older builds. The value is a view into `bytes`. Throws FormatError.
 */
export function decodeVersion(bytes: Uint8Array): Version {
  if (isOfEarlierBuild(bytes)) return decodeEarlier(bytes);
  const from = new ByteReader(bytes);
  const kind = from.byte();
  const height = toHeight(from.uint());
  const since = from.uint();
  return {
    height,
    previous: since === 0n ? undefined : toHeight(height - since),
    spans: (kind & HAS_SPANS) === 0 ? (ZEROS[kind & COUNT] ?? NO_SPANS) : readSpans(from, kind & COUNT),
    value: valueOf((kind & HAS_VALUE) !== 0, from.rest()),
  };
}

/** True for a row in the encoding of builds without spans. */
export function isOfEarlierBuild(row: Uint8Array): boolean {
  return (row[0] ?? 0) < MARK;
}

function readSpans(from: ByteReader, count: number): Spans {
  const written = from.byte();
  return Array.from({ length: count }, (_, index) => (index < written ? from.count() : 0));
}

/** Old encoding: height (8), previous height plus one or zero (8), kind (1), value. */
function decodeEarlier(bytes: Uint8Array): Version {
  const previousPlusOne = readU64(bytes, 8);
  return {
    height: toHeight(readU64(bytes, 0)),
    previous: previousPlusOne === 0n ? undefined : toHeight(previousPlusOne - 1n),
    spans: NO_SPANS,
    value: valueOf(bytes[16] !== 0, bytes.subarray(17)),
  };
}

function valueOf(hasValue: boolean, rest: Uint8Array): Uint8Array | undefined {
  if (hasValue) return rest;
  if (rest.length > 0) throw new FormatError('bytes behind a deletion');
  return undefined;
}
