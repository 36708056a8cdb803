/**
 * Fork identifier (EIP-2124) of a chain whose forks are all active at genesis: CRC-32 (ISO 3309) of the genesis hash.
 */
const POLYNOMIAL = 0xedb88320;

/** Computes the fork hash, 4 bytes. */
export function forkId(genesisHash: Uint8Array): Uint8Array {
  let crc = 0xffff_ffff;
  for (const byte of genesisHash) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  }
  const sum = ~crc >>> 0;
  return Uint8Array.of(sum >>> 24, (sum >>> 16) & 0xff, (sum >>> 8) & 0xff, sum & 0xff);
}
