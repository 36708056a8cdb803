/** Makes snapshots of the trees slice by slice, so that a block waits for one slice at most. */
import { EMPTY } from '../bytes/bytes.js';
import { VarintWriter } from '../iavl/varint-stream.js';
import { type NodeId, type NodeSlab, NONE } from '../iavl/node-slab.js';
import { postOrderAt } from '../iavl/walk.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { writeItem } from './snapshot-items.js';

/** Start of the next slice: a store, and the number of its leaves that are done. */
export interface SnapshotCursor {
  readonly store: string;
  readonly rank: number;
}

export interface SnapshotSlice {
  /** Encoded items of the stream. */
  readonly items: Uint8Array;
  /** Start of the next slice; undefined at the end. */
  readonly next: SnapshotCursor | undefined;
}

export interface SnapshotTrees {
  readonly slab: NodeSlab;
  /** Roots of the stores, sorted by store name. */
  readonly roots: readonly { readonly store: string; readonly root: NodeId }[];
  /** Reads a value as of the height of the roots. */
  readonly valueOf: (store: string, key: Uint8Array) => Uint8Array | undefined;
}

/** Encodes the items from a cursor on, for about `leaves` leaves and at least one. */
export function snapshotSlice(trees: SnapshotTrees, from: SnapshotCursor | undefined, leaves: number): SnapshotSlice {
  const output = new VarintWriter();
  let left = leaves;
  for (const { store, root } of trees.roots) {
    if (from !== undefined && store < from.store) continue;
    let rank = from?.store === store ? from.rank : 0;
    if (rank === 0) writeItem(output, { case: 'store', value: { $typeName: STORE_ITEM, name: store } });
    const size = root === NONE ? 0 : trees.slab.size(root);
    while (rank < size) {
      for (const node of postOrderAt(trees.slab, root, rank)) writeNode(trees, store, node, output);
      rank += 1;
      left -= 1;
      const isFull = left <= 0 || output.length >= FIXED_LIMITS.snapshotSliceBytes;
      if (isFull && rank < size) return { items: output.finish(), next: { store, rank } };
    }
  }
  return { items: output.finish(), next: undefined };
}

const STORE_ITEM = 'cosmos.store.snapshots.v1.SnapshotStoreItem';
const NODE_ITEM = 'cosmos.store.snapshots.v1.SnapshotIAVLItem';

function writeNode({ slab, valueOf }: SnapshotTrees, store: string, node: NodeId, output: VarintWriter): void {
  const height = slab.height(node);
  const key = slab.keys.view(slab.key(node));
  const value = height === 0 ? valueOf(store, key.slice()) : EMPTY;
  if (value === undefined) throw new Error(`invariant: store ${store} holds a key whose value cannot be read`);
  const version = BigInt(slab.version(node));
  writeItem(output, { case: 'iavl', value: { $typeName: NODE_ITEM, key, value, version, height } });
}
