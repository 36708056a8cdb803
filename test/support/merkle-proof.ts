/** Verifies inclusion proofs of Merkle trees as a client does (CometBFT spec, core/encoding, Merkle Trees). */
import { innerHash, leafHash, type Sha256 } from '../../src/core/comet/merkle.js';
import { equal } from '../../src/core/bytes/bytes.js';
import type { Proof } from '../../src/core/proto/tendermint/crypto/proof_pb.js';

/** True when the proof leads from the leaf to the root. */
export function verifyMerkleProof(crypto: Sha256, root: Uint8Array, proof: Proof, leaf: Uint8Array): boolean {
  if (proof.index < 0n || proof.index >= proof.total || proof.aunts.length > 64) return false;
  if (!equal(leafHash(crypto, leaf), proof.leafHash)) return false;
  const computed = rootFromAunts(crypto, proof.index, proof.total, proof.leafHash, proof.aunts);
  return computed !== undefined && equal(computed, root);
}

function rootFromAunts(
  crypto: Sha256,
  index: bigint,
  total: bigint,
  leaf: Uint8Array,
  aunts: readonly Uint8Array[],
): Uint8Array | undefined {
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

function bigSplitPoint(count: bigint): bigint {
  let power = 1n;
  while (power * 2n < count) power *= 2n;
  return power;
}
