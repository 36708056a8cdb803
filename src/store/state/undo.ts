import { compare, concat } from '../../core/bytes/bytes.js';

/** The content of one row of `latest` before a block; undefined when the block created the row. */
export interface PreImage {
  /** Key of the row in `latest`. */
  readonly key: Uint8Array;
  /** Bytes of the row before the block. */
  readonly row: Uint8Array | undefined;
}

const NONE = 0xffff_ffff;

/**
 * Packs the pre-images of one block, which must be in key order. Bytes, integers big endian of 4 bytes: count, offset
 * of each entry, then per entry length of key, length of row (all ones: none), key, row. The offsets allow a search
 * that decodes no more than it compares.
 */
export function encodeUndoPage(images: readonly PreImage[]): Uint8Array {
  const entries = images.map(({ key, row }) =>
    concat(integers([key.length, row === undefined ? NONE : row.length]), key, row ?? new Uint8Array()),
  );
  let offset = 4 + 4 * entries.length;
  const offsets = entries.map((entry) => {
    const start = offset;
    offset += entry.length;
    return start;
  });
  return concat(integers([entries.length, ...offsets]), ...entries);
}

/** All pre-images of a page, in key order; they share its memory. */
export function* undoEntries(page: Uint8Array): Iterable<PreImage> {
  const view = viewOf(page);
  for (let index = 0; index < view.getUint32(0); index += 1) yield entryAt(page, view, index);
}

/** The pre-image of one key by binary search; undefined when the block did not write it. */
export function findInUndo(page: Uint8Array, key: Uint8Array): PreImage | undefined {
  const view = viewOf(page);
  let low = 0;
  let high = view.getUint32(0);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entryAt(page, view, middle);
    const order = compare(entry.key, key);
    if (order === 0) return entry;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function entryAt(page: Uint8Array, view: DataView, index: number): PreImage {
  const offset = view.getUint32(4 + 4 * index);
  const keyLength = view.getUint32(offset);
  const rowLength = view.getUint32(offset + 4);
  const keyEnd = offset + 8 + keyLength;
  return {
    key: page.subarray(offset + 8, keyEnd),
    row: rowLength === NONE ? undefined : page.subarray(keyEnd, keyEnd + rowLength),
  };
}

function viewOf(page: Uint8Array): DataView {
  return new DataView(page.buffer, page.byteOffset, page.length);
}

function integers(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) => {
    view.setUint32(4 * index, value);
  });
  return bytes;
}
