import { KeyHeap, type KeyRef } from './key-heap.js';

/** Number of a node in a `NodeSlab`. */
export type NodeId = number;

/** No node: the root of an empty tree. */
export const NONE: NodeId = 0;

/** Version of a node that is not saved yet: the node belongs to the version being built and may be changed in place. */
export const UNSAVED = 0;

const PAGE_SHIFT = 12;
const PAGE_NODES = 1 << PAGE_SHIFT;
const PAGE_MASK = PAGE_NODES - 1;

const LEFT = 0;
const RIGHT = 4;
const SIZE = 8;
const VERSION = 12;
const KEY = 16;
const HEIGHT = 20;
const HASH = 24;
const HASH_BYTES = 32;

/** Bytes of one node without the bytes of its key. */
const NODE_BYTES = HASH + HASH_BYTES;

/** A page of bytes, seen as numbers (big-endian) and as bytes. */
interface Page {
  readonly numbers: DataView<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An inner node whose children are not read yet. */
export interface Unread {
  readonly key: KeyRef;
  readonly height: number;
  /** Number of leaves under the node. */
  readonly size: number;
  readonly version: number;
  readonly hash: Uint8Array;
  /** The subtrees below, in the form of their reader. */
  readonly bytes: Uint8Array;
  /** Makes both subtrees and sets them as the children of the node. */
  readBelow(id: NodeId): void;
}

/**
 * Nodes of many IAVL trees in pages of plain bytes: 56 bytes per node, outside of the garbage collector's heap. Nodes
 * of dropped versions go to a free list and are reused. Values are not stored; an unsaved leaf holds the sha256 of its
 * value where its own hash is after saving.
 */
export class NodeSlab {
  readonly keys = new KeyHeap();
  readonly #pages: Page[] = [];
  /** Inner nodes whose children are not read yet. */
  readonly #unread = new Map<NodeId, Unread>();
  #firstFree: NodeId = NONE;
  #next: NodeId = NONE + 1;
  #liveNodes = 0;

  get liveNodes(): number {
    return this.#liveNodes;
  }

  /** Bytes allocated from the host for nodes and keys. */
  get reservedBytes(): number {
    return this.#pages.length * PAGE_NODES * NODE_BYTES + this.keys.reservedBytes;
  }

  /** Makes an unsaved leaf; takes over the caller's reference to the key. */
  leaf(key: KeyRef, valueHash: Uint8Array): NodeId {
    const id = this.#allocate(key);
    this.#write(id, SIZE, 1);
    this.setHash(id, valueHash);
    return id;
  }

  /** Makes an unsaved inner node over two children; takes over the caller's reference to the key. */
  inner(key: KeyRef, left: NodeId, right: NodeId): NodeId {
    const id = this.#allocate(key);
    this.setChildren(id, left, right);
    return id;
  }

  /** Makes a saved inner node whose children are read when somebody asks for one of them. */
  unread(node: Unread): NodeId {
    const id = this.#allocate(node.key);
    this.#write(id, HEIGHT, node.height);
    this.#write(id, SIZE, node.size);
    this.setHash(id, node.hash);
    this.setVersion(id, node.version);
    this.#unread.set(id, node);
    return id;
  }

  /** The bytes of the subtrees below a node; undefined when its children are read already. */
  unreadBytes(id: NodeId): Uint8Array | undefined {
    return this.#unread.get(id)?.bytes;
  }

  /** Frees a node whose children are read; its key loses one reference. */
  free(id: NodeId): void {
    this.keys.release(this.key(id));
    this.#write(id, LEFT, this.#firstFree);
    this.#firstFree = id;
    this.#liveNodes -= 1;
  }

  /** The left child, read first when it is not; `NONE` for a leaf. */
  left(id: NodeId): NodeId {
    const left = this.#read(id, LEFT);
    return left === NONE ? this.#readChild(id, LEFT) : left;
  }

  /** The right child, read first when it is not; `NONE` for a leaf. */
  right(id: NodeId): NodeId {
    const right = this.#read(id, RIGHT);
    return right === NONE ? this.#readChild(id, RIGHT) : right;
  }

  /** Number of leaves under the node. */
  size(id: NodeId): number {
    return this.#read(id, SIZE);
  }

  /** 0 for a leaf. */
  height(id: NodeId): number {
    return this.#read(id, HEIGHT);
  }

  version(id: NodeId): number {
    return this.#read(id, VERSION);
  }

  /** A leaf's key, or the smallest key of an inner node's right subtree. */
  key(id: NodeId): KeyRef {
    return this.#read(id, KEY);
  }

  /** The 32 bytes of the node's hash in place, valid until the node changes. */
  hash(id: NodeId): Uint8Array {
    const start = (id & PAGE_MASK) * NODE_BYTES + HASH;
    return this.#page(id).bytes.subarray(start, start + HASH_BYTES);
  }

  /** Copies the node's hash to `offset` of `target`; making a view would cost more than the copy. */
  putHash(id: NodeId, target: Uint8Array, offset: number): void {
    const { bytes } = this.#page(id);
    const start = (id & PAGE_MASK) * NODE_BYTES + HASH;
    for (let index = 0; index < HASH_BYTES; index += 1) target[offset + index] = bytes[start + index] ?? 0;
  }

  /** Copies in a loop: for so few bytes it is faster than `set`. */
  setHash(id: NodeId, hash: Uint8Array): void {
    const { bytes } = this.#page(id);
    const start = (id & PAGE_MASK) * NODE_BYTES + HASH;
    for (let index = 0; index < HASH_BYTES; index += 1) bytes[start + index] = hash[index] ?? 0;
  }

  setVersion(id: NodeId, version: number): void {
    this.#write(id, VERSION, version);
  }

  /** Replaces the key; takes over the caller's reference. */
  setKey(id: NodeId, key: KeyRef): void {
    this.keys.release(this.key(id));
    this.#write(id, KEY, key);
  }

  /** Sets both children and derives height and size from them. */
  setChildren(id: NodeId, left: NodeId, right: NodeId): void {
    this.#write(id, LEFT, left);
    this.#write(id, RIGHT, right);
    this.#write(id, HEIGHT, Math.max(this.height(left), this.height(right)) + 1);
    this.#write(id, SIZE, this.size(left) + this.size(right));
  }

  #readChild(id: NodeId, field: typeof LEFT | typeof RIGHT): NodeId {
    const unread = this.#unread.get(id);
    if (unread === undefined) return NONE;
    unread.readBelow(id);
    this.#unread.delete(id);
    return this.#read(id, field);
  }

  #allocate(key: KeyRef): NodeId {
    let id = this.#firstFree;
    if (id === NONE) {
      id = this.#next;
      this.#next += 1;
      if (id >>> PAGE_SHIFT >= this.#pages.length) this.#addPage();
    } else {
      this.#firstFree = this.left(id);
    }
    this.#liveNodes += 1;
    this.#write(id, LEFT, NONE);
    this.#write(id, RIGHT, NONE);
    this.#write(id, HEIGHT, 0);
    this.#write(id, VERSION, UNSAVED);
    this.#write(id, KEY, key);
    return id;
  }

  #addPage(): void {
    const buffer = new ArrayBuffer(PAGE_NODES * NODE_BYTES);
    this.#pages.push({ numbers: new DataView(buffer), bytes: new Uint8Array(buffer) });
  }

  #page(id: NodeId): Page {
    const page = this.#pages[id >>> PAGE_SHIFT];
    if (page === undefined) throw new Error('invariant: a node lies outside of the slab');
    return page;
  }

  #read(id: NodeId, field: number): number {
    return this.#page(id).numbers.getUint32((id & PAGE_MASK) * NODE_BYTES + field);
  }

  #write(id: NodeId, field: number, value: number): void {
    this.#page(id).numbers.setUint32((id & PAGE_MASK) * NODE_BYTES + field, value);
  }
}
