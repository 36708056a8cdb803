import { EncodedResults } from '../../core/comet/encoded-results.js';
import { headerHashesOf } from '../../core/ethereum/header-facts.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { BlockExecuted } from '../../core/log-events.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { indexedThrough, indexKeys } from '../../store/index-rows/index-rows.js';
import { blockEventsOf } from '../../store/index-rows/posting.js';
import { headerHashKey } from '../../store/keys.js';
import { lowestHeight } from '../../store/state/latest.js';
import { undoKey } from '../../store/state/tables.js';

type Store = Pick<KeyValueStore, 'get'>;
type ExecutedData = BlockExecuted['data'];

/**
 * Keys of the rows that a block's execution wrote besides `latest`: its undo page, its Ethereum hash, and the attribute
 * index of blocks with at most `scannedIndexTxs` transactions. Yields slices that are looked up together.
 */
export function* executionKeys(store: Store, execution: ExecutedData): Generator<readonly Uint8Array[]> {
  const { height, results: bytes, writes, touched } = execution;
  if (writes.some(({ value }) => value !== undefined)) yield [undoKey(height)];
  if (height < blocksFloor(store).lowest) return;
  const results = new EncodedResults(bytes);
  const hashes = headerHashesOf(results);
  if (hashes !== undefined) yield [headerHashKey(hashes.hash)];
  const indexed = indexedThrough(store);
  if (indexed === undefined || height > indexed || results.txCount > FIXED_LIMITS.scannedIndexTxs) return;
  const keys = indexKeys(store, blockEventsOf(height, results, touched), indexed);
  for (let at = 0; at < keys.length; at += FIXED_LIMITS.scanRows) yield keys.slice(at, at + FIXED_LIMITS.scanRows);
}

/** The first key without a row; undefined when none is missing, or when the block or its undo page is pruned. */
export function lostExecutionKey(
  store: Store,
  keys: readonly Uint8Array[],
  { height }: Pick<ExecutedData, 'height'>,
): Uint8Array | undefined {
  const lost = keys.find((key) => store.get(key) === undefined);
  // Checked after the lookup, because pruning deletes rows and raises the floor in one batch.
  const isPruned = height <= lowestHeight(store) && lost?.[0] === undoKey(height)[0];
  return lost === undefined || isPruned || height < blocksFloor(store).lowest ? undefined : lost;
}

/** The first key of a block without a row, by the index cursor of this moment; see `lostExecutionKey`. */
export function firstLostKey(store: Store, execution: ExecutedData): Uint8Array | undefined {
  for (const keys of executionKeys(store, execution)) {
    const lost = lostExecutionKey(store, keys, execution);
    if (lost !== undefined) return lost;
  }
  return undefined;
}
