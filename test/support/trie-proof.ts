import { equal } from '../../src/core/bytes/bytes.js';
import { hex } from '../../src/core/bytes/hex.js';
import { decodeRlp, encodeRlp, type RlpItem } from '../../src/core/ethereum/rlp.js';
import type { Crypto } from '../../src/core/ports/crypto.js';

const NOTHING = new Uint8Array(0);

/**
 * The value at a path of a Merkle-Patricia trie, or undefined for a proven absence: follows a proof from the root as a
 * client does (EIP-1186). Throws when a node is missing.
 */
export function verifyTrieProof(
  crypto: Pick<Crypto, 'keccak256'>,
  root: Uint8Array,
  proof: readonly Uint8Array[],
  path: Uint8Array,
): Uint8Array | undefined {
  const nibbles = [...path].flatMap((byte) => [byte >> 4, byte & 15]);
  const nodes = new Map(proof.map((node) => [hex(crypto.keccak256(node)), node]));
  if (proof.length === 0) {
    if (!equal(root, crypto.keccak256(encodeRlp(NOTHING)))) throw new Error('an empty proof is of an empty trie');
    return undefined;
  }
  const follow = (reference: RlpItem, depth: number): Uint8Array | undefined => {
    if (reference instanceof Uint8Array && reference.length === 0) return undefined;
    const encoded = reference instanceof Uint8Array ? nodes.get(hex(reference)) : encodeRlp(reference);
    if (encoded === undefined) throw new Error('a node of the path is not in the proof');
    const decoded = decodeRlp(encoded);
    if (!decoded.ok || decoded.item instanceof Uint8Array) throw new Error('a node is no list');
    const items = decoded.item;
    if (items.length === 17) return follow(items[nibbles[depth] ?? 0] ?? NOTHING, depth + 1);
    const [head, tail] = items;
    if (!(head instanceof Uint8Array) || tail === undefined) throw new Error('a short node has two items');
    const flag = (head[0] ?? 0) >> 4;
    const own = [...head].flatMap((byte) => [byte >> 4, byte & 15]).slice(flag % 2 === 1 ? 1 : 2);
    if (own.some((nibble, at) => nibbles[depth + at] !== nibble)) return undefined;
    if (flag < 2) return follow(tail, depth + own.length);
    return tail instanceof Uint8Array ? tail : undefined;
  };
  return follow(root, 0);
}
