/** The Merkle tree of RFC 6962 over SHA-256, with inclusion proofs (CometBFT spec, core/encoding, Merkle Trees). */
import { create } from '@bufbuild/protobuf';
import { concat, EMPTY } from '../bytes/bytes.js';
import type { Crypto } from '../ports/crypto.js';
import { type Proof, ProofSchema } from '../proto/tendermint/crypto/proof_pb.js';

/** The part of the crypto port that these hashes need. */
export type Sha256 = Pick<Crypto, 'sha256'>;

const LEAF = 0;
const INNER = 1;
const HASH_BYTES = 32;
/** Reused input buffer of `innerHash`: V8 allocates arrays of more than 64 bytes outside its heap, which is slow. */
const pair = concat(Uint8Array.of(INNER), new Uint8Array(2 * HASH_BYTES));

const SHORT_LEAF = 1_023;
/** Reused input buffer of `leafHash` for leaves of at most `SHORT_LEAF` bytes, for the same reason. */
const leafInput = concat(Uint8Array.of(LEAF), new Uint8Array(SHORT_LEAF));

/** Hashes a leaf: sha256 of the byte 0 followed by the leaf (32 bytes). */
export function leafHash(crypto: Sha256, leaf: Uint8Array): Uint8Array {
  const { length } = leaf;
  const data = length > SHORT_LEAF ? new Uint8Array(1 + length) : leafInput.subarray(0, 1 + length);
  data.set(leaf, 1);
  return crypto.sha256(data);
}

/** Hashes an inner node: sha256 of the byte 1 followed by both child hashes (32 bytes). */
export function innerHash(crypto: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  pair.set(left, 1);
  pair.set(right, 1 + HASH_BYTES);
  return crypto.sha256(pair);
}

/** Root over leaf bytes; the root of no leaves is the hash of no bytes. */
export function merkleRoot(crypto: Sha256, leaves: readonly Uint8Array[]): Uint8Array {
  return merkleRootOfHashes(
    crypto,
    leaves.map((leaf) => leafHash(crypto, leaf)),
  );
}

/** Root over leaf hashes; equals `merkleRoot` of the leaves. */
export function merkleRootOfHashes(crypto: Sha256, hashes: readonly Uint8Array[]): Uint8Array {
  return hashes.length === 0 ? crypto.sha256(EMPTY) : rootOf(crypto, hashes, 0, hashes.length);
}

/** Inclusion proof of every leaf; aunts are ordered from the leaf to the root. */
export function merkleProofs(
  crypto: Sha256,
  leaves: readonly Uint8Array[],
): { readonly root: Uint8Array; readonly proofs: readonly Proof[] } {
  const hashes = leaves.map((leaf) => leafHash(crypto, leaf));
  const proofs = hashes.map((hash, index) =>
    create(ProofSchema, { total: BigInt(leaves.length), index: BigInt(index), leafHash: hash, aunts: [] }),
  );
  const root = collectAunts(crypto, hashes, proofs);
  return { root: root ?? crypto.sha256(new Uint8Array()), proofs };
}

/** Root over the hashes from `start` to `end` (exclusive); requires at least one. */
function rootOf(crypto: Sha256, hashes: readonly Uint8Array[], start: number, end: number): Uint8Array {
  if (end - start <= 1) return hashes[start] ?? EMPTY;
  const split = start + splitPoint(end - start);
  return innerHash(crypto, rootOf(crypto, hashes, start, split), rootOf(crypto, hashes, split, end));
}

function collectAunts(crypto: Sha256, hashes: readonly Uint8Array[], proofs: readonly Proof[]): Uint8Array | undefined {
  if (hashes.length <= 1) return hashes[0];
  const split = splitPoint(hashes.length);
  const left = collectAunts(crypto, hashes.slice(0, split), proofs.slice(0, split));
  const right = collectAunts(crypto, hashes.slice(split), proofs.slice(split));
  if (left === undefined || right === undefined) return undefined;
  proofs.forEach((proof, index) => proof.aunts.push(index < split ? right : left));
  return innerHash(crypto, left, right);
}

/** Largest power of two strictly below `count`. */
export function splitPoint(count: number): number {
  return 2 ** (31 - Math.clz32(count - 1));
}
