import { equal } from '../../core/bytes/bytes.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height } from '../../core/primitives.js';
import { FormatError } from '../bytes.js';
import { lowestHeight } from './latest.js';
import { NO_SPANS } from './spans.js';
import { isLatestKey, isUndoKey, undoKey } from './tables.js';
import { findInUndo, undoEntries, type PreImage } from './undo.js';
import { decodeVersion, encodeVersion, isOfEarlierBuild, versionAfter } from './version-row.js';

/** A row of one of the two databases that are compared. */
export interface RowOf {
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly value: Uint8Array;
}

/**
 * True for two rows of the state that say the same of every readable height. An earlier build wrote other bytes, and
 * spans over such rows name fewer versions. What was written on top of a deletion below the lowest height names it or
 * not: that depends on when the deletion was pruned.
 */
export function sameVersions(key: Uint8Array, left: RowOf, right: RowOf): boolean {
  try {
    if (isLatestKey(key)) return sameVersion(key, left, right);
    return isUndoKey(key) && samePages(left, right);
  } catch (error) {
    // Bytes that no build wrote.
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
 * A version without spans, and without its pointer to what cannot be read; undefined when it is not what a block writes
 * over the version before.
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

/** The snapshot of an anchor does not say when a value was written: below the lowest height it is the same. */
function atLeast(height: Height, floor: Height): Height {
  return height < floor ? floor : height;
}

/** Undefined for a deletion at or below the lowest height, too. */
function readable({ store }: Pick<RowOf, 'store'>, row: Uint8Array | undefined): Uint8Array | undefined {
  if (row === undefined) return undefined;
  const { height, value } = decodeVersion(row);
  return value === undefined && height <= lowestHeight(store) ? undefined : row;
}
