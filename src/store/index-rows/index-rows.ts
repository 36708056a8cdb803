import { FIXED_LIMITS } from '../../core/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';
import { LOG_PREFIX, logPostingKeys } from './log-posting.js';
import { CURSOR_KEY, isBlockPosting, postingKey, sharedKeyOf, WINDOW_BLOCKS, windowOf } from './posting-key.js';
import { postingRows, windowRows } from './posting-rows.js';
import { postingsOf, type BlockEvents, type PostingKind } from './posting.js';

const KINDS: readonly PostingKind[] = ['tx', 'block'];
const NOTHING = new Uint8Array();

/** The posting rows of one block and the cursor row; blocks are indexed in order of height, without gaps. */
export function indexRows(block: BlockEvents): readonly StoreOperation[] {
  return [...transactionRows(block), ...blockRows(block), cursorRow(block.height)];
}

function transactionRows(block: BlockEvents): readonly StoreOperation[] {
  return [
    ...postingRows('tx', block).map(put),
    ...logPostingKeys(block.height, block.logs).map((key) => put({ key, value: NOTHING })),
  ];
}

function blockRows(block: BlockEvents): readonly StoreOperation[] {
  return postingRows('block', block).map(put);
}

function put({ key, value }: { readonly key: Uint8Array; readonly value: Uint8Array }): StoreOperation {
  return { type: 'put', key, value };
}

function cursorRow(height: Height): StoreOperation {
  return put({ key: CURSOR_KEY, value: be64(height) });
}

/** The rows of blocks that follow each other: those of a whole window share rows of block events. */
export class IndexBatch {
  readonly #rows: StoreOperation[] = [];
  /** Blocks of the last window, whose block events have no rows yet. */
  #waiting: BlockEvents[] = [];
  #attributes = 0;
  #last: Height | undefined;

  /** About the number of rows. */
  get size(): number {
    return this.#rows.length + this.#attributes / 2;
  }

  add(block: BlockEvents): void {
    for (const row of transactionRows(block)) this.#rows.push(row);
    this.#waiting.push(block);
    for (const { attributes } of block.events) this.#attributes += attributes.length;
    this.#last = block.height;
    if ((block.height + 1n) % WINDOW_BLOCKS === 0n) this.#endWindow();
  }

  /** All rows and the cursor; empty without a block. */
  rows(): readonly StoreOperation[] {
    this.#endWindow();
    return this.#last === undefined ? [] : [...this.#rows, cursorRow(this.#last)];
  }

  #endWindow(): void {
    const isWhole = this.#waiting.length === Number(WINDOW_BLOCKS);
    const rows = isWhole ? windowRows(this.#waiting).map(put) : this.#waiting.flatMap(blockRows);
    for (const row of rows) this.#rows.push(row);
    this.#waiting = [];
    this.#attributes = 0;
  }
}

/**
 * Operations that delete the postings of one block. Higher blocks are deleted first, and afterwards the cursor is set
 * back (`revertedCursor`). A posting may have a row of its own, because earlier builds wrote such rows. Rows that the
 * block shares go, too: blocks of its window that stay are given to `unsharedRows` afterwards.
 */
export function forgetIndexRows(block: BlockEvents): readonly StoreOperation[] {
  return [
    ...indexRows(block).flatMap((row) => (row.key === CURSOR_KEY ? [] : [{ type: 'delete', key: row.key } as const])),
    ...KINDS.flatMap((kind) =>
      postingsOf(kind, block).map((posting) => ({ type: 'delete', key: postingKey(kind, posting) }) as const),
    ),
    ...forgetShared(block),
  ];
}

/** Operations that give block events rows of their own, which they shared with blocks that go. */
export function unsharedRows(block: BlockEvents): readonly StoreOperation[] {
  return [...forgetShared(block), ...blockRows(block)];
}

/** Heights of the window of `height` up to it, which shared rows with later blocks; none at the end of a window. */
export function sharingHeights(height: Height): readonly Height[] {
  const first = windowOf(height);
  const count = Number(height - first + 1n);
  return count === Number(WINDOW_BLOCKS)
    ? []
    : Array.from({ length: count }, (_, distance) => toHeight(first + BigInt(distance)));
}

function forgetShared(block: BlockEvents): readonly StoreOperation[] {
  return postingRows('block', block).map(({ key }) => ({ type: 'delete', key: sharedKeyOf(key) }));
}

/** Keys of the rows of an indexed block, without the cursor: of two forms of a row the one that there is. */
export function indexKeys(store: Pick<KeyValueStore, 'get'>, block: BlockEvents): readonly Uint8Array[] {
  const own = indexRows(block).flatMap(({ key }) => (key === CURSOR_KEY ? [] : [key]));
  return own.map((key) => {
    if (!isBlockPosting(key) || store.get(key) !== undefined) return key;
    const shared = sharedKeyOf(key);
    return store.get(shared) === undefined ? key : shared;
  });
}

/** The cursor row after all blocks above `height` were removed; `first` is the first height of the chain. */
export function revertedCursor(height: Height, first: Height): StoreOperation {
  return height < first ? { type: 'delete', key: CURSOR_KEY } : { type: 'put', key: CURSOR_KEY, value: be64(height) };
}

/** The first bytes of the keys of the index. */
export const INDEX_PREFIXES: ReadonlySet<number> = new Set([
  PREFIX.index,
  PREFIX.index + 1,
  PREFIX.index + 2,
  LOG_PREFIX,
]);

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
 * Deletes every posting and writes all postings again from the events of blocks in order of height. The rows equal
 * those of indexing block by block. `rowsPerStep` bounds one range. After a crash in between the cursor is still right:
 * the remaining blocks are matched in memory until they are indexed.
 */
export async function rebuildIndexes(
  store: KeyValueStore,
  blocks: Iterable<BlockEvents> | AsyncIterable<BlockEvents>,
  rowsPerStep: number,
): Promise<void> {
  await store.commit([{ type: 'delete', key: CURSOR_KEY }], { sync: false });
  const bounds = { start: Uint8Array.of(PREFIX.index), end: Uint8Array.of(LOG_PREFIX + 1) };
  for (;;) {
    const rows = await store.range({ ...bounds, limit: rowsPerStep });
    if (rows.length === 0) break;
    await store.commit(
      rows.map(({ key }) => ({ type: 'delete', key })),
      { sync: false },
    );
  }
  let batch: BlockEvents[] = [];
  for await (const block of blocks) {
    batch.push(block);
    if (batch.length < FIXED_LIMITS.rebuildBatchBlocks) continue;
    await store.commit(batch.flatMap(indexRows), { sync: false });
    batch = [];
  }
  await store.commit(batch.flatMap(indexRows), { sync: false });
}
