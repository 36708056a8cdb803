import { writeBe32 } from '../../core/bytes/big-endian.js';
import { compare } from '../../core/bytes/bytes.js';

/** A row of `latest` as it was before a block. */
export interface PreImage {
  /** Key of the row in `latest`. */
  readonly key: Uint8Array;
  /** Bytes of the row before the block; undefined when the block created it. */
  readonly row: Uint8Array | undefined;
}

const NONE = 0xffff_ffff;

/**
 * Encodes the pre-images of one block, sorted by key. Big-endian 4-byte integers: count; offset of each entry; then per
 * entry length of key, length of row (all ones: no row), key, row. The offsets allow binary search.
 */
export function encodeUndoPage(images: readonly PreImage[]): Uint8Array {
  const start = 4 + 4 * images.length;
  let length = start;
  for (const { key, row } of images) length += 8 + key.length + (row?.length ?? 0);
  const page = new Uint8Array(length);
  writeBe32(page, 0, images.length);
  let offset = start;
  for (const [index, { key, row }] of images.entries()) {
    writeBe32(page, 4 + 4 * index, offset);
    writeBe32(page, offset, key.length);
    writeBe32(page, offset + 4, row === undefined ? NONE : row.length);
    page.set(key, offset + 8);
    if (row !== undefined) page.set(row, offset + 8 + key.length);
    offset += 8 + key.length + (row?.length ?? 0);
  }
  return page;
}

/** Number of pre-images of a page. */
export function undoCount(page: Uint8Array): number {
  return viewOf(page).getUint32(0);
}

/** All pre-images of a page, in key order; views into the page. */
export function* undoEntries(page: Uint8Array): Iterable<PreImage> {
  const view = viewOf(page);
  for (let index = 0; index < view.getUint32(0); index += 1) yield entryAt(page, view, index);
}

/** Finds the pre-image of a key by binary search; undefined when the block did not write the key. */
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
