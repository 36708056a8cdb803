/** Byte order: the order of keys in all stores of the state and in the database. */

/** First key after all keys with this prefix; undefined when there is none (all bytes are 0xff). */
export function prefixEnd(prefix: Uint8Array): Uint8Array | undefined {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  if (length === 0) return undefined;
  // `slice` of a Buffer would share memory with the prefix.
  const end = Uint8Array.from(prefix.subarray(0, length));
  end[length - 1] = (end[length - 1] ?? 0) + 1;
  return end;
}

/** Range of all keys with this prefix. */
export function prefixRange(
  prefix: Uint8Array,
  reverse = false,
): { start: Uint8Array; end?: Uint8Array; reverse: boolean } {
  const end = prefixEnd(prefix);
  return end === undefined ? { start: prefix, reverse } : { start: prefix, end, reverse };
}

/** First key after `key`: `key` followed by a zero byte. */
export function keyAfter(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}

/** Converts bytes to a string with one code unit per byte: a map key whose `<` order is the byte order. */
export function toOrderedString(bytes: Uint8Array): string {
  if (bytes.length <= UNITS_PER_CALL) return unitsText(bytes);
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; at += UNITS_PER_CALL)
    texts.push(unitsText(bytes.subarray(at, at + UNITS_PER_CALL)));
  return texts.join('');
}

/** One call with all code units gives a flat string, ready for hashing, at half the cost of concatenation. */
function unitsText(bytes: Uint8Array): string {
  const text: unknown = Reflect.apply(String.fromCharCode, undefined, bytes);
  return String(text);
}

/** Number of arguments per call, far below the limit of engines. */
const UNITS_PER_CALL = 4_096;

/** Index of the first string in an ascending list that is not below `key`. */
export function lowerBound(ascending: readonly string[], key: string): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
