/** Rows of postings: several with the same key and value share one. */
import { toOrderedString } from '../../core/bytes/key-order.js';
import { ByteReader, ByteWriter } from '../bytes.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValue } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import {
  SEVERAL,
  SHARED,
  exactValue,
  indexInKey,
  placeOf,
  postingKey,
  valueInKey,
  windowStart,
} from './posting-key.js';
import { visitPostings, type BlockEvents, type Posting, type PostingKind, type Visit } from './posting.js';

/** Largest number of postings in one row; bounds the decoded size of a row. */
const POSTINGS_PER_ROW = 256;
/**
 * Factor that separates the event number from the variant number: values of one event that share a key are numbered
 * from 1.
 */
export const VARIANT_UNIT = 1 << 24;
/**
 * Largest number of values of one event that share a key (they differ only after the indexed bytes); further ones are
 * not indexed.
 */
const VARIANTS = 255;

/** The postings of a block with one key and value. */
interface Line extends Pick<Posting, 'key' | 'value' | 'height'> {
  /**
   * Pairs of index and event; in a window, pairs of block distance and event. A flat number array, because a large
   * block has very many.
   */
  readonly places: readonly number[];
}

/** Flat pairs (see `Line.places`) by composite key and value. */
type Lines = Map<string, Map<string, number[]>>;

/**
 * Rows of a block. Postings with the same key and value (such as addresses and amounts of similar transactions) share
 * rows of up to `POSTINGS_PER_ROW` postings.
 */
export function postingRows(kind: PostingKind, block: Omit<BlockEvents, 'logs' | 'touched'>): readonly KeyValue[] {
  const lines: Lines = new Map();
  visitPostings(kind, block, (key, value, index, event) => addTo(lines, key, value, index, event));
  const variants = new Map<string, number>();
  return [...lines].flatMap(([key, values]) => rowsOfKey(kind, block.height, key, values, variants));
}

/**
 * Same rows as `postingRows('tx', block)`, in steps: yields undefined at the end of each step, which takes some
 * milliseconds.
 */
export function* transactionRowsInSteps(block: Omit<BlockEvents, 'logs' | 'touched'>): Generator<KeyValue | undefined> {
  const lines: Lines = new Map();
  const { height } = block;
  for (const [index, tx] of block.txs.entries()) {
    const visit: Visit = (key, value, _, event) => addTo(lines, key, value, index, event);
    visitPostings('tx', { height, txs: [tx], events: [] }, visit);
    if ((index + 1) % FIXED_LIMITS.indexTxsPerStep === 0) yield undefined;
  }
  const variants = new Map<string, number>();
  for (const [key, values] of lines) yield* rowsOfKey('tx', height, key, values, variants);
}

function rowsOfKey(
  kind: PostingKind,
  height: Height,
  key: string,
  values: ReadonlyMap<string, readonly number[]>,
  variants: Map<string, number>,
): readonly KeyValue[] {
  const rows: KeyValue[] = [];
  for (const [value, places] of values) pushRows(rows, kind, { key, value, height, places }, variants);
  return rows;
}

/**
 * Rows of the block events of a window; `blocks` ascend. A value that occurs in several blocks (such as a module
 * account) has one shared row, so an empty block adds few rows. A shared row holds, for each posting, the block's
 * distance from the window start and the event.
 */
export function windowRows(blocks: readonly Pick<BlockEvents, 'height' | 'events'>[]): readonly KeyValue[] {
  const [first] = blocks;
  if (first === undefined) return [];
  const height = windowStart(first.height);
  const lines: Lines = new Map();
  for (const block of blocks) {
    const distance = Number(block.height - height);
    visitPostings('block', { ...block, txs: [] }, (key, value, _, event) => addTo(lines, key, value, distance, event));
  }
  const rows: KeyValue[] = [];
  const variants = new Map<string, number>();
  for (const [key, values] of lines)
    for (const [value, places] of values) {
      const line = { key, value, height, places };
      if (isShared(line)) rows.push(sharedRow('block', line));
      else pushEach(rows, line, variants);
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

/** True when the value occurs in more than one block, the key holds it exactly, and its postings fit into one row. */
function isShared({ value, places }: Line): boolean {
  return places[0] !== places.at(-2) && places.length <= 2 * POSTINGS_PER_ROW && exactValue(value).length === 0;
}

/** Splits a window's line into separate rows for each block. */
function pushEach(rows: KeyValue[], { key, value, height, places }: Line, variants: Map<string, number>): void {
  const [first = 0, second = 0] = places;
  if (places.length === 2) {
    const line = { key, value, height: toHeight(height + BigInt(first)), places: [0, second] };
    return pushRows(rows, 'block', line, variants);
  }
  const ofBlocks = new Map<number, number[]>();
  for (let at = 0; at < places.length; at += 2) {
    const [distance = 0, event = 0] = places.slice(at, at + 2);
    const own = ofBlocks.get(distance);
    if (own === undefined) ofBlocks.set(distance, [0, event]);
    else own.push(0, event);
  }
  for (const [distance, own] of ofBlocks)
    pushRows(rows, 'block', { key, value, height: toHeight(height + BigInt(distance)), places: own }, variants);
}

/** Adds the rows of postings with one key and value; one row per posting when the row must hold the value itself. */
function pushRows(rows: KeyValue[], kind: PostingKind, line: Line, variants: Map<string, number>): void {
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
  for (let at = 0; at < places.length; at += 2 * POSTINGS_PER_ROW)
    rows.push({
      key: rowKey(SEVERAL, at / (2 * POSTINGS_PER_ROW)),
      value: packed(places.slice(at, at + 2 * POSTINGS_PER_ROW)),
    });
}

/** The shared row of a value that occurs in several blocks of a window. */
function sharedRow(kind: PostingKind, { key, value, height, places }: Line): KeyValue {
  return { key: postingKey(kind, { key, value, height, index: SHARED, event: 0 }), value: packed(places) };
}

function packed(numbers: readonly number[]): Uint8Array {
  const writer = new ByteWriter(numbers.length);
  for (const number of numbers) writer.uint(number);
  return writer.finish();
}

/** The value of the postings in a row of composite key `key`. */
export function valueOf(kind: PostingKind, key: string, rowKey: Uint8Array, row: Uint8Array): string {
  return new TextDecoder().decode(holdsValue(rowKey, row) ? row : valueInKey(kind, key, rowKey));
}

/** True when the row itself holds the value, because the key cannot hold it exactly. */
export function holdsValue(rowKey: Uint8Array, row: Uint8Array): boolean {
  if (row.length === 0) return false;
  const index = indexInKey(rowKey);
  return index !== SEVERAL && index !== SHARED;
}

/** Receives one posting of a row: distance of the block from the row's height, transaction index, event. */
export type VisitPlace = (distance: number, index: number, event: number) => void;

/** Visits the postings of a row in stored order; returns their number. */
export function visitPlaces(rowKey: Uint8Array, row: Uint8Array, visit: VisitPlace): number {
  const { index, event } = placeOf(rowKey);
  if (index !== SEVERAL && index !== SHARED) {
    visit(0, index, event % VARIANT_UNIT);
    return 1;
  }
  const reader = new ByteReader(row);
  let count = 0;
  for (; reader.remaining > 0; count += 1) {
    const [first, second] = [reader.count(), reader.count()];
    if (index === SEVERAL) visit(0, first, second);
    else visit(first, 0, second);
  }
  return count;
}
