import { EMPTY } from '../../core/bytes/bytes.js';
import type { KeyValue, KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';
import { LOG_PREFIX, logPostingKeys, touchedPostingKeys } from './log-posting.js';
import { CURSOR_KEY, isLastOfWindow, sharedKeyOf, windowStart } from './posting-key.js';
import { postingRows, transactionRowsInSteps, windowRows } from './posting-rows.js';
import type { BlockEvents } from './posting.js';

/** Returns the events of a block; undefined when the height was not executed. */
export type EventsAt = (height: Height) => BlockEvents | undefined;

/** First height of the window of `height` that the chain has; `first` is the chain's first height. */
export function firstHeightOfWindow(height: Height, first: Height): Height {
  const begin = windowStart(height);
  return begin < first ? first : begin;
}

/**
 * Builds index rows block by block, in order of height without gaps. Rows of transactions and logs are made with their
 * block; rows of block events with the last block of their window. The rows therefore depend only on the chain and the
 * cursor, not on how blocks are batched.
 */
export class IndexWindow {
  readonly #first: Height;
  #blocks: BlockEvents[] = [];
  #next: Height | undefined;

  /** `first`: first height of the chain. */
  constructor(first: Height) {
    this.#first = first;
  }

  /** Block events of an added height whose window has no rows yet. */
  eventsAt(height: Height): BlockEvents | undefined {
    return this.#blocks.find((block) => block.height === height);
  }

  /** Prepares for block `next`: loads the earlier blocks of its window, whose block events have no rows yet. */
  enter(next: Height, eventsAt: EventsAt): void {
    if (this.#next === next) return;
    this.#blocks = [];
    this.#next = next;
    for (let height = firstHeightOfWindow(next, this.#first); height < next; height = toHeight(height + 1n)) {
      const block = eventsAt(height);
      invariant(block !== undefined, `height ${height} was executed before ${next}`);
      this.#keep(block);
    }
  }

  /** Operations for the next block: its rows, and the moved cursor. */
  add(block: BlockEvents): readonly StoreOperation[] {
    return [...this.addInSteps(block)].filter((operation) => operation !== undefined);
  }

  /** Same operations as `add`, in steps: yields undefined at the end of each step, which takes some milliseconds. */
  *addInSteps(block: BlockEvents): Generator<StoreOperation | undefined> {
    const { height } = block;
    invariant(this.#next === height, `height ${height} is indexed after the one before`);
    this.#keep(block);
    this.#next = toHeight(height + 1n);
    for (const row of transactionRowsInSteps(block)) yield row && { type: 'put', ...row };
    if (isLong(block.txs)) yield undefined;
    for (const key of ethereumKeys(block)) yield { type: 'put', key, value: EMPTY };
    if (isLastOfWindow(height)) {
      for (const row of windowRows(this.#blocks)) yield { type: 'put', ...row };
      this.#blocks = [];
    }
    yield { type: 'put', key: CURSOR_KEY, value: be64(height) };
  }

  /** Discards the pending blocks after a revert of the chain. */
  forget(): void {
    this.#blocks = [];
    this.#next = undefined;
  }

  #keep({ height, events }: BlockEvents): void {
    this.#blocks.push({ height, events, txs: [], logs: [] });
  }
}

function transactionRows(block: BlockEvents): readonly KeyValue[] {
  return [...postingRows('tx', block), ...ethereumKeys(block).map((key) => ({ key, value: EMPTY }))];
}

/** Keys of a block's log rows and touched-address rows. */
function ethereumKeys({ height, logs, touched = [] }: BlockEvents): readonly Uint8Array[] {
  return [...logPostingKeys(height, logs), ...touchedPostingKeys(height, touched)];
}

/**
 * Operations that delete the rows of one block, including rows it shares with other blocks of its window; pass the
 * blocks of the window that stay to `deleteBlockEventRows`. Delete higher blocks first, then set the cursor back
 * (`revertedCursor`). Yields undefined at the end of each step, which takes some milliseconds.
 */
export function* deleteIndexRows(block: BlockEvents): Generator<StoreOperation | undefined> {
  for (const row of transactionRowsInSteps(block)) yield row && { type: 'delete', key: row.key };
  if (isLong(block.txs)) yield undefined;
  yield* deletions(ethereumKeys(block));
  yield* deleteBlockEventRows(block);
}

/** True when the rows of these transactions take more than one step. */
export function isLong(txs: readonly unknown[]): boolean {
  return txs.length >= FIXED_LIMITS.indexTxsPerStep;
}

/** Operations that delete the block-event rows of a block, own and shared. */
export function deleteBlockEventRows(block: BlockEvents): readonly StoreOperation[] {
  const own = postingRows('block', block).map(({ key }) => key);
  return deletions([...own, ...own.map(sharedKeyOf)]);
}

function deletions(keys: readonly Uint8Array[]): readonly StoreOperation[] {
  return keys.map((key) => ({ type: 'delete', key }));
}

/**
 * Heights up to `height` whose block events share rows with a block that a revert to `height` removes. `indexed`: the
 * cursor before the revert.
 */
export function heightsSharing(height: Height, indexed: Height, first: Height): readonly Height[] {
  const next = toHeight(height + 1n);
  const begin = firstHeightOfWindow(next, first);
  if (!isWindowWritten(next, indexed)) return [];
  return Array.from({ length: Number(next - begin) }, (_, distance) => toHeight(begin + BigInt(distance)));
}

/**
 * Keys of the rows of an indexed block. A block event has either a row of its own or a shared one; the key of the
 * existing row is returned.
 */
export function indexKeys(
  store: Pick<KeyValueStore, 'get'>,
  block: BlockEvents,
  indexed: Height,
): readonly Uint8Array[] {
  const keys = transactionRows(block).map(({ key }) => key);
  if (!isWindowWritten(block.height, indexed)) return keys;
  const own = postingRows('block', block).map(({ key }) => key);
  return [...keys, ...own.map((key) => (store.get(key) === undefined ? sharedKeyOf(key) : key))];
}

/** True when the cursor has passed the last block of the window of `height`, so that the window's rows exist. */
function isWindowWritten(height: Height, indexed: Height): boolean {
  return windowStart(toHeight(indexed + 1n)) > windowStart(height);
}

/** Cursor operation after all blocks above `height` were removed; `first` is the first height of the log. */
export function revertedCursor(height: Height, first: Height): StoreOperation {
  return height < first ? { type: 'delete', key: CURSOR_KEY } : { type: 'put', key: CURSOR_KEY, value: be64(height) };
}

/** Key prefixes of posting tables. */
export const POSTING_PREFIXES: readonly number[] = [PREFIX.index, PREFIX.index + 1, LOG_PREFIX];
/** Key prefixes of all index tables. */
export const INDEX_PREFIXES: ReadonlySet<number> = new Set([...POSTING_PREFIXES, PREFIX.index + 2]);

/** True when the index is empty. */
export async function isIndexEmpty(store: Pick<KeyValueStore, 'range'>): Promise<boolean> {
  const rows = await store.range({
    start: Uint8Array.of(PREFIX.index),
    end: Uint8Array.of(LOG_PREFIX + 1),
    limit: 1,
  });
  return rows.length === 0;
}

/** Last indexed height; undefined when nothing is indexed. */
export function indexedThrough(store: Pick<KeyValueStore, 'get'>): Height | undefined {
  const row = store.get(CURSOR_KEY);
  return row === undefined ? undefined : toHeight(readU64(row, 0));
}

/**
 * True when the cursor is behind `before`. Every batch that removes rows sets the cursor back, so rows that existed at
 * `before` may be gone.
 */
export function hasIndexGoneBack(store: Pick<KeyValueStore, 'get'>, before: Height | undefined): boolean {
  return before !== undefined && before > (indexedThrough(store) ?? -1n);
}

/** Deletes the whole index, the cursor first, in batches of `rowsPerStep` rows. */
export async function deleteIndex(
  store: Pick<KeyValueStore, 'range' | 'commit'>,
  rowsPerStep: number,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await store.commit([{ type: 'delete', key: CURSOR_KEY }], { sync: false });
  const bounds = { start: Uint8Array.of(PREFIX.index), end: Uint8Array.of(LOG_PREFIX + 1) };
  for (;;) {
    const rows = await store.range({ ...bounds, limit: rowsPerStep });
    if (rows.length === 0) return;
    await store.commit(
      rows.map(({ key }) => ({ type: 'delete', key })),
      { sync: false },
    );
    await pause();
  }
}
