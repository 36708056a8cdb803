/** Rows of postings: several with the same key and value share one. */
import { toOrderedString } from '../../core/bytes/key-order.js';
import { ByteReader, ByteWriter } from '../bytes.js';
import { SEVERAL, exactValue, placeOf, postingKey, valueInKey } from './posting-key.js';
import { visitPostings, type BlockEvents, type Posting, type PostingKind } from './posting.js';

/** Largest number of postings in one row; bounds the decoded size of a row. */
export const POSTINGS_PER_ROW = 256;
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

/** Postings of a row of the composite key `key`. */
export function decodePostings(
  kind: PostingKind,
  key: string,
  rowKey: Uint8Array,
  row: Uint8Array,
): readonly Posting[] {
  const { height, index, event } = placeOf(rowKey);
  const several = index === SEVERAL;
  const value = row.length > 0 && !several ? row : valueInKey(kind, key, rowKey);
  const common = { key, value: new TextDecoder().decode(value), height };
  if (!several) return [{ ...common, index, event: event % VARIANT_UNIT }];
  const postings: Posting[] = [];
  const reader = new ByteReader(row);
  while (reader.remaining > 0) postings.push({ ...common, index: reader.count(), event: reader.count() });
  return postings;
}
