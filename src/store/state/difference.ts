/** The rows of the state that differ between two heights. */
import { keyAfter, lowerBound, toOrderedString } from '../../core/bytes/key-order.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { RowName } from '../../core/state/state.js';
import { checkNotPruned, lowestHeight, versionAt } from './latest.js';
import { allLatestBounds, latestBounds, ofLatestKey } from './tables.js';
import { undoEntries } from './undo.js';
import { UndoPages } from './undo-pages.js';
import { decodeVersion } from './version-row.js';
import { compare, equal } from '../../core/bytes/bytes.js';

/** A row whose values differ at two heights; undefined where the row is absent. */
export interface Difference {
  readonly store: string;
  readonly key: Uint8Array;
  readonly lower: Uint8Array | undefined;
  readonly upper: Uint8Array | undefined;
}

export interface DifferenceRange {
  readonly lower: Height;
  /** At least `lower`. */
  readonly upper: Height;
  /** Only this store; all stores when undefined. */
  readonly store: string | undefined;
  /** Cursor of the previous page (`isCursor` must be true): only later rows are compared. */
  readonly after: Uint8Array | undefined;
}

/** Receives a difference; returns false when the page is full. */
type Take = (difference: Difference) => boolean;

type Readable = Pick<KeyValueStore, 'get' | 'range'>;

/** Cursor for the next page; undefined at the end of the state. */
export interface DifferencePage {
  readonly next: Uint8Array | undefined;
  /** Number of rows written between the heights, by store; undefined when there are too many blocks to count them. */
  readonly written: ReadonlyMap<string, number> | undefined;
}

/** True when `cursor` is a valid page cursor for one store or all. */
export function isCursor(cursor: Uint8Array, store: string | undefined): boolean {
  const { start, end } = boundsOf(store);
  return compare(cursor, start) >= 0 && compare(cursor, end) < 0;
}

function boundsOf(store: string | undefined): ReturnType<typeof allLatestBounds> {
  return store === undefined ? allLatestBounds() : latestBounds(store);
}

/**
 * Passes the differences to `take`, ordered by store and key. For few blocks their written keys are compared, for many
 * blocks all rows of the state. Yields to the event loop, so the caller must check afterwards that the chain was not
 * reverted. Throws HeightPruned, and RangesBusy when too many range reads wait.
 */
export async function readDifferences(
  store: Readable,
  range: DifferenceRange,
  timers: Pick<Timers, 'yield'>,
  take: Take,
): Promise<DifferencePage> {
  checkNotPruned(store, range.lower);
  const pages = new UndoPages(store);
  const keys = await writtenBetween(range, pages, timers);
  const page =
    keys === undefined
      ? await byRows(store, range, pages, timers, take)
      : await byKeys(store, range, pages, keys, timers, take);
  checkNotPruned(store, range.lower);
  return page;
}

/**
 * Rows written by the blocks above `lower` up to `upper`; undefined when there are too many blocks or rows, or when the
 * heights are pruned.
 */
export async function writtenRows(
  store: Readable,
  heights: Pick<DifferenceRange, 'lower' | 'upper'>,
): Promise<readonly RowName[] | undefined> {
  const timers = { yield: () => Promise.resolve() };
  const keys = await writtenBetween({ ...heights, store: undefined, after: undefined }, new UndoPages(store), timers);
  if (keys === undefined || lowestHeight(store) > heights.lower) return undefined;
  return Array.from(keys.values(), ofLatestKey);
}

/** Keys of `latest` written by the blocks above `lower` up to `upper`; undefined when there are too many. */
async function writtenBetween(
  { lower, upper, store: only }: DifferenceRange,
  pages: UndoPages,
  timers: Pick<Timers, 'yield'>,
): Promise<ReadonlyMap<string, Uint8Array> | undefined> {
  if (upper - lower > FIXED_LIMITS.diffBlocks) return undefined;
  const found = new Map<string, Uint8Array>();
  let step = 0;
  for (let height = lower + 1n; height <= upper; height += 1n) {
    const page = pages.at(toHeight(height));
    if (page !== undefined)
      for (const { key } of undoEntries(page)) {
        if (only !== undefined && ofLatestKey(key).store !== only) continue;
        const name = toOrderedString(key);
        if (!found.has(name)) found.set(name, key.slice());
      }
    if (found.size > FIXED_LIMITS.diffKeys) return undefined;
    step += 1;
    if (step % FIXED_LIMITS.diffStep === 0) await timers.yield();
  }
  return found;
}

async function byKeys(
  store: Readable,
  range: DifferenceRange,
  pages: UndoPages,
  keys: ReadonlyMap<string, Uint8Array>,
  timers: Pick<Timers, 'yield'>,
  take: Take,
): Promise<DifferencePage> {
  const written = new Map<string, number>();
  for (const key of keys.values()) {
    const { store: name } = ofLatestKey(key);
    written.set(name, (written.get(name) ?? 0) + 1);
  }
  const names = [...keys.keys()].sort();
  const start = range.after === undefined ? 0 : lowerBound(names, toOrderedString(keyAfter(range.after)));
  for (let index = start; index < names.length; index += 1) {
    const key = keys.get(names[index] ?? '');
    if (key === undefined) continue;
    const goesOn = compareRow(store, range, pages, key, store.get(key), take);
    if (!goesOn && index + 1 < names.length) return { next: key, written };
    if (!goesOn) break;
    if (index % FIXED_LIMITS.diffStep === FIXED_LIMITS.diffStep - 1) await timers.yield();
  }
  return { next: undefined, written };
}

async function byRows(
  store: Readable,
  range: DifferenceRange,
  pages: UndoPages,
  timers: Pick<Timers, 'yield'>,
  take: Take,
): Promise<DifferencePage> {
  const bounds = boundsOf(range.store);
  let start = range.after === undefined ? bounds.start : keyAfter(range.after);
  for (let read = 0; ; read += FIXED_LIMITS.diffStep) {
    const limit = FIXED_LIMITS.diffStep;
    const rows = await store.range({ start, end: bounds.end, limit, mayBeRefused: true });
    for (const { key, value } of rows) {
      if (decodeVersion(value).height <= range.lower) continue;
      if (!compareRow(store, range, pages, key, value, take)) return { next: key, written: undefined };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return { next: undefined, written: undefined };
    if (read + limit >= FIXED_LIMITS.diffRows) return { next: last.key, written: undefined };
    start = keyAfter(last.key);
    await timers.yield();
  }
}

function compareRow(
  store: Readable,
  { lower, upper }: DifferenceRange,
  pages: UndoPages,
  key: Uint8Array,
  row: Uint8Array | undefined,
  take: Take,
): boolean {
  const [before, after] = [versionAt(store, pages, key, row, lower), versionAt(store, pages, key, row, upper)];
  if (before === undefined ? after === undefined : after !== undefined && equal(before, after)) return true;
  return take({ ...ofLatestKey(key), lower: before, upper: after });
}
