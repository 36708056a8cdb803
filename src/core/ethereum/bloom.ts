/** Log blooms: 2,048 bits; each address and topic sets three bits by its keccak256 (Ethereum yellow paper 4.3.1). */
import { equal } from '../bytes/bytes.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import type { Crypto } from '../ports/crypto.js';

const BLOOM_BYTES = 256;
/** Bloom of no logs. */
export const NO_BLOOM: Uint8Array = new Uint8Array(BLOOM_BYTES);

interface Logged {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
}

/** Bloom of the logs of a transaction. */
export function bloomOfLogs(crypto: Pick<Crypto, 'keccak256'>, logs: readonly Logged[]): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  addLogs(crypto, bloom, logs);
  return bloom;
}

/** Adds logs to the bloom `before`. */
export function bloomWithLogs(
  crypto: Pick<Crypto, 'keccak256'>,
  before: Uint8Array,
  logs: readonly Logged[],
): Uint8Array {
  const bloom = before.slice();
  addLogs(crypto, bloom, logs);
  return bloom;
}

function addLogs(crypto: Pick<Crypto, 'keccak256'>, bloom: Uint8Array, logs: readonly Logged[]): void {
  for (const { address, topics } of logs) {
    addBits(bloom, bloomBits(crypto, address));
    for (const topic of topics) addBits(bloom, bloomBits(crypto, topic));
  }
}

function addBits(bloom: Uint8Array, bits: readonly number[]): void {
  for (const bit of bits) bloom[bit >> 3] = (bloom[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
}

/** Bloom of a block: the union of its receipts' blooms. */
export function unionOfBlooms(blooms: readonly Uint8Array[]): Uint8Array {
  const union = new Uint8Array(BLOOM_BYTES);
  for (const bloom of blooms)
    for (let index = 0; index < BLOOM_BYTES; index += 1) union[index] = (union[index] ?? 0) | (bloom[index] ?? 0);
  return union;
}

interface Known {
  readonly value: Uint8Array;
  readonly bits: readonly number[];
}

/** Cache of bits, indexed by the last bytes of a value: contracts repeat their address and first topics. */
const known: (Known | undefined)[] = Array.from({ length: FIXED_LIMITS.knownBloomBits });

/** The three bits of a value, counted from the left of the bloom. */
export function bloomBits(crypto: Pick<Crypto, 'keccak256'>, value: Uint8Array): readonly number[] {
  const slot =
    ((value[value.length - 1] ?? 0) | ((value[value.length - 2] ?? 0) << 8)) & (FIXED_LIMITS.knownBloomBits - 1);
  const before = known[slot];
  if (before !== undefined && equal(before.value, value)) return before.bits;
  const digest = crypto.keccak256(value);
  const bits = [0, 2, 4].map((at) => 2_047 - ((((digest[at] ?? 0) << 8) | (digest[at + 1] ?? 0)) & 2_047));
  known[slot] = { value: value.slice(), bits };
  return bits;
}
