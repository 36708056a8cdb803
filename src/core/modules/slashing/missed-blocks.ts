/**
 * Bitmap of a validator's missed blocks, in chunks of 1024 bits (cosmos-sdk v0.53
 * `x/slashing/keeper/signing_info.go`). A chunk is its length in bits and 16 words, all of 8 bytes, big-endian;
 * within a word the least significant bit comes first.
 */
import { be64 } from '../../bytes/big-endian.js';
import { prefixRange } from '../../bytes/key-order.js';
import type { Context } from '../../sdk/module/context.js';
import { bitmapKey, bitmapsOf, chunkOfKey, STORE } from './keys.js';

const CHUNK_BITS = 1024;
const LENGTH_BYTES = 8;

/** Byte offset and mask of a bit in its chunk. */
function placeOf(bit: number): { readonly byte: number; readonly mask: number } {
  const word = Math.floor(bit / 64);
  const inWord = bit % 64;
  return { byte: LENGTH_BYTES + word * 8 + 7 - Math.floor(inWord / 8), mask: 1 << (inWord % 8) };
}

function isSet(chunk: Uint8Array, bit: number): boolean {
  const { byte, mask } = placeOf(bit);
  return ((chunk[byte] ?? 0) & mask) !== 0;
}

const chunkOf = (index: bigint): bigint => index / BigInt(CHUNK_BITS);
const bitOf = (index: bigint): number => Number(index % BigInt(CHUNK_BITS));

/** True when a validator missed the block at `index` of its window. */
export function hasMissed({ store }: Context, consensus: Uint8Array, index: bigint): boolean {
  const chunk = store.get(STORE, bitmapKey(consensus, chunkOf(index)));
  return chunk !== undefined && isSet(chunk, bitOf(index));
}

/** Stores whether a validator missed the block at an index of its window. */
export function setMissed({ store }: Context, consensus: Uint8Array, index: bigint, missed: boolean): void {
  const key = bitmapKey(consensus, chunkOf(index));
  const chunk = store.get(STORE, key)?.slice() ?? emptyChunk();
  const { byte, mask } = placeOf(bitOf(index));
  const before = chunk[byte] ?? 0;
  chunk[byte] = missed ? before | mask : before & ~mask;
  store.set(STORE, key, chunk);
}

function emptyChunk(): Uint8Array {
  const chunk = new Uint8Array(LENGTH_BYTES + CHUNK_BITS / 8);
  chunk.set(be64(BigInt(CHUNK_BITS)));
  return chunk;
}

/** Deletes all chunks of a validator. */
export function deleteMissed({ store }: Context, consensus: Uint8Array): void {
  for (const { key } of [...store.range(STORE, prefixRange(bitmapsOf(consensus)))]) store.delete(STORE, key);
}

/** Indices of a validator's missed blocks. */
export function* missedBlocks({ store }: Context, consensus: Uint8Array): Iterable<bigint> {
  for (const { key, value } of store.range(STORE, prefixRange(bitmapsOf(consensus))))
    for (let bit = 0; bit < CHUNK_BITS; bit += 1)
      if (isSet(value, bit)) yield chunkOfKey(key) * BigInt(CHUNK_BITS) + BigInt(bit);
}
