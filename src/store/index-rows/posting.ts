import { utf8, compare, concat } from '../../core/bytes/bytes.js';
import { readResponse } from '../../core/ethereum/wrapped-transaction.js';
import type { Event } from '../../core/proto/tendermint/abci/types_pb.js';
import type { EncodedResults, TxOutcome } from '../../core/comet/encoded-results.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { canonicalText } from '../../core/query/index.js';
import { toOrderedString } from '../../core/bytes/key-order.js';
import { ByteReader, ByteWriter, readU64 } from '../bytes.js';
import { PREFIX } from '../keys.js';
import type { IndexedLog } from './log-posting.js';
import { FIXED_LIMITS } from '../../core/limits.js';

export type PostingKind = 'tx' | 'block';

/** One indexed attribute: the event, and the transaction or block that holds the event. */
export interface Posting {
  /**
   * Composite key `type.key`, or `tx.height` and `block.height`, whose value is empty because the posting has the
   * height.
   */
  readonly key: string;
  readonly value: string;
  readonly height: Height;
  /** Index of the transaction in its block; 0 for block events. */
  readonly index: number;
  /** Number of the event inside its transaction or block: all conditions must hold in one event. */
  readonly event: number;
}

/** The parts of an executed block that are indexed. */
export interface BlockEvents {
  readonly height: Height;
  readonly txs: readonly { readonly events: readonly Event[] }[];
  readonly events: readonly Event[];
  /** Logs of its Ethereum transactions. */
  readonly logs: readonly IndexedLog[];
}

/**
 * The indexed parts, from the results of an executed block. The events of a transaction are decoded at each reading, so
 * that those of a large block are never in memory together.
 */
export function blockEventsOf(height: Height, results: EncodedResults): BlockEvents {
  const indices = Array.from({ length: results.txCount }, (_, index) => index);
  return {
    height,
    txs: indices.map((index) => ({
      get events() {
        return results.txEvents(index);
      },
    })),
    events: results.events,
    logs: indices.flatMap((index) => logsOf(results.outcome(index))),
  };
}

function logsOf(outcome: TxOutcome | undefined): readonly IndexedLog[] {
  const response = outcome?.code === 0 ? readResponse(outcome.data) : undefined;
  return response === undefined || response.vmError !== '' ? [] : response.logs;
}

/** The key under which every transaction (or block) is found by height alone. */
export const HEIGHT_KEY = { tx: 'tx.height', block: 'block.height' } as const satisfies Record<PostingKind, string>;

const RESERVED: ReadonlySet<string> = new Set(['tx.hash', HEIGHT_KEY.tx, HEIGHT_KEY.block]);

/** Bytes of a value in the key; the row tells longer values apart. */
const VALUE_BYTES = 512;
const TAIL_BYTES = 16;
/** Ends the value in a key. */
const VALUE_END = Uint8Array.of(0, 1);
const NOTHING = new Uint8Array();
const KIND_BYTE = { tx: PREFIX.index, block: PREFIX.index + 1 } as const;

/** Key of the row with the last indexed height. */
export const CURSOR_KEY = Uint8Array.of(PREFIX.index + 2);

/** Takes one posting of a block, whose height is the block's. */
type Visit = (key: string, value: string, index: number, event: number) => void;

/**
 * Visits all postings of a block in order of its events: attributes with `index` and a non-empty key, of events with a
 * type (CometBFT v0.38 `state/txindex/kv/kv.go`). Attributes that imitate a reserved key are left out; CometBFT would
 * fail to index the block.
 */
function visitPostings(kind: PostingKind, { txs, events }: Omit<BlockEvents, 'logs'>, visit: Visit): void {
  const carriers = kind === 'tx' ? txs : [{ events }];
  for (const [index, carrier] of carriers.entries()) {
    visit(HEIGHT_KEY[kind], '', index, 0);
    for (const [event, { type, attributes }] of carrier.events.entries()) {
      if (type === '') continue;
      for (const attribute of attributes) {
        const key = compositeKey(type, attribute.key);
        if (attribute.index && attribute.key !== '' && !RESERVED.has(key)) visit(key, attribute.value, index, event);
      }
    }
  }
}

/** All postings of a block in order of its events. */
export function postingsOf(kind: PostingKind, block: Omit<BlockEvents, 'logs'>): readonly Posting[] {
  const { height } = block;
  const postings: Posting[] = [];
  visitPostings(kind, block, (key, value, index, event) => postings.push({ key, value, height, index, event }));
  return postings;
}

const compositeKeys = new Map<string, Map<string, string>>();
let compositeCount = 0;

/** `type.key`, the same text each time: joined anew for each attribute, it would be hashed anew as well. */
function compositeKey(type: string, key: string): string {
  const known = compositeKeys.get(type)?.get(key);
  if (known !== undefined) return known;
  if (compositeCount >= FIXED_LIMITS.cachedPrefixes) {
    compositeKeys.clear();
    compositeCount = 0;
  }
  const made = `${type}.${key}`;
  const keys = compositeKeys.get(type) ?? new Map<string, string>();
  compositeKeys.set(type, keys.set(key, made));
  compositeCount += 1;
  return made;
}

/** Largest number of postings in one row; bounds the decoded size of a row. */
export const POSTINGS_PER_ROW = 256;
/** Index in the key of a row with several postings; no transaction has this index. */
const SEVERAL = 0xffff_ffff;
/** Unit above the number of the event, in which the values of one event that share a key are counted from 1. */
const VARIANT_UNIT = 1 << 24;
/**
 * Largest number of values of one event that share a key, because they differ only after their indexed bytes; further
 * ones cannot be found by it.
 */
const VARIANTS = 255;

interface Row {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** The postings of a block with one key and value. */
interface Line extends Pick<Posting, 'key' | 'value' | 'height'> {
  /** Index and event of each, one after the other: numbers, because a large block has very many. */
  readonly places: readonly number[];
}

/**
 * The rows of a block. Postings with the same key and value, such as the addresses and amounts of many similar
 * transactions, share rows of up to `POSTINGS_PER_ROW` postings.
 */
export function postingRows(kind: PostingKind, block: Omit<BlockEvents, 'logs'>): readonly Row[] {
  const lines = new Map<string, Map<string, number[]>>();
  visitPostings(kind, block, (key, value, index, event) => {
    let values = lines.get(key);
    if (values === undefined) lines.set(key, (values = new Map()));
    const places = values.get(value);
    if (places === undefined) values.set(value, [index, event]);
    else places.push(index, event);
  });
  const rows: Row[] = [];
  const variants = new Map<string, number>();
  const { height } = block;
  for (const [key, values] of lines)
    for (const [value, places] of values) pushRows(rows, kind, { key, value, height, places }, variants);
  return rows;
}

/** Rows of postings with one key and value; one row for each posting when the row must hold the value itself. */
function pushRows(rows: Row[], kind: PostingKind, line: Line, variants: Map<string, number>): void {
  const { key, value, height, places } = line;
  const rowKey = (index: number, event: number): Uint8Array => postingKey(kind, { key, value, height, index, event });
  const exact = exactValue(value);
  if (exact.length > 0) {
    for (let at = 0; at < places.length; at += 2) {
      const [index = 0, event = 0] = places.slice(at, at + 2);
      const id = toOrderedString(rowKey(index, event));
      const variant = (variants.get(id) ?? 0) + 1;
      variants.set(id, variant);
      if (variant <= VARIANTS) rows.push({ key: rowKey(index, variant * VARIANT_UNIT + event), value: exact });
    }
    return;
  }
  if (places.length === 2) {
    rows.push({ key: rowKey(places[0] ?? 0, places[1] ?? 0), value: exact });
    return;
  }
  for (let at = 0; at < places.length; at += 2 * POSTINGS_PER_ROW) {
    const writer = new ByteWriter();
    for (const number of places.slice(at, at + 2 * POSTINGS_PER_ROW)) writer.uint(number);
    rows.push({ key: rowKey(SEVERAL, at / (2 * POSTINGS_PER_ROW)), value: writer.finish() });
  }
}

/**
 * Key of a row: kind (1), length of the composite key (2), composite key, value with its end mark, height (8), index
 * (4), event (4). Hex values stand there in lower case, so that addresses compare without case. The row of a single
 * posting is empty; where the key does not hold its value exactly, the row holds it, and the first byte of the event
 * tells such rows of one event apart. In a row of several the index is `SEVERAL`, and instead of the event stands the
 * row's number.
 */
export function postingKey(kind: PostingKind, { key, value, height, index, event }: Posting): Uint8Array {
  const row = valueRow(keyPrefix(kind, key), canonicalText(value), VALUE_END.length + TAIL_BYTES);
  const tail = row.length - TAIL_BYTES;
  row.set(VALUE_END, tail - VALUE_END.length);
  const high = height >> 32n;
  setUint32(row, tail, Number(high));
  setUint32(row, tail + 4, Number(height - (high << 32n)));
  setUint32(row, tail + 8, index);
  setUint32(row, tail + 12, event);
  return row;
}

/** `prefix`, the indexed bytes of `value`, and `rest` zeros. Most values are short ASCII, written without a copy. */
function valueRow(prefix: Uint8Array, value: string, rest: number): Uint8Array {
  const start = prefix.length;
  if (value.length <= VALUE_BYTES) {
    const row = new Uint8Array(start + value.length + rest);
    row.set(prefix);
    let at = 0;
    for (; at < value.length; at += 1) {
      const code = value.charCodeAt(at);
      if (code === 0 || code > 0x7f) break;
      row[start + at] = code;
    }
    if (at === value.length) return row;
  }
  return concat(prefix, escaped(indexedBytes(value)), new Uint8Array(rest));
}

function setUint32(row: Uint8Array, at: number, value: number): void {
  row[at] = value >>> 24;
  row[at + 1] = value >>> 16;
  row[at + 2] = value >>> 8;
  row[at + 3] = value;
}

const prefixes = new Map<string, Uint8Array>();

/** Beginning of the rows of one composite key. */
export function keyPrefix(kind: PostingKind, key: string): Uint8Array {
  const id = `${kind}/${key}`;
  const known = prefixes.get(id);
  if (known !== undefined) return known;
  const name = utf8(key);
  const prefix = concat(Uint8Array.of(KIND_BYTE[kind], (name.length >> 8) & 0xff, name.length & 0xff), name);
  if (prefixes.size >= FIXED_LIMITS.cachedPrefixes) prefixes.clear();
  prefixes.set(id, prefix);
  return prefix;
}

/** Beginning of the rows of one composite key with one value, or with the same first bytes of a long value. */
export function valuePrefix(kind: PostingKind, key: string, value: string): Uint8Array {
  return concat(keyPrefix(kind, key), escaped(indexedBytes(value)), VALUE_END);
}

/** The value, when its key does not hold it exactly; else empty. */
function exactValue(value: string): Uint8Array {
  // Short text in canonical form is known to be exact without encoding: a code unit takes at most three bytes.
  if (value.length * 3 <= VALUE_BYTES && canonicalText(value) === value) return NOTHING;
  const exact = utf8(value);
  return compare(exact, indexedBytes(value)) === 0 ? NOTHING : exact;
}

/** Postings of a row of the composite key `key`. */
export function decodePostings(
  kind: PostingKind,
  key: string,
  rowKey: Uint8Array,
  row: Uint8Array,
): readonly Posting[] {
  const tail = rowKey.length - TAIL_BYTES;
  const view = new DataView(rowKey.buffer, rowKey.byteOffset, rowKey.length);
  const index = view.getUint32(tail + 8);
  const several = index === SEVERAL;
  const value = row.length > 0 && !several ? row : unescaped(rowKey.subarray(keyPrefix(kind, key).length, tail - 2));
  const common = { key, value: new TextDecoder().decode(value), height: toHeight(readU64(rowKey, tail)) };
  if (!several) return [{ ...common, index, event: view.getUint32(tail + 12) % VARIANT_UNIT }];
  const postings: Posting[] = [];
  const reader = new ByteReader(row);
  while (reader.remaining > 0) postings.push({ ...common, index: reader.count(), event: reader.count() });
  return postings;
}

function indexedBytes(value: string): Uint8Array {
  return utf8(canonicalText(value)).subarray(0, VALUE_BYTES);
}

/** Zero bytes become `00 ff`, so that the end mark `00 01` sorts a value before all its extensions. */
function escaped(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0)) return bytes;
  const out = new Uint8Array(bytes.length * 2);
  let length = 0;
  for (const byte of bytes) {
    out[length] = byte;
    length += 1;
    if (byte !== 0) continue;
    out[length] = 0xff;
    length += 1;
  }
  return out.subarray(0, length);
}

function unescaped(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, index) => !(byte === 0xff && index > 0 && bytes[index - 1] === 0));
}
