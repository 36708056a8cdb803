import { FIXED_LIMITS } from '../../core/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';
import { LOG_PREFIX, logPostingKeys } from './log-posting.js';
import { CURSOR_KEY, postingKey } from './posting-key.js';
import { postingRows } from './posting-rows.js';
import { postingsOf, type BlockEvents, type PostingKind } from './posting.js';

const KINDS: readonly PostingKind[] = ['tx', 'block'];

/** The posting rows of one block and the cursor row; blocks are indexed in order of height, without gaps. */
export function indexRows(block: BlockEvents): readonly StoreOperation[] {
  return [
    ...KINDS.flatMap((kind) =>
      postingRows(kind, block).map(({ key, value }) => ({ type: 'put', key, value }) as const),
    ),
    ...logPostingKeys(block.height, block.logs).map((key) => ({ type: 'put', key, value: new Uint8Array() }) as const),
    { type: 'put', key: CURSOR_KEY, value: be64(block.height) },
  ];
}

/**
 * Operations that delete the postings of one block. Higher blocks are deleted first, and afterwards the cursor is set
 * back (`revertedCursor`). A posting may have a row of its own, because earlier builds wrote such rows.
 */
export function forgetIndexRows(block: BlockEvents): readonly StoreOperation[] {
  return [
    ...indexRows(block).flatMap((row) => (row.key === CURSOR_KEY ? [] : [{ type: 'delete', key: row.key } as const])),
    ...KINDS.flatMap((kind) =>
      postingsOf(kind, block).map((posting) => ({ type: 'delete', key: postingKey(kind, posting) }) as const),
    ),
  ];
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
