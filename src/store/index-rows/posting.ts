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

/** The indexed parts, from the results of an executed block. */
export function blockEventsOf(height: Height, results: EncodedResults): BlockEvents {
  const indices = Array.from({ length: results.txCount }, (_, index) => index);
  return {
    height,
    txs: indices.map((index) => ({ events: results.txEvents(index) })),
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

/**
 * All postings of a block in order of its events: attributes with `index` and a non-empty key, of events with a type
 * (CometBFT v0.38 `state/txindex/kv/kv.go`). Attributes that imitate a reserved key are left out; CometBFT would fail
 * to index the block.
 */
export function postingsOf(kind: PostingKind, { height, txs, events }: Omit<BlockEvents, 'logs'>): readonly Posting[] {
  const postings: Posting[] = [];
  const carriers = kind === 'tx' ? txs : [{ events }];
  for (const [index, carrier] of carriers.entries()) {
    postings.push({ key: HEIGHT_KEY[kind], value: '', height, index, event: 0 });
    for (const [event, { type, attributes }] of carrier.events.entries()) {
      if (type === '') continue;
      for (const attribute of attributes) {
        const key = `${type}.${attribute.key}`;
        if (attribute.index && attribute.key !== '' && !RESERVED.has(key))
          postings.push({ key, value: attribute.value, height, index, event });
      }
    }
  }
  return postings;
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

/**
 * The rows of a block. Postings with the same key and value, such as the addresses and amounts of many similar
 * transactions, share rows of up to `POSTINGS_PER_ROW` postings.
 */
export function postingRows(kind: PostingKind, block: Omit<BlockEvents, 'logs'>): readonly Row[] {
  const lines = new Map<string, Map<string, Posting[]>>();
  for (const posting of postingsOf(kind, block)) {
    let values = lines.get(posting.key);
    if (values === undefined) lines.set(posting.key, (values = new Map()));
    const line = values.get(posting.value);
    if (line === undefined) values.set(posting.value, [posting]);
    else line.push(posting);
  }
  const rows: Row[] = [];
  const variants = new Map<string, number>();
  for (const values of lines.values()) for (const line of values.values()) pushRows(rows, kind, line, variants);
  return rows;
}

/** Rows of postings with one key and value; one row for each posting when the row must hold the value itself. */
function pushRows(rows: Row[], kind: PostingKind, line: readonly Posting[], variants: Map<string, number>): void {
  const [first] = line;
  if (first === undefined) return;
  const exact = exactValue(first.value);
  if (exact.length > 0) {
    for (const posting of line) {
      const id = toOrderedString(postingKey(kind, posting));
      const variant = (variants.get(id) ?? 0) + 1;
      variants.set(id, variant);
      if (variant <= VARIANTS)
        rows.push({
          key: postingKey(kind, { ...posting, event: variant * VARIANT_UNIT + posting.event }),
          value: exact,
        });
    }
    return;
  }
  if (line.length === 1) {
    rows.push({ key: postingKey(kind, first), value: exact });
    return;
  }
  for (let at = 0; at < line.length; at += POSTINGS_PER_ROW) {
    const key = postingKey(kind, { ...first, index: SEVERAL, event: at / POSTINGS_PER_ROW });
    rows.push({ key, value: places(line.slice(at, at + POSTINGS_PER_ROW)) });
  }
}

/** Index and event of each posting, as varints. */
function places(postings: readonly Posting[]): Uint8Array {
  const writer = new ByteWriter();
  for (const { index, event } of postings) {
    writer.uint(index);
    writer.uint(event);
  }
  return writer.finish();
}

/**
 * Key of a row: kind (1), length of the composite key (2), composite key, value with its end mark, height (8), index
 * (4), event (4). Hex values stand there in lower case, so that addresses compare without case. The row of a single
 * posting is empty; where the key does not hold its value exactly, the row holds it, and the first byte of the event
 * tells such rows of one event apart. In a row of several the index is `SEVERAL`, and instead of the event stands the
 * row's number.
 */
export function postingKey(kind: PostingKind, { key, value, height, index, event }: Posting): Uint8Array {
  const prefix = keyPrefix(kind, key);
  const bytes = escaped(indexedBytes(value));
  const row = new Uint8Array(prefix.length + bytes.length + VALUE_END.length + TAIL_BYTES);
  row.set(prefix);
  row.set(bytes, prefix.length);
  row.set(VALUE_END, prefix.length + bytes.length);
  const tail = new DataView(row.buffer, row.length - TAIL_BYTES);
  tail.setBigUint64(0, height);
  tail.setUint32(8, index);
  tail.setUint32(12, event);
  return row;
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
