/** 33 bytes of a point of 65: its x behind the parity of its y (SEC 1, 2.3.3). */
export function compressed(point: Uint8Array): Uint8Array {
  const out = new Uint8Array(33);
  out[0] = 2 + ((point[64] ?? 0) & 1);
  out.set(point.subarray(1, 33), 1);
  return out;
}
