/**
 * Codec of the state writes of one event. Each store name is written once; a key is written as the length of the prefix
 * it shares with the previous key, then the rest; a value as its length plus one (0 deletes the key). Writes are sorted
 * by store and key, so prefixes are long.
 */
import { sharedPrefix } from '../../core/bytes/bytes.js';
import type { StateWrite } from '../../core/state/state.js';
import { type ByteReader, type ByteWriter, FormatError } from '../bytes.js';

const packed = new WeakMap<readonly StateWrite[], Uint8Array>();

/** Remembers the encoded form of `writes`, so that `packWrites` copies it. `writes` must not change afterwards. */
export function keepPacked(writes: readonly StateWrite[], bytes: Uint8Array): void {
  packed.set(writes, bytes);
}

/** Encodes state writes. */
export function packWrites(writes: readonly StateWrite[], to: ByteWriter): void {
  const kept = packed.get(writes);
  if (kept !== undefined) {
    to.raw(kept);
    return;
  }
  const stores = new Map<string, number>();
  let previous: Uint8Array = new Uint8Array(0);
  to.uint(writes.length);
  for (const { store, key, value } of writes) {
    const known = stores.get(store);
    to.uint(known ?? stores.size);
    if (known === undefined) {
      stores.set(store, stores.size);
      to.text(store);
    }
    const shared = sharedPrefix(previous, key);
    to.uint(shared);
    to.bytes(key, shared);
    to.uint(value === undefined ? 0 : value.length + 1);
    if (value !== undefined) to.raw(value);
    previous = key;
  }
}

/** Inverse of `packWrites`; throws FormatError. Values are views into the reader's source. */
export function unpackWrites(from: ByteReader): StateWrite[] {
  const count = from.count();
  if (count > from.remaining) throw new FormatError('more writes than bytes');
  const writes: StateWrite[] = [];
  const stores: string[] = [];
  let previous: Uint8Array = new Uint8Array(0);
  for (let index = 0; index < count; index += 1) {
    const number = from.count();
    if (number > stores.length) throw new FormatError('store number out of order');
    if (number === stores.length) stores.push(from.text());
    const shared = from.count();
    if (shared > previous.length) throw new FormatError('shared key length too long');
    const rest = from.bytes();
    const key = new Uint8Array(shared + rest.length);
    key.set(previous.subarray(0, shared));
    key.set(rest, shared);
    const size = from.count();
    writes.push({ store: stores[number] ?? '', key, value: size === 0 ? undefined : from.raw(size - 1) });
    previous = key;
  }
  return writes;
}
