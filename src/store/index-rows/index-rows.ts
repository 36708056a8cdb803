import { EMPTY } from '../../core/bytes/bytes.js';
import type { KeyValue, KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';
import { LOG_PREFIX, logPostingKeys, touchedPostingKeys } from './log-posting.js';
import { CURSOR_KEY, endsWindow, sharedKeyOf, windowOf } from './posting-key.js';
import { postingRows, transactionRowsInSteps, windowRows } from './posting-rows.js';
import type { BlockEvents } from './posting.js';

/** Finds the events of a block of the chain; undefined when it was not executed. */
export type EventsAt = (height: Height) => BlockEvents | undefined;

/** The first height of the chain in the window of `height`. */
export function beginOf(height: Height, first: Height): Height {
  const begin = windowOf(height);
  return begin < first ? first : begin;
}

/**
 * Makes the rows of blocks in order of height, without gaps. Transactions and logs have theirs with their block; the
 * block events of a window have theirs with its last block. So the rows follow from the chain and the cursor, whatever
 * blocks are written together.
 */
export class IndexWindow {
  readonly #first: Height;
  #blocks: BlockEvents[] = [];
  #next: Height | undefined;

  /** `first`: first height of the chain. */
  constructor(first: Height) {
    this.#first = first;
  }

  /** The block events of a height that was added, and whose window has no rows yet. */
  eventsAt(height: Height): BlockEvents | undefined {
    return this.#blocks.find((block) => block.height === height);
  }

  /** The next block will be that of `next`: takes those of its window that have no rows of their block events. */
  enter(next: Height, eventsAt: EventsAt): void {
    if (this.#next === next) return;
    this.#blocks = [];
    this.#next = next;
    for (let height = beginOf(next, this.#first); height < next; height = toHeight(height + 1n)) {
      const block = eventsAt(height);
      invariant(block !== undefined, `height ${height} was executed before ${next}`);
      this.#keep(block);
    }
  }

  /** The rows that the next block makes, and the cursor. */
  add(block: BlockEvents): readonly StoreOperation[] {
    const { height } = block;
    invariant(this.#next === height, `height ${height} is indexed after the one before`);
    this.#keep(block);
    this.#next = toHeight(height + 1n);
    const rows = [...transactionRows(block), ...(endsWindow(height) ? windowRows(this.#blocks) : [])];
    if (endsWindow(height)) this.#blocks = [];
    return [...rows, { key: CURSOR_KEY, value: be64(height) }].map(({ key, value }) => ({ type: 'put', key, value }));
  }

  /** The chain was reverted: the blocks may be others. */
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

/** Keys of the rows of logs, and of touched addresses. */
function ethereumKeys({ height, logs, touched = [] }: BlockEvents): readonly Uint8Array[] {
  return [...logPostingKeys(height, logs), ...touchedPostingKeys(height, touched)];
}

/**
 * Operations that delete the rows of one block, among them those that it shares: the blocks of its window that stay are
 * given to `forgetBlockEvents`. Higher blocks are deleted first, and afterwards the cursor is set back
 * (`revertedCursor`). They are made in steps: undefined says that one is over, which takes some milliseconds.
 */
export function* forgetIndexRows(block: BlockEvents): Generator<StoreOperation | undefined> {
  for (const row of transactionRowsInSteps(block)) yield row && { type: 'delete', key: row.key };
  if (isLong(block.txs)) yield undefined;
  yield* deletions(ethereumKeys(block));
  yield* forgetBlockEvents(block);
}

/** True when the rows of so many transactions are found in more than one step. */
export function isLong(txs: readonly unknown[]): boolean {
  return txs.length >= FIXED_LIMITS.indexTxsPerStep;
}

/** Operations that delete the rows of the block events of a block. */
export function forgetBlockEvents(block: BlockEvents): readonly StoreOperation[] {
  const own = postingRows('block', block).map(({ key }) => key);
  return deletions([...own, ...own.map(sharedKeyOf)]);
}

function deletions(keys: readonly Uint8Array[]): readonly StoreOperation[] {
  return keys.map((key) => ({ type: 'delete', key }));
}

/**
 * Heights that stay when the chain is reverted to `height`, and whose block events have rows together with those of a
 * block that goes. `indexed`: the cursor before.
 */
export function heightsSharing(height: Height, indexed: Height, first: Height): readonly Height[] {
  const next = toHeight(height + 1n);
  const begin = beginOf(next, first);
  if (!isWindowWritten(next, indexed)) return [];
  return Array.from({ length: Number(next - begin) }, (_, distance) => toHeight(begin + BigInt(distance)));
}

/**
 * Keys of the rows of a block that the cursor has passed: of the two rows that a block event may have, the one that
 * there is.
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

/** True when the cursor has passed the last block of the window of `height`, which is not above it. */
function isWindowWritten(height: Height, indexed: Height): boolean {
  return windowOf(toHeight(indexed + 1n)) > windowOf(height);
}

/** The cursor row after all blocks above `height` were removed; `first` is the first height of the chain. */
export function revertedCursor(height: Height, first: Height): StoreOperation {
  return height < first ? { type: 'delete', key: CURSOR_KEY } : { type: 'put', key: CURSOR_KEY, value: be64(height) };
}

/** The first bytes of the keys of postings. */
export const POSTING_PREFIXES: readonly number[] = [PREFIX.index, PREFIX.index + 1, LOG_PREFIX];
/** The first bytes of the keys of the index. */
export const INDEX_PREFIXES: ReadonlySet<number> = new Set([...POSTING_PREFIXES, PREFIX.index + 2]);

/** True when the index has no row at all. */
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
 * True when the cursor is behind the one `before`: rows that were there then have gone, since a batch that takes rows
 * out sets the cursor back, too.
 */
export function hasIndexGoneBack(store: Pick<KeyValueStore, 'get'>, before: Height | undefined): boolean {
  return before !== undefined && before > (indexedThrough(store) ?? -1n);
}

/** Deletes every row of the index, the cursor first, `rowsPerStep` rows in one batch. */
export async function forgetIndex(
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
