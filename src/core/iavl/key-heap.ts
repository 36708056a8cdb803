import { invariant } from '../errors.js';

/** Reference to a key in a `KeyHeap`: its offset in granules of 8 bytes. */
export type KeyRef = number;

const PAGE_BYTES = 1 << 20;
const GRANULE_SHIFT = 3;
const PAGE_SHIFT = 20 - GRANULE_SHIFT;
const PAGE_MASK = (1 << PAGE_SHIFT) - 1;
/** A key's count of references and its length, 4 bytes each, precede its bytes. */
const HEADER_BYTES = 8;

/** Longest key of the Cosmos SDK (store/types `MaxKeyLength`), bytes. */
export const MAX_KEY_BYTES = (1 << 17) - 1;

/**
 * Bytes of keys, counted by reference: a leaf, its older versions and the inner nodes that split at it share one copy.
 * Released space is reused by keys of the same size class, so memory is bounded by the largest set of live keys.
 */
export class KeyHeap {
  readonly #pages: DataView<ArrayBuffer>[] = [];
  readonly #free = new Map<number, KeyRef[]>();
  #top = PAGE_BYTES;
  #liveBytes = 0;

  /** Bytes of live keys, with headers and rounding. */
  get liveBytes(): number {
    return this.#liveBytes;
  }

  /** Bytes allocated from the host. */
  get reservedBytes(): number {
    return this.#pages.length * PAGE_BYTES;
  }

  /** Stores a copy of the key with one reference. */
  add(key: Uint8Array): KeyRef {
    invariant(key.length <= MAX_KEY_BYTES, 'a key of the state exceeds the longest key');
    const ref = this.#allocate(granulesOf(key.length));
    const page = this.#page(ref);
    const offset = offsetOf(ref);
    page.setUint32(offset, 1);
    page.setUint32(offset + 4, key.length);
    const begin = offset + HEADER_BYTES;
    for (let index = 0; index < key.length; index += 1) page.setUint8(begin + index, key[index] ?? 0);
    return ref;
  }

  /** Adds one reference and returns the same key. */
  share(ref: KeyRef): KeyRef {
    const page = this.#page(ref);
    const offset = offsetOf(ref);
    page.setUint32(offset, page.getUint32(offset) + 1);
    return ref;
  }

  /** Removes one reference; after the last one the space is free. */
  release(ref: KeyRef): void {
    const page = this.#page(ref);
    const offset = offsetOf(ref);
    const references = page.getUint32(offset);
    invariant(references > 0, 'a key was released more often than shared');
    page.setUint32(offset, references - 1);
    if (references > 1) return;
    const granules = granulesOf(page.getUint32(offset + 4));
    this.#liveBytes -= granules << GRANULE_SHIFT;
    const sameSize = this.#free.get(granules);
    if (sameSize === undefined) this.#free.set(granules, [ref]);
    else sameSize.push(ref);
  }

  /** The key's bytes in place: valid until the key is released. */
  view(ref: KeyRef): Uint8Array {
    const page = this.#page(ref);
    const offset = offsetOf(ref);
    return new Uint8Array(page.buffer, offset + HEADER_BYTES, page.getUint32(offset + 4));
  }

  /** Negative, zero or positive as `key` sorts before, equal to or after the stored key, bytewise. */
  compare(key: Uint8Array, ref: KeyRef): number {
    const page = this.#page(ref);
    const offset = offsetOf(ref);
    const length = page.getUint32(offset + 4);
    const common = Math.min(length, key.length);
    for (let index = 0; index < common; index += 1) {
      const difference = (key[index] ?? 0) - page.getUint8(offset + HEADER_BYTES + index);
      if (difference !== 0) return difference;
    }
    return key.length - length;
  }

  #allocate(granules: number): KeyRef {
    const bytes = granules << GRANULE_SHIFT;
    this.#liveBytes += bytes;
    const reused = this.#free.get(granules)?.pop();
    if (reused !== undefined) return reused;
    if (this.#top + bytes > PAGE_BYTES) {
      this.#pages.push(new DataView(new ArrayBuffer(PAGE_BYTES)));
      this.#top = 0;
    }
    const ref = ((this.#pages.length - 1) << PAGE_SHIFT) + (this.#top >>> GRANULE_SHIFT);
    this.#top += bytes;
    return ref;
  }

  #page(ref: KeyRef): DataView<ArrayBuffer> {
    const page = this.#pages[ref >>> PAGE_SHIFT];
    if (page === undefined) throw new Error('invariant: a reference points outside of the key heap');
    return page;
  }
}

function granulesOf(keyLength: number): number {
  return (HEADER_BYTES + keyLength + (1 << GRANULE_SHIFT) - 1) >>> GRANULE_SHIFT;
}

function offsetOf(ref: KeyRef): number {
  return (ref & PAGE_MASK) << GRANULE_SHIFT;
}
