/** CRC-32C (Castagnoli, RFC 3720 B.4), and the masked form in which LevelDB stores it. */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value >>> 0;
});

/** CRC-32C of the bytes from `from` to before `to`. */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let sum = 0xffffffff;
  for (let index = from; index < to; index += 1) sum = (TABLE[(sum ^ (bytes[index] ?? 0)) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** LevelDB's masked form of a checksum (util/crc32c.h `Mask`). */
export function masked(sum: number): number {
  return (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0;
}
