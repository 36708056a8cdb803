/**
 * Eight bytes, big-endian, so that byte order is number order. Making a view of a small array moves its bytes out of
 * the heap, at ten times the cost of reading them; so there is one view, and bytes are copied to and from it.
 */
const view = new DataView(new ArrayBuffer(8));
const bytes = new Uint8Array(view.buffer);

/** An unsigned 64-bit number; of a larger number the lowest 64 bits. */
export function be64(value: bigint): Uint8Array<ArrayBuffer> {
  view.setBigUint64(0, value);
  return bytes.slice();
}

/** Writes the bytes of `be64` to `target` at `offset`. */
export function writeBe64(target: Uint8Array, offset: number, value: bigint): void {
  view.setBigUint64(0, value);
  target.set(bytes, offset);
}

/** The number in the eight bytes of `source` at `offset`, which must exist. */
export function readBe64(source: Uint8Array, offset = 0): bigint {
  for (let index = 0; index < 8; index += 1) bytes[index] = source[offset + index] ?? 0;
  return view.getBigUint64(0);
}
