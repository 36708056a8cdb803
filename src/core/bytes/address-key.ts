/**
 * State keys with length-prefixed addresses (cosmos-sdk v0.53 `types/address` MustLengthPrefix). A transaction makes
 * hundreds of keys, so each is one array that is filled in place.
 */
import { EMPTY } from './bytes.js';

/** Key of a prefix, a length-prefixed address and further bytes. */
export function addressKey(prefix: Uint8Array, address: Uint8Array, rest: Uint8Array = EMPTY): Uint8Array {
  const at = prefix.length + 1;
  const key = new Uint8Array(at + address.length + rest.length);
  put(key, 0, prefix);
  key[at - 1] = address.length;
  put(key, at, address);
  put(key, at + address.length, rest);
  return key;
}

/** Key of a prefix and two length-prefixed addresses. */
export function addressPairKey(prefix: Uint8Array, first: Uint8Array, second: Uint8Array): Uint8Array {
  const at = prefix.length + 1 + first.length + 1;
  const key = new Uint8Array(at + second.length);
  put(key, 0, prefix);
  key[prefix.length] = first.length;
  put(key, prefix.length + 1, first);
  key[at - 1] = second.length;
  put(key, at, second);
  return key;
}

/** For short keys a loop is faster than `set`. */
function put(key: Uint8Array, at: number, bytes: Uint8Array): void {
  for (let index = 0; index < bytes.length; index += 1) key[at + index] = bytes[index] ?? 0;
}
