/**
 * Eight bytes, big-endian, so that byte order is number order. A view on small bytes moves them out of the heap, at ten
 * times the cost of what is read: one view is kept and what crosses it is copied.
 */
const view = new DataView(new ArrayBuffer(8));
const bytes = new Uint8Array(view.buffer);

/** An unsigned 64-bit number; of any other the lowest 64 bits. */
export function be64(value: bigint): Uint8Array<ArrayBuffer> {
  view.setBigUint64(0, value);
  return bytes.slice();
}

/** Writes what `be64` answers to `target` at `offset`. */
export function writeBe64(target: Uint8Array, offset: number, value: bigint): void {
  view.setBigUint64(0, value);
  target.set(bytes, offset);
}

/** The number in eight bytes of `source`, which has them. */
export function readBe64(source: Uint8Array, offset = 0): bigint {
  for (let index = 0; index < 8; index += 1) bytes[index] = source[offset + index] ?? 0;
  return view.getBigUint64(0);
}
