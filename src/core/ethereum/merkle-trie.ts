/** Merkle-Patricia tries that give proofs (Ethereum yellow paper, appendix D; EIP-1186). */
import { compare, equal } from '../bytes/bytes.js';
import type { Crypto } from '../ports/crypto.js';
import { compact, nibblesOf } from './ordered-trie.js';
import { encodeRlp, type RlpItem } from './rlp.js';

export interface TrieEntry {
  /** 32 bytes: in a secure trie the keccak256 of the key. */
  readonly path: Uint8Array;
  readonly value: Uint8Array;
}

interface Encoded {
  /** The fields of a node of less than 32 bytes, which stands inside of the node above it. */
  readonly item: readonly RlpItem[] | undefined;
  readonly encoded: Uint8Array;
}

type Node =
  | (Encoded & { readonly kind: 'leaf' })
  | (Encoded & { readonly kind: 'extension'; readonly shared: Uint8Array; readonly end: number; readonly child: Node })
  | (Encoded & { readonly kind: 'branch'; readonly children: readonly (Node | undefined)[] });

const NOTHING = new Uint8Array(0);
const NIBBLES = 64;
const HASH_BYTES = 32;

/** A trie over entries with paths of 32 bytes; it is built once and gives its root and proofs. */
export class MerkleTrie {
  /** 32 bytes; that of an empty trie is keccak256 of the RLP of no bytes. */
  readonly root: Uint8Array;
  readonly #top: Node | undefined;

  /** All paths differ. `pause` is called for each node; what it throws ends the construction. */
  constructor(crypto: Pick<Crypto, 'keccak256'>, entries: readonly TrieEntry[], pause: () => void = () => undefined) {
    const sorted = entries.toSorted((a, b) => compare(a.path, b.path));
    const nibble = (at: number, depth: number): number => {
      const byte = sorted[at]?.path[depth >> 1] ?? 0;
      return depth % 2 === 0 ? byte >> 4 : byte & 15;
    };
    const nibbles = (at: number, from: number, to: number): readonly number[] =>
      Array.from({ length: to - from }, (_, index) => nibble(at, from + index));
    const build = (from: number, to: number, depth: number): Node => {
      pause();
      if (to - from === 1)
        return made('leaf', [compact(nibbles(from, depth, NIBBLES), true), sorted[from]?.value ?? NOTHING]);
      let end = depth;
      while (end < NIBBLES && nibble(from, end) === nibble(to - 1, end)) end += 1;
      if (end > depth) {
        const child = build(from, to, end);
        const shared = compact(nibbles(from, depth, end), false);
        return { ...made('extension', [shared, reference(crypto, child)]), shared, end, child };
      }
      const children: (Node | undefined)[] = [];
      for (let value = 0, at = from; value < 16; value += 1) {
        const begin = at;
        while (at < to && nibble(at, depth) === value) at += 1;
        children.push(at === begin ? undefined : build(begin, at, depth + 1));
      }
      const item = [...children.map((child) => (child === undefined ? NOTHING : reference(crypto, child))), NOTHING];
      return { ...made('branch', item), children };
    };
    this.#top = sorted.length === 0 ? undefined : build(0, sorted.length, 0);
    this.root = crypto.keccak256(this.#top?.encoded ?? encodeRlp(NOTHING));
  }

  /**
   * Encoded nodes from the root to the place of a path, which prove its value or its absence. Nodes of less than 32
   * bytes stand inside of the node above them. Empty for an empty trie.
   */
  prove(path: Uint8Array): readonly Uint8Array[] {
    const nibbles = nibblesOf(path);
    const proof: Uint8Array[] = [];
    let node = this.#top;
    for (let depth = 0; node !== undefined;) {
      if (depth === 0 || node.encoded.length >= HASH_BYTES) proof.push(node.encoded);
      if (node.kind === 'leaf') break;
      if (node.kind === 'branch') {
        node = node.children[nibbles[depth] ?? 0];
        depth += 1;
      } else {
        const { end, shared } = node;
        if (!equal(shared, compact(nibbles.slice(depth, end), false))) break;
        depth = end;
        node = node.child;
      }
    }
    return proof;
  }
}

function made<Kind extends Node['kind']>(kind: Kind, item: readonly RlpItem[]): Encoded & { readonly kind: Kind } {
  const encoded = encodeRlp(item);
  return { kind, item: encoded.length < HASH_BYTES ? item : undefined, encoded };
}

/** A reference to a node inside of another: the node itself when its encoding is shorter than a hash. */
function reference(crypto: Pick<Crypto, 'keccak256'>, { item, encoded }: Node): RlpItem {
  return item ?? crypto.keccak256(encoded);
}
