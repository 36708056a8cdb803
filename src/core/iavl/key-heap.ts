import { invariant } from '../errors.js';

/** Reference to a key in a `KeyHeap`: its offset in units of 8 bytes (granules). */
export type KeyRef = number;

const PAGE_BYTES = 1 << 20;
const GRANULE_SHIFT = 3;
const PAGE_SHIFT = 20 - GRANULE_SHIFT;
const PAGE_MASK = (1 << PAGE_SHIFT) - 1;
/** Header of a key: reference count and length, 4 bytes each. */
const HEADER_BYTES = 8;

/** Longest key in the Cosmos SDK (store/types `MaxKeyLength`), bytes. */
export const MAX_KEY_BYTES = (1 << 17) - 1;

/**
 * Reference-counted key storage: a leaf, its older versions and the inner nodes that split at it share one copy. Freed
 * space is reused for keys of the same size class, so memory is bounded by the largest set of live keys.
 */
export class KeyHeap {
  readonly #pages: DataView<ArrayBuffer>[] = [];
  readonly #free = new Map<number, KeyRef[]>();
  #top = PAGE_BYTES;
  #liveBytes = 0;

  /** Bytes of live keys, including headers and rounding. */
  get liveBytes(): number {
    return this.#liveBytes;
  }

  /** Bytes allocated from the host. */
  get reservedBytes(): number {
    return this.#pages.length * PAGE_BYTES;
  }

  /** Stores a copy of the key with reference count 1. */
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

  /** Increments the reference count and returns the reference. */
  share(ref: KeyRef): KeyRef {
    const page = this.#page(ref);
    const offset = offsetOf(ref);
    page.setUint32(offset, page.getUint32(offset) + 1);
    return ref;
  }

  /** Decrements the reference count; frees the key at zero. */
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

  /** A view of the key's bytes; valid until the key is freed. */
  view(ref: KeyRef): Uint8Array {
    const page = this.#page(ref);
    const offset = offsetOf(ref);
    return new Uint8Array(page.buffer, offset + HEADER_BYTES, page.getUint32(offset + 4));
  }

  /** Compares bytewise: negative, zero or positive when `key` sorts before, equal to, or after the stored key. */
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
