import type { EvmFork } from './transaction.js';
import { isForkSince } from './forks.js';

/** A precompile: its EIP-7910 name, its address as a number, and the fork that added it. */
interface PrecompileRow {
  readonly name: string;
  readonly at: number;
  readonly since: EvmFork;
}

const ROWS: readonly PrecompileRow[] = [
  { name: 'ECREC', at: 0x01, since: 'london' },
  { name: 'SHA256', at: 0x02, since: 'london' },
  { name: 'RIPEMD160', at: 0x03, since: 'london' },
  { name: 'ID', at: 0x04, since: 'london' },
  { name: 'MODEXP', at: 0x05, since: 'london' },
  { name: 'BN254_ADD', at: 0x06, since: 'london' },
  { name: 'BN254_MUL', at: 0x07, since: 'london' },
  { name: 'BN254_PAIRING', at: 0x08, since: 'london' },
  { name: 'BLAKE2F', at: 0x09, since: 'london' },
  { name: 'KZG_POINT_EVALUATION', at: 0x0a, since: 'cancun' },
  { name: 'BLS12_G1ADD', at: 0x0b, since: 'prague' },
  { name: 'BLS12_G1MSM', at: 0x0c, since: 'prague' },
  { name: 'BLS12_G2ADD', at: 0x0d, since: 'prague' },
  { name: 'BLS12_G2MSM', at: 0x0e, since: 'prague' },
  { name: 'BLS12_PAIRING_CHECK', at: 0x0f, since: 'prague' },
  { name: 'BLS12_MAP_FP_TO_G1', at: 0x10, since: 'prague' },
  { name: 'BLS12_MAP_FP2_TO_G2', at: 0x11, since: 'prague' },
  { name: 'P256VERIFY', at: 0x100, since: 'osaka' },
];

/** Ethereum's precompiles in a fork, ordered by address (20 bytes), with their EIP-7910 names. */
export function precompilesOf(fork: EvmFork): readonly { readonly name: string; readonly address: Uint8Array }[] {
  return ROWS.filter(({ since }) => isForkSince(fork, since)).map(({ name, at }) => ({
    name,
    address: addressOf(at),
  }));
}

/** True for the address of an Ethereum precompile in this fork. */
export function isPrecompile(fork: EvmFork, address: Uint8Array): boolean {
  if (address.subarray(0, 18).some((byte) => byte !== 0)) return false;
  const at = (address[18] ?? 0) * 256 + (address[19] ?? 0);
  return ROWS.some((row) => row.at === at && isForkSince(fork, row.since));
}

function addressOf(at: number): Uint8Array {
  const address = new Uint8Array(20);
  address[18] = at >> 8;
  address[19] = at & 0xff;
  return address;
}
