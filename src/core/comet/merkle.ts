/** The Merkle tree of RFC 6962 over SHA-256, with its inclusion proofs (cometbft-rpc.md 7.1). */
import { create } from '@bufbuild/protobuf';
import type { Crypto } from '../ports/crypto.js';
import { type Proof, ProofSchema } from '../proto/tendermint/crypto/proof_pb.js';
import { equalBytes } from './text.js';

/** The only part of the port that hashes of the chain need. */
export type Sha256 = Pick<Crypto, 'sha256'>;

const LEAF = 0;
const INNER = 1;

export function leafHash(crypto: Sha256, leaf: Uint8Array): Uint8Array {
  const data = new Uint8Array(1 + leaf.length);
  data[0] = LEAF;
  data.set(leaf, 1);
  return crypto.sha256(data);
}

export function innerHash(crypto: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  const data = new Uint8Array(1 + left.length + right.length);
  data[0] = INNER;
  data.set(left, 1);
  data.set(right, 1 + left.length);
  return crypto.sha256(data);
}

/** Root of the leaves' bytes; no leaves give the hash of nothing. */
export function merkleRoot(crypto: Sha256, leaves: readonly Uint8Array[]): Uint8Array {
  const root = rootOf(crypto, leaves.map((leaf) => leafHash(crypto, leaf)));
  return root ?? crypto.sha256(new Uint8Array());
}

/** Inclusion proof of every leaf; aunts run from the leaf to the root. */
export function merkleProofs(crypto: Sha256, leaves: readonly Uint8Array[]): { readonly root: Uint8Array; readonly proofs: readonly Proof[] } {
  const hashes = leaves.map((leaf) => leafHash(crypto, leaf));
  const proofs = hashes.map((hash, index) =>
    create(ProofSchema, { total: BigInt(leaves.length), index: BigInt(index), leafHash: hash, aunts: [] }),
  );
  const root = collectAunts(crypto, hashes, proofs);
  return { root: root ?? crypto.sha256(new Uint8Array()), proofs };
}

/** True when the proof leads from the leaf to the root. */
export function verifyMerkleProof(crypto: Sha256, root: Uint8Array, proof: Proof, leaf: Uint8Array): boolean {
  if (proof.index < 0n || proof.index >= proof.total || proof.aunts.length > 64) return false;
  if (!equalBytes(leafHash(crypto, leaf), proof.leafHash)) return false;
  const computed = rootFromAunts(crypto, proof.index, proof.total, proof.leafHash, proof.aunts);
  return computed !== undefined && equalBytes(computed, root);
}

function rootOf(crypto: Sha256, hashes: readonly Uint8Array[]): Uint8Array | undefined {
  if (hashes.length <= 1) return hashes[0];
  const split = splitPoint(hashes.length);
  const left = rootOf(crypto, hashes.slice(0, split));
  const right = rootOf(crypto, hashes.slice(split));
  return left === undefined || right === undefined ? undefined : innerHash(crypto, left, right);
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

function rootFromAunts(crypto: Sha256, index: bigint, total: bigint, leaf: Uint8Array, aunts: readonly Uint8Array[]): Uint8Array | undefined {
  if (total === 1n) return aunts.length === 0 ? leaf : undefined;
  const aunt = aunts.at(-1);
  if (aunt === undefined) return undefined;
  const split = bigSplitPoint(total);
  const rest = aunts.slice(0, -1);
  if (index < split) {
    const left = rootFromAunts(crypto, index, split, leaf, rest);
    return left && innerHash(crypto, left, aunt);
  }
  const right = rootFromAunts(crypto, index - split, total - split, leaf, rest);
  return right && innerHash(crypto, aunt, right);
}

/** Largest power of two strictly below the count. */
function splitPoint(count: number): number {
  return 2 ** (31 - Math.clz32(count - 1));
}

function bigSplitPoint(count: bigint): bigint {
  let power = 1n;
  while (power * 2n < count) power *= 2n;
  return power;
}
