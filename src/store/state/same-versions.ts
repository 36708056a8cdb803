import { equal } from '../../core/bytes/bytes.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { lowestHeight } from './latest.js';
import { isLatestKey, isUndoKey, undoKey } from './tables.js';
import { encodeUndoPage, findInUndo, undoEntries } from './undo.js';
import { decodeVersion, encodeVersion } from './version-row.js';

/** A row of one of the two databases that are compared. */
export interface RowOf {
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly value: Uint8Array;
}

/**
 * True for two rows of the state that say the same of every readable height. What was written on top of a deletion
 * below the lowest height names it or not: that depends on when the deletion was pruned.
 */
export function sameVersions(key: Uint8Array, left: RowOf, right: RowOf): boolean {
  if (isLatestKey(key)) return equal(versionIn(left, key, left.value), versionIn(right, key, right.value));
  return isUndoKey(key) && equal(pageOf(left), pageOf(right));
}

function pageOf(row: RowOf): Uint8Array {
  const floor = lowestHeight(row.store);
  return encodeUndoPage(
    [...undoEntries(row.value)].map(({ key, row: before }) => ({
      key,
      row: before === undefined || isPruned(before, floor) ? undefined : versionIn(row, key, before),
    })),
  );
}

/** A version without its pointer to what cannot be read. */
function versionIn({ store }: RowOf, key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const floor = lowestHeight(store);
  const version = decodeVersion(bytes);
  if (version.previous === undefined || version.previous > floor) return bytes;
  const page = version.height > floor ? store.get(undoKey(version.height)) : undefined;
  const before = page && findInUndo(page, key)?.row;
  return before === undefined || isPruned(before, floor) ? encodeVersion({ ...version, previous: undefined }) : bytes;
}

/** A deletion at or below the lowest height. */
function isPruned(bytes: Uint8Array, floor: Height): boolean {
  const { height, value } = decodeVersion(bytes);
  return value === undefined && height <= floor;
}
