/** Rows of postings: several with the same key and value share one. */
import { toOrderedString } from '../../core/bytes/key-order.js';
import { ByteReader, ByteWriter } from '../bytes.js';
import { invariant } from '../../core/errors.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { SEVERAL, SHARED, exactValue, placeOf, postingKey, valueInKey, windowOf } from './posting-key.js';
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

/** Numbers of postings by composite key and value. */
type Lines = Map<string, Map<string, number[]>>;

/**
 * The rows of a block. Postings with the same key and value, such as the addresses and amounts of many similar
 * transactions, share rows of up to `POSTINGS_PER_ROW` postings.
 */
export function postingRows(kind: PostingKind, block: Omit<BlockEvents, 'logs'>): readonly Row[] {
  const lines: Lines = new Map();
  visitPostings(kind, block, (key, value, index, event) => addTo(lines, key, value, index, event));
  const rows: Row[] = [];
  const variants = new Map<string, number>();
  const { height } = block;
  for (const [key, values] of lines)
    for (const [value, places] of values) pushRows(rows, kind, { key, value, height, places }, variants);
  return rows;
}

/**
 * The rows of the block events of a whole window, in order of height. What several of its blocks have in common, such
 * as the accounts of modules, shares rows: a block without transactions adds hardly more than its amounts. Such a row
 * holds the distance from the beginning of the window and the event of each posting.
 */
export function windowRows(blocks: readonly Pick<BlockEvents, 'height' | 'events'>[]): readonly Row[] {
  const [first] = blocks;
  invariant(first !== undefined && first.height === windowOf(first.height), 'a window is indexed from its beginning');
  const lines: Lines = new Map();
  for (const { height, events } of blocks) {
    const distance = Number(height - first.height);
    visitPostings('block', { height, txs: [], events }, (key, value, _, event) =>
      addTo(lines, key, value, distance, event),
    );
  }
  const rows: Row[] = [];
  const variants = new Map<string, number>();
  for (const [key, values] of lines)
    for (const [value, places] of values) {
      if (isShared(value, places))
        pushShared(rows, SHARED, { kind: 'block', key, value, height: first.height }, places);
      else pushEach(rows, { key, value, height: first.height, places }, variants);
    }
  return rows;
}

function addTo(lines: Lines, key: string, value: string, first: number, second: number): void {
  let values = lines.get(key);
  if (values === undefined) lines.set(key, (values = new Map()));
  const places = values.get(value);
  if (places === undefined) values.set(value, [first, second]);
  else places.push(first, second);
}

/** True when more than one block has the value, and the key of a row holds it. */
function isShared(value: string, places: readonly number[]): boolean {
  return places[0] !== places.at(-2) && exactValue(value).length === 0;
}

/** Rows of the blocks of a window that have a line, each for itself: places begin with the distance of the block. */
function pushEach(rows: Row[], { key, value, height, places }: Line, variants: Map<string, number>): void {
  const ofBlocks = new Map<number, number[]>();
  for (let at = 0; at < places.length; at += 2) {
    const distance = places[at] ?? 0;
    const own = ofBlocks.get(distance) ?? [];
    ofBlocks.set(distance, own);
    own.push(0, places[at + 1] ?? 0);
  }
  for (const [distance, own] of ofBlocks)
    pushRows(rows, 'block', { key, value, height: toHeight(height + BigInt(distance)), places: own }, variants);
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
  pushShared(rows, SEVERAL, { kind, key, value, height }, places);
}

/** Rows of up to `POSTINGS_PER_ROW` postings each, `index` in their keys. */
function pushShared(
  rows: Row[],
  index: number,
  {
    kind,
    ...line
  }: { readonly kind: PostingKind; readonly key: string; readonly value: string; readonly height: Height },
  places: readonly number[],
): void {
  for (let at = 0; at < places.length; at += 2 * POSTINGS_PER_ROW) {
    const writer = new ByteWriter();
    for (const number of places.slice(at, at + 2 * POSTINGS_PER_ROW)) writer.uint(number);
    const event = at / (2 * POSTINGS_PER_ROW);
    rows.push({ key: postingKey(kind, { ...line, index, event }), value: writer.finish() });
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
  const several = index === SEVERAL || index === SHARED;
  const value = row.length > 0 && !several ? row : valueInKey(kind, key, rowKey);
  const common = { key, value: new TextDecoder().decode(value), height };
  if (!several) return [{ ...common, index, event: event % VARIANT_UNIT }];
  const postings: Posting[] = [];
  const reader = new ByteReader(row);
  while (reader.remaining > 0) {
    const [first, second] = [reader.count(), reader.count()];
    if (index === SEVERAL) postings.push({ ...common, index: first, event: second });
    else postings.push({ ...common, height: toHeight(height + BigInt(first)), index: 0, event: second });
  }
  return postings;
}
