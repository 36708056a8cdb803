import { hex } from '../../core/bytes/hex.js';
import { invariant } from '../../core/errors.js';
import { CorruptionError } from '../errors.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { compare } from '../../core/bytes/bytes.js';
import type { StateReader, StateWrite } from '../../core/state/state.js';
import { readU64 } from '../bytes.js';
import { FLOOR_KEY, latestKey, undoKey } from './tables.js';
import { encodeUndoPage, findInUndo, type PreImage } from './undo.js';
import { decodeVersion, encodeVersion } from './version-row.js';

/** Reads one row: from the store, or from the store and the rows that precede in the same batch. */
export type ReadRow = (key: Uint8Array) => Uint8Array | undefined;

/** Point reads of one version of the state. */
export type PointReader = Pick<StateReader, 'get'>;

/** A read of a version whose undo pages are gone. */
export class HeightPruned extends Error {
  override readonly name = 'HeightPruned';

  constructor(
    readonly height: Height,
    readonly lowest: Height,
  ) {
    super(`state of height ${height} is pruned, lowest is ${lowest}`);
  }
}

/**
 * The rows of one block's writes, for the batch that holds its log record: each key's new version in `latest`, and one
 * undo page with the previous contents of those rows. Writes need no order; each key occurs at most once. A deletion of
 * a key that does not exist makes no row. `height` must be above that of every earlier write.
 */
export function stateRows(height: Height, writes: readonly StateWrite[], readRow: ReadRow): readonly StoreOperation[] {
  const changes: (PreImage & { readonly next: Uint8Array })[] = [];
  for (const { store, key: name, value } of writes) {
    const key = latestKey(store, name);
    const row = readRow(key);
    const before = row === undefined ? undefined : decodeVersion(row);
    if (before !== undefined && before.height >= height)
      invariant(false, `state of height ${height} is written after height ${before.height}`);
    if (value === undefined && before?.value === undefined) continue;
    changes.push({ key, row, next: encodeVersion({ height, previous: before?.height, value }) });
  }
  if (changes.length === 0) return [];
  changes.sort((left, right) => compare(left.key, right.key));
  const rows = changes.map(({ key, next }): StoreOperation => ({ type: 'put', key, value: next }));
  rows.push({ type: 'put', key: undoKey(height), value: encodeUndoPage(changes) });
  return rows;
}

/**
 * Point reads at a height: the row of `latest` when it is old enough, else the first pre-image after the height.
 * Heights above the last written one read as that one, so callers read at the published head or below. `get` throws
 * HeightPruned when the undo pages that it needs are gone.
 */
export function createStateReader(store: Pick<KeyValueStore, 'get'>, height: Height | 'latest'): PointReader {
  return {
    get(name, key) {
      const row = latestKey(name, key);
      const current = store.get(row);
      // Pruning drops tombstones, so below the floor an absent row does not mean an absent key.
      if (current === undefined) checkKept(store, height);
      return versionAt(store, row, current, height);
    },
  };
}

/** Value at `height` of the key whose row in `latest` is `row` at `key`; throws HeightPruned. */
export function versionAt(
  store: Pick<KeyValueStore, 'get'>,
  key: Uint8Array,
  row: Uint8Array | undefined,
  height: Height | 'latest',
): Uint8Array | undefined {
  for (let current = row; current !== undefined;) {
    const version = decodeVersion(current);
    if (height === 'latest' || version.height <= height) return version.value;
    if (version.previous === undefined) {
      // What a restored snapshot replaced is not known.
      checkKept(store, height);
      return undefined;
    }
    const page = store.get(undoKey(version.height));
    if (page === undefined) throw new HeightPruned(height, lowestHeight(store));
    current = findInUndo(page, key)?.row;
    if (current === undefined)
      throw new CorruptionError(`the undo page of height ${version.height} lacks a row`, { key: hex(key) });
  }
  return undefined;
}

/** Throws HeightPruned when the height is below the lowest that can be read. */
export function checkKept(store: Pick<KeyValueStore, 'get'>, height: Height | 'latest'): void {
  const lowest = lowestHeight(store);
  if (height !== 'latest' && height < lowest) throw new HeightPruned(height, lowest);
}

/** Lowest height that can be read; 0 before the first pruning. */
export function lowestHeight(store: Pick<KeyValueStore, 'get'>): Height {
  const row = store.get(FLOOR_KEY);
  return row === undefined ? toHeight(0n) : toHeight(readU64(row, 0));
}
