/**
 * Root of the Merkle-Patricia trie over a list: each value's key is the RLP of its index (Ethereum yellow paper
 * 4.3.2, appendix D).
 */
import { EMPTY } from '../bytes/bytes.js';
import type { Crypto } from '../ports/crypto.js';
import { encodeRlp, type RlpItem, rlpNumber } from './rlp.js';

interface Entry {
  /** Key in nibbles. */
  readonly path: readonly number[];
  readonly value: Uint8Array;
}

/** Root hash, 32 bytes; for an empty list the hash of an empty string's RLP. */
export function orderedTrieRoot(crypto: Pick<Crypto, 'keccak256'>, values: readonly Uint8Array[]): Uint8Array {
  return trieRoot(
    crypto,
    values.map((value, index) => ({ key: encodeRlp(rlpNumber(BigInt(index))), value })),
  );
}

/** Root hash over arbitrary keys; no key may be a prefix of another. */
export function trieRoot(
  crypto: Pick<Crypto, 'keccak256'>,
  values: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[],
): Uint8Array {
  if (values.length === 0) return crypto.keccak256(encodeRlp(EMPTY));
  const entries = values.map(({ key, value }): Entry => ({ path: nibblesOf(key), value }));
  return crypto.keccak256(encodeRlp(node(crypto, entries, 0)));
}

/**
 * Node of all entries that share their first `depth` nibbles. Requires at least one entry, and that no path is a
 * prefix of another.
 */
function node(crypto: Pick<Crypto, 'keccak256'>, entries: readonly Entry[], depth: number): RlpItem {
  const [first] = entries;
  if (first === undefined) return EMPTY;
  if (entries.length === 1) return [compact(first.path.slice(depth), true), first.value];
  const shared = sharedLength(entries, first.path, depth);
  if (shared > depth)
    return [compact(first.path.slice(depth, shared), false), reference(crypto, node(crypto, entries, shared))];
  const branches = Array.from({ length: 16 }, (_, nibble) => entries.filter(({ path }) => path[depth] === nibble));
  return [
    ...branches.map((branch) => (branch.length === 0 ? EMPTY : reference(crypto, node(crypto, branch, depth + 1)))),
    EMPTY,
  ];
}

/** Reference to a node in its parent: the node itself when its encoding is shorter than 32 bytes, else its hash. */
function reference(crypto: Pick<Crypto, 'keccak256'>, item: RlpItem): RlpItem {
  const encoded = encodeRlp(item);
  return encoded.length < 32 ? item : crypto.keccak256(encoded);
}

function sharedLength(entries: readonly Entry[], path: readonly number[], from: number): number {
  let length = from;
  while (length < path.length && entries.every((entry) => entry.path[length] === path[length])) length += 1;
  return length;
}

/** Nibbles of bytes, high nibble first. */
export function nibblesOf(bytes: Uint8Array): readonly number[] {
  const nibbles: number[] = [];
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15);
  return nibbles;
}

/** Hex-prefix encoding: flags for leaf and odd length, then two nibbles per byte (yellow paper, appendix C). */
export function compact(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const odd = nibbles.length % 2;
  const bytes = new Uint8Array((nibbles.length - odd) / 2 + 1);
  const flag = isLeaf ? 2 : 0;
  bytes[0] = odd === 0 ? flag * 16 : (flag + 1) * 16 + (nibbles[0] ?? 0);
  for (let at = 1; at < bytes.length; at += 1)
    bytes[at] = (nibbles[2 * at - 2 + odd] ?? 0) * 16 + (nibbles[2 * at - 1 + odd] ?? 0);
  return bytes;
}
