import { KeyHeap, type KeyRef } from './key-heap.js';

/** Node number in a `NodeSlab`. */
export type NodeId = number;

/** Null node: the root of an empty tree. */
export const NONE: NodeId = 0;

/** Version of an unsaved node, which belongs to the version being built and may be changed in place. */
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

/** Bytes per node, without its key. */
const NODE_BYTES = HASH + HASH_BYTES;

/** A memory page, as big-endian numbers and as bytes. */
interface Page {
  readonly numbers: DataView<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An inner node whose children are not loaded yet. */
export interface LazyNode {
  readonly key: KeyRef;
  readonly height: number;
  /** Number of leaves below the node. */
  readonly size: number;
  readonly version: number;
  readonly hash: Uint8Array;
  /** Encoded subtrees (`src/core/iavl/tree-image.ts`). */
  readonly bytes: Uint8Array;
  /** Decodes both subtrees and sets them as the node's children. */
  loadChildren(id: NodeId): void;
}

/**
 * Slab allocator for the nodes of many IAVL trees: 56 bytes per node in plain byte pages, outside of the
 * garbage-collected heap. Nodes of dropped versions go to a free list. Values are not stored; an unsaved leaf holds its
 * value's SHA-256 in the place of its own hash.
 */
export class NodeSlab {
  readonly keys = new KeyHeap();
  readonly #pages: Page[] = [];
  /** Inner nodes whose children are not loaded yet. */
  readonly #unread = new Map<NodeId, LazyNode>();
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

  /** Creates an unsaved leaf; takes ownership of the key reference. */
  leaf(key: KeyRef, valueHash: Uint8Array): NodeId {
    const id = this.#allocate(key);
    this.#write(id, SIZE, 1);
    this.setHash(id, valueHash);
    return id;
  }

  /** Creates an unsaved inner node; takes ownership of the key reference. */
  inner(key: KeyRef, left: NodeId, right: NodeId): NodeId {
    const id = this.#allocate(key);
    this.setChildren(id, left, right);
    return id;
  }

  /** Creates a saved inner node whose children are loaded on first access. */
  unread(node: LazyNode): NodeId {
    const id = this.#allocate(node.key);
    this.#write(id, HEIGHT, node.height);
    this.#write(id, SIZE, node.size);
    this.setHash(id, node.hash);
    this.setVersion(id, node.version);
    this.#unread.set(id, node);
    return id;
  }

  /** Encoded subtrees of a node; undefined when its children are loaded. */
  unloadedBytes(id: NodeId): Uint8Array | undefined {
    return this.#unread.get(id)?.bytes;
  }

  /** Frees a node whose children are loaded, and releases its key. */
  free(id: NodeId): void {
    this.keys.release(this.key(id));
    this.#write(id, LEFT, this.#firstFree);
    this.#firstFree = id;
    this.#liveNodes -= 1;
  }

  /** The left child, loaded if necessary; `NONE` for a leaf. */
  left(id: NodeId): NodeId {
    const left = this.#read(id, LEFT);
    return left === NONE ? this.#readChild(id, LEFT) : left;
  }

  /** The right child, loaded if necessary; `NONE` for a leaf. */
  right(id: NodeId): NodeId {
    const right = this.#read(id, RIGHT);
    return right === NONE ? this.#readChild(id, RIGHT) : right;
  }

  /** Number of leaves below the node. */
  size(id: NodeId): number {
    return this.#read(id, SIZE);
  }

  /** Height of the node; 0 for a leaf. */
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

  /** A view of the node's 32-byte hash; valid until the node changes. */
  hash(id: NodeId): Uint8Array {
    const start = (id & PAGE_MASK) * NODE_BYTES + HASH;
    return this.#page(id).bytes.subarray(start, start + HASH_BYTES);
  }

  /** Copies the node's hash to `target` at `offset`; cheaper than creating a view. */
  putHash(id: NodeId, target: Uint8Array, offset: number): void {
    const { bytes } = this.#page(id);
    const start = (id & PAGE_MASK) * NODE_BYTES + HASH;
    for (let index = 0; index < HASH_BYTES; index += 1) target[offset + index] = bytes[start + index] ?? 0;
  }

  /** Sets the node's hash, by a loop, which is faster than `set` for 32 bytes. */
  setHash(id: NodeId, hash: Uint8Array): void {
    const { bytes } = this.#page(id);
    const start = (id & PAGE_MASK) * NODE_BYTES + HASH;
    for (let index = 0; index < HASH_BYTES; index += 1) bytes[start + index] = hash[index] ?? 0;
  }

  setVersion(id: NodeId, version: number): void {
    this.#write(id, VERSION, version);
  }

  /** Replaces the key; takes ownership of the key reference. */
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
    unread.loadChildren(id);
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
