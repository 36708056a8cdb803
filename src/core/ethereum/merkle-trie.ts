/** Merkle-Patricia tries with proofs (Ethereum yellow paper, appendix D; EIP-1186). */
import { EMPTY, equal } from '../bytes/bytes.js';
import { invariant } from '../errors.js';
import type { Crypto } from '../ports/crypto.js';
import { compact, nibblesOf } from './ordered-trie.js';
import { encodeRlp, type RlpItem } from './rlp.js';

export interface TrieEntry {
  /** Path of 32 bytes: in a secure trie the keccak256 of the key. */
  readonly path: Uint8Array;
  /** Value of at most 255 bytes. */
  readonly value: Uint8Array;
}

/** A range of list indices whose paths are equal up to `depth` nibbles. */
interface Place {
  readonly list: List;
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

/** Parts of a trie, or the entries of a part, ordered by path. */
interface List {
  nibble(at: number, depth: number): number;
  /** Node over the single item at an index. */
  alone(at: number, depth: number): Node;
  /** Cached nodes. */
  readonly nodes?: Map<string, Node>;
}

interface Node {
  readonly encoded: Uint8Array;
  /**
   * Reference to this node in its parent: the node itself when its encoding is shorter than 32 bytes, else its hash.
   */
  readonly reference: RlpItem;
  /** The range of the child on a path. */
  readonly below: (path: readonly number[]) => Place | undefined;
}

type Keccak = Pick<Crypto, 'keccak256'>;

const PATH_BYTES = 32;
const HASH_BYTES = 32;
/** Number of nibbles that the entries of a part share: a trie of a million entries has 4,096 parts of 250. */
const PART_NIBBLES = 3;
const FIRST_BYTES = 128;
/** Approximate bytes of a part and its node, without the entries. */
const PART_COST = 1_536;

/**
 * A trie over entries with distinct paths of 32 bytes. It packs the entries by parts and keeps only the top node of
 * each part and the nodes above; a proof rebuilds the lower nodes of one part.
 */
export class MerkleTrie {
  readonly #crypto: Keccak;
  readonly #parts = new Map<number, Part>();
  /** Range of the root; undefined for an empty trie, and after entries changed. */
  #root: Place | undefined;

  constructor(crypto: Keccak, entries: Iterable<TrieEntry> = []) {
    this.#crypto = crypto;
    for (const entry of entries) this.add(entry);
  }

  /** Adds an entry; its path must be new. */
  add(entry: TrieEntry): void {
    const number = partOf(entry.path);
    const part = this.#parts.get(number) ?? new Part(this.#crypto, number);
    this.#parts.set(number, part);
    part.add(entry);
    this.#root = undefined;
  }

  /** Removes the entry of a path, if there is one. */
  remove(path: Uint8Array): void {
    const number = partOf(path);
    const part = this.#parts.get(number);
    part?.remove(path);
    if (part?.isEmpty === true) this.#parts.delete(number);
    this.#root = undefined;
  }

  /** Approximate bytes of memory. */
  get bytes(): number {
    let bytes = 0;
    for (const part of this.#parts.values()) bytes += part.bytes + PART_COST;
    return bytes;
  }

  /**
   * Computes what proofs need. Calls `pause` often: an exception of it interrupts the work, and the next call
   * continues it.
   */
  digest(pause: () => void): void {
    for (const part of this.#parts.values()) {
      pause();
      part.digest();
    }
  }

  /** Root hash, 32 bytes; for an empty trie keccak256 of the RLP of no bytes. */
  get root(): Uint8Array {
    const top = this.#top();
    return this.#crypto.keccak256(top === undefined ? encodeRlp(EMPTY) : nodeAt(this.#crypto, top).encoded);
  }

  /**
   * Encoded nodes from the root down to a path; they prove its value or its absence. Nodes shorter than 32 bytes are
   * inlined in their parent. Empty for an empty trie.
   */
  prove(path: Uint8Array): readonly Uint8Array[] {
    const nibbles = nibblesOf(path);
    const proof: Uint8Array[] = [];
    for (let place = this.#top(); place !== undefined;) {
      const { encoded, below } = nodeAt(this.#crypto, place);
      if (place.depth === 0 || encoded.length >= HASH_BYTES) proof.push(encoded);
      place = below(nibbles);
    }
    return proof;
  }

  #top(): Place | undefined {
    if (this.#root !== undefined || this.#parts.size === 0) return this.#root;
    const parts = [...this.#parts.values()].sort((one, other) => one.number - other.number);
    const list: List = {
      nibble: (at, depth) => ((parts[at]?.number ?? 0) >> (4 * (PART_NIBBLES - 1 - depth))) & 15,
      alone: (at, depth) => {
        const part = parts[at];
        invariant(part !== undefined, 'a place of a trie has a part');
        return depth === PART_NIBBLES ? part.digest() : nodeAt(this.#crypto, part.place(depth));
      },
      nodes: new Map(),
    };
    this.#root = { list, from: 0, to: parts.length, depth: 0 };
    return this.#root;
  }
}

function partOf(path: Uint8Array): number {
  return ((path[0] ?? 0) << 4) | ((path[1] ?? 0) >> 4);
}

/** Entries with a common path prefix, packed as path, value length, value. */
class Part implements List {
  readonly #crypto: Keccak;
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  /** Offsets of entries ordered by path; empty when they are not sorted. */
  #sorted: readonly number[] = [];
  /** Top node of the part, below the shared nibbles. */
  #top: Node | undefined;

  constructor(
    crypto: Keccak,
    readonly number: number,
  ) {
    this.#crypto = crypto;
  }

  add({ path, value }: TrieEntry): void {
    invariant(value.length <= 0xff, 'the length of a value in a trie is one byte');
    const at = this.#length;
    this.#length += PATH_BYTES + 1 + value.length;
    if (this.#length > this.#bytes.length) {
      const bytes = new Uint8Array(2 * this.#length);
      bytes.set(this.#bytes);
      this.#bytes = bytes;
    }
    this.#bytes.set(path, at);
    this.#bytes[at + PATH_BYTES] = value.length;
    this.#bytes.set(value, at + PATH_BYTES + 1);
    this.#sorted = [];
    this.#top = undefined;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Bytes of the entries and of their offsets. */
  get bytes(): number {
    return this.#bytes.length + 8 * this.#sorted.length;
  }

  remove(path: Uint8Array): void {
    const begin = this.#places().find((at) => equal(this.#bytes.subarray(at, at + PATH_BYTES), path));
    if (begin === undefined) return;
    const end = begin + this.#sizeAt(begin);
    this.#bytes.copyWithin(begin, end, this.#length);
    this.#length -= end - begin;
    this.#sorted = [];
    this.#top = undefined;
  }

  digest(): Node {
    this.#top ??= nodeAt(this.#crypto, this.place(PART_NIBBLES));
    return this.#top;
  }

  /** Range of all entries. */
  place(depth: number): Place {
    if (this.#sorted.length === 0) this.#sorted = this.#inOrder();
    return { list: this, from: 0, to: this.#sorted.length, depth };
  }

  nibble(at: number, depth: number): number {
    const byte = this.#bytes[(this.#sorted[at] ?? 0) + (depth >> 1)] ?? 0;
    return depth % 2 === 0 ? byte >> 4 : byte & 15;
  }

  alone(at: number, depth: number): Node {
    const begin = this.#sorted[at] ?? 0;
    const valueAt = begin + PATH_BYTES + 1;
    const value = this.#bytes.subarray(valueAt, valueAt + (this.#bytes[valueAt - 1] ?? 0));
    return made(this.#crypto, [restOf(this.#bytes.subarray(begin, begin + PATH_BYTES), depth), value], () => undefined);
  }

  #inOrder(): readonly number[] {
    const bytes = this.#bytes;
    return this.#places().sort((one, other) => {
      let at = 0;
      while (at < PATH_BYTES - 1 && bytes[one + at] === bytes[other + at]) at += 1;
      return (bytes[one + at] ?? 0) - (bytes[other + at] ?? 0);
    });
  }

  #places(): number[] {
    const places: number[] = [];
    for (let at = 0; at < this.#length; at += this.#sizeAt(at)) places.push(at);
    return places;
  }

  #sizeAt(at: number): number {
    return PATH_BYTES + 1 + (this.#bytes[at + PATH_BYTES] ?? 0);
  }
}

function nodeAt(crypto: Keccak, place: Place): Node {
  const { list, from, to, depth } = place;
  const name = `${from} ${to} ${depth}`;
  const node = list.nodes?.get(name) ?? nodeOver(crypto, place);
  list.nodes?.set(name, node);
  return node;
}

function nodeOver(crypto: Keccak, { list, from, to, depth }: Place): Node {
  if (to - from === 1) return list.alone(from, depth);
  let end = depth;
  while (list.nibble(from, end) === list.nibble(to - 1, end)) end += 1;
  if (end > depth) {
    const place = { list, from, to, depth: end };
    const shared = Array.from({ length: end - depth }, (_, index) => list.nibble(from, depth + index));
    return made(crypto, [compact(shared, false), nodeAt(crypto, place).reference], (path) =>
      shared.every((nibble, index) => path[depth + index] === nibble) ? place : undefined,
    );
  }
  const places: (Place | undefined)[] = [];
  for (let value = 0, at = from; value < 16; value += 1) {
    const begin = at;
    while (at < to && list.nibble(at, depth) === value) at += 1;
    places.push(at === begin ? undefined : { list, from: begin, to: at, depth: depth + 1 });
  }
  const references = places.map((place) => (place === undefined ? EMPTY : nodeAt(crypto, place).reference));
  return made(crypto, [...references, EMPTY], (path) => places[path[depth] ?? 0]);
}

function made(crypto: Keccak, item: readonly RlpItem[], below: Node['below']): Node {
  const encoded = encodeRlp(item);
  return { encoded, reference: encoded.length < HASH_BYTES ? item : crypto.keccak256(encoded), below };
}

/** Hex-prefix encoding of a leaf's path from a depth on; equals `compact` of its nibbles. */
function restOf(path: Uint8Array, depth: number): Uint8Array {
  const odd = depth % 2;
  const rest = new Uint8Array(PATH_BYTES - ((depth - odd) >> 1) + 1 - odd);
  rest.set(path.subarray((depth + odd) >> 1), 1);
  rest[0] = odd === 0 ? 0x20 : 0x30 | ((path[depth >> 1] ?? 0) & 15);
  return rest;
}
