import { hex } from '../../core/bytes/hex.js';
import { invariant } from '../../core/errors.js';
import { CorruptionError } from '../errors.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { compare } from '../../core/bytes/bytes.js';
import type { StateReader, StateWrite } from '../../core/state/state.js';
import { readU64 } from '../bytes.js';
import { nextHeightTowards } from './spans.js';
import { FLOOR_KEY, latestKey, undoKey } from './tables.js';
import { encodeUndoPage, findInUndo, type PreImage } from './undo.js';
import { UndoPages } from './undo-pages.js';
import { decodeVersion, encodeVersion, versionAfter, type Version } from './version-row.js';

/** Reads one row, either from the store or including earlier rows of the same batch. */
export type ReadRow = (key: Uint8Array) => Uint8Array | undefined;

/** Point reads of the state at one height. */
export type PointReader = Pick<StateReader, 'get'>;

/** The state of this height is pruned: its undo pages are deleted. */
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
 * Rows of one block's state writes, for the batch of its log record: the new version of each key in `latest`, and one
 * undo page with the previous rows. Writes may be in any order; each key occurs at most once. Deleting an absent key
 * makes no row. `height` must be above that of every earlier write.
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
    changes.push({ key, row, next: encodeVersion(versionAfter(before, height, value)) });
  }
  if (changes.length === 0) return [];
  changes.sort((left, right) => compare(left.key, right.key));
  const rows = changes.map(({ key, next }): StoreOperation => ({ type: 'put', key, value: next }));
  rows.push({ type: 'put', key: undoKey(height), value: encodeUndoPage(changes) });
  return rows;
}

/**
 * Point reads at a height: the row of `latest` if it is old enough, otherwise the version found through undo pages.
 * Heights above the last write read the newest version, so callers must not read above the published head. `get` throws
 * HeightPruned. The reader caches `pages`; create one per request.
 */
export function createStateReader(
  store: Pick<KeyValueStore, 'get'>,
  height: Height | 'latest',
  pages = new UndoPages(store),
): PointReader {
  return {
    get(name, key) {
      const row = latestKey(name, key);
      const current = store.get(row);
      // Pruning deletes tombstones, so below the floor an absent row may be a key that existed then.
      if (current === undefined) checkNotPruned(store, height);
      return versionAt(store, pages, row, current, height);
    },
  };
}

/** Value at `height` of the key whose row in `latest` is `row`; throws HeightPruned. */
export function versionAt(
  store: Pick<KeyValueStore, 'get'>,
  pages: UndoPages,
  key: Uint8Array,
  row: Uint8Array | undefined,
  height: Height | 'latest',
): Uint8Array | undefined {
  if (row === undefined) return undefined;
  const latest = decodeVersion(row);
  if (height === 'latest' || latest.height <= height) return latest.value;
  const version = versionBefore(store, pages, key, latest, height);
  // A restored snapshot replaced the value; what was there before is unknown.
  if (version === undefined) checkNotPruned(store, height);
  return version?.value;
}

/** The version of a key valid at `height`, which is older than `latest`; undefined when none is known. */
function versionBefore(
  store: Pick<KeyValueStore, 'get'>,
  pages: UndoPages,
  key: Uint8Array,
  latest: Version,
  height: Height,
): Version | undefined {
  // Shortcut: a key that every block changes is in the undo page of the next block.
  const next = pages.at(toHeight(height + 1n));
  const inNext = next === undefined ? undefined : findInUndo(next, key);
  if (inNext !== undefined) return inNext.row === undefined ? undefined : decodeVersion(inNext.row);
  for (let version = latest; version.previous !== undefined;) {
    const at = nextHeightTowards(version, height);
    const page = pages.at(at);
    if (page === undefined) throw new HeightPruned(height, lowestHeight(store));
    const image = findInUndo(page, key);
    if (image === undefined) throw new CorruptionError(`the undo page of height ${at} lacks a row`, { key: hex(key) });
    if (image.row === undefined) return undefined;
    version = decodeVersion(image.row);
    if (version.height <= height) return version;
  }
  return undefined;
}

/** Throws HeightPruned when the height is below the lowest readable one. */
export function checkNotPruned(store: Pick<KeyValueStore, 'get'>, height: Height | 'latest'): void {
  const lowest = lowestHeight(store);
  if (height !== 'latest' && height < lowest) throw new HeightPruned(height, lowest);
}

/** Lowest readable height; 0 before the first pruning. */
export function lowestHeight(store: Pick<KeyValueStore, 'get'>): Height {
  const row = store.get(FLOOR_KEY);
  return row === undefined ? toHeight(0n) : toHeight(readU64(row, 0));
}
