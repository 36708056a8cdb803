import { equal } from '../../core/bytes/bytes.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { FormatError } from '../bytes.js';
import { lowestHeight } from './latest.js';
import { NO_SPANS } from './spans.js';
import { isLatestKey, isUndoKey, undoKey } from './tables.js';
import { findInUndo, undoEntries, type PreImage } from './undo.js';
import { decodeVersion, encodeVersion, isOfEarlierBuild, versionAfter } from './version-row.js';

/** A row, and the database it is from. */
export interface RowOf {
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly value: Uint8Array;
}

/**
 * True when two state rows mean the same at every readable height although their bytes differ: an earlier build used
 * another encoding, and spans over such rows name fewer versions. Whether a version written over a deletion below the
 * lowest height names it depends on when that deletion was pruned.
 */
export function sameVersions(key: Uint8Array, left: RowOf, right: RowOf): boolean {
  try {
    if (isLatestKey(key)) return sameVersion(key, left, right);
    return isUndoKey(key) && samePages(left, right);
  } catch (error) {
    // Not a valid encoding of any build.
    if (error instanceof FormatError || error instanceof RangeError) return false;
    throw error;
  }
}

function samePages(left: RowOf, right: RowOf): boolean {
  const others = [...undoEntries(right.value)];
  const images = [...undoEntries(left.value)];
  return images.length === others.length && images.every((image, at) => sameImage(left, image, right, others[at]));
}

function sameImage(left: RowOf, { key, row }: PreImage, right: RowOf, other: PreImage | undefined): boolean {
  if (other === undefined || !equal(key, other.key)) return false;
  const value = readable(left, row);
  const wanted = readable(right, other.row);
  if (value === undefined || wanted === undefined) return value === wanted;
  return sameVersion(key, { ...left, value }, { ...right, value: wanted });
}

function sameVersion(key: Uint8Array, left: RowOf, right: RowOf): boolean {
  const version = withoutSpans(left, key);
  const other = withoutSpans(right, key);
  return version !== undefined && other !== undefined && equal(version, other);
}

/**
 * Normalizes a version: without spans, and without a pointer to unreadable history. Undefined when the bytes are not
 * what a block would write over the previous version.
 */
function withoutSpans({ store, value }: RowOf, key: Uint8Array): Uint8Array | undefined {
  const floor = lowestHeight(store);
  const version = decodeVersion(value);
  const { height, previous } = version;
  const page = store.get(undoKey(height));
  const image = page && findInUndo(page, key);
  if (image !== undefined && !isOfEarlierBuild(value)) {
    const before = image.row === undefined ? undefined : decodeVersion(image.row);
    if (!equal(encodeVersion(versionAfter(before, height, version.value)), value)) return undefined;
  }
  const isKept = previous === undefined || previous > floor || readable({ store }, image?.row) !== undefined;
  return encodeVersion({
    ...version,
    height: atLeast(height, floor),
    previous: isKept && previous !== undefined ? atLeast(previous, floor) : undefined,
    spans: NO_SPANS,
  });
}

/** Clamps a height to the lowest readable one: an anchor's snapshot does not record when a value was written. */
function atLeast(height: Height, floor: Height): Height {
  return height < floor ? floor : height;
}

/** The row, or undefined when it is absent or a deletion at or below the lowest readable height. */
function readable({ store }: Pick<RowOf, 'store'>, row: Uint8Array | undefined): Uint8Array | undefined {
  if (row === undefined) return undefined;
  const { height, value } = decodeVersion(row);
  return value === undefined && height <= lowestHeight(store) ? undefined : row;
}
