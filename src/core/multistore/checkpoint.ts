/**
 * A checkpoint of the multistore: the trees of one height, followed by the sha256 of all preceding bytes. After a
 * restart the executor restores the last checkpoint and replays later writes.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Sha256 } from '../comet/merkle.js';
import { equal } from '../bytes/bytes.js';
import { VarintReader, VarintWriter } from '../iavl/varint-stream.js';
import { type NodeHasher, rootHash } from '../iavl/node-hash.js';
import type { NodeId, NodeSlab } from '../iavl/node-slab.js';
import { PAGE_LEAVES, readTree, writeTree } from '../iavl/tree-image.js';

/** Newest format number. Format 1 has no pages; it is read like format 2. */
const FORMAT = 2;
const PAGE_LEAVES_OF: ReadonlyMap<number, number> = new Map([
  [1, 1],
  [FORMAT, PAGE_LEAVES],
]);
const HASH_BYTES = 32;

export interface CheckpointStore {
  readonly name: string;
  readonly root: NodeId;
}

export interface CheckpointImage {
  readonly version: number;
  readonly stores: readonly CheckpointStore[];
}

/**
 * Encodes format, version and each store: name, root hash (32 bytes) and tree. `format` selects the format in which
 * homes of earlier builds are compared; unknown formats, as in a damaged row, become the newest.
 */
export function encodeCheckpoint(
  crypto: Sha256,
  slab: NodeSlab,
  image: CheckpointImage,
  format: number = FORMAT,
): Uint8Array {
  const known = PAGE_LEAVES_OF.has(format) ? format : FORMAT;
  const output = new VarintWriter();
  output.uvarint(known);
  output.uvarint(image.version);
  output.uvarint(image.stores.length);
  for (const { name, root } of image.stores) {
    const nameBytes = utf8ToBytes(name);
    output.uvarint(nameBytes.length);
    output.bytes(nameBytes);
    output.bytes(rootHash(slab, root));
    writeTree(slab, root, output, PAGE_LEAVES_OF.get(known) ?? PAGE_LEAVES);
  }
  const body = output.finish();
  const whole = new Uint8Array(body.length + HASH_BYTES);
  whole.set(body);
  whole.set(crypto.sha256(body), body.length);
  return whole;
}

/**
 * Builds the trees of a checkpoint in the slab. Undefined, with the slab unchanged, when the bytes are damaged or of
 * an unknown format.
 */
export function decodeCheckpoint(
  crypto: Sha256,
  slab: NodeSlab,
  hasher: NodeHasher,
  checkpoint: Uint8Array,
): CheckpointImage | undefined {
  if (checkpoint.length <= HASH_BYTES) return undefined;
  const body = checkpoint.subarray(0, -HASH_BYTES);
  if (!equal(crypto.sha256(body), checkpoint.subarray(-HASH_BYTES))) return undefined;
  const input = new VarintReader(body);
  if (!PAGE_LEAVES_OF.has(input.uvarint())) return undefined;
  const version = input.uvarint();
  const stores = Array.from({ length: input.uvarint() }, () => readStore(slab, hasher, input));
  return { version, stores };
}

function readStore(slab: NodeSlab, hasher: NodeHasher, input: VarintReader): CheckpointStore {
  const name = new TextDecoder().decode(input.bytes(input.uvarint()));
  const expected = input.bytes(HASH_BYTES);
  const root = readTree(slab, hasher, input);
  if (!equal(rootHash(slab, root), expected))
    throw new Error(`invariant: the checkpoint of store ${name} does not have its root`);
  return { name, root };
}
