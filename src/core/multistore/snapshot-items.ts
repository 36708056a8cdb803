/**
 * Stream of a state-sync snapshot in format 3 of the SDK (cosmossdk.io/store v1.1.2 `snapshots/stream.go`,
 * `rootmulti/store.go`): each `cosmos.store.snapshots.v1.SnapshotItem` follows its length as a varint. The host
 * compresses the stream and cuts it into chunks.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { concat, EMPTY } from '../bytes/bytes.js';
import { VarintReader, type VarintWriter } from '../iavl/varint-stream.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { SnapshotItemSchema, type SnapshotItem } from '../proto/cosmos/store/snapshots/v1/snapshot_pb.js';

/** Thrown when a snapshot does not match its description. The state is unchanged. */
export class SnapshotRefused extends Error {
  override readonly name = 'SnapshotRefused';
}

/** One item: a store, a tree node, or extension data. */
export type Item = SnapshotItem['item'];

/** Maximum bytes of a length varint, plus one. */
const LENGTH_BYTES = 8;

/** Appends an item to a stream. */
export function writeItem(output: VarintWriter, item: Item): void {
  const bytes = toBinary(SnapshotItemSchema, create(SnapshotItemSchema, { item }));
  output.uvarint(bytes.length);
  output.bytes(bytes);
}

/**
 * Splits a stream that arrives in pieces into items. Throws SnapshotRefused. Unknown fields are dropped: retaining
 * those of millions of items would take a hundred times their size.
 */
export class ItemReader {
  /** Bytes of an incomplete item. */
  #rest: Uint8Array = EMPTY;

  /** Items that end within the next piece; their bytes may be views of it. */
  *take(piece: Uint8Array): Generator<Item, void, undefined> {
    const bytes = this.#rest.length === 0 ? piece : concat(this.#rest, piece);
    const input = new VarintReader(bytes);
    let end = 0;
    for (let length = lengthOf(input); length !== undefined && length <= input.left; length = lengthOf(input)) {
      const item = decoded(input.bytes(length));
      end = bytes.length - input.left;
      yield item;
    }
    this.#rest = bytes.slice(end);
  }

  /** Checks that the stream ends with a complete item. Throws SnapshotRefused. */
  end(): void {
    if (this.#rest.length > 0) throw new SnapshotRefused('the stream holds what is no item');
  }
}

/** Items of a complete stream. Throws SnapshotRefused. */
export function* readItems(stream: Uint8Array): Generator<Item, void, undefined> {
  const reader = new ItemReader();
  yield* reader.take(stream);
  reader.end();
}

/** Length of the next item; undefined when its bytes are incomplete. */
function lengthOf(input: VarintReader): number | undefined {
  const length = input.wholeUvarint();
  if (length === undefined && input.left >= LENGTH_BYTES) throw new SnapshotRefused('the stream holds what is no item');
  if (length !== undefined && length > FIXED_LIMITS.snapshotItemBytes)
    throw new SnapshotRefused(`an item of ${length} bytes`);
  return length;
}

function decoded(bytes: Uint8Array): Item {
  try {
    return fromBinary(SnapshotItemSchema, bytes, { readUnknownFields: false }).item;
  } catch {
    throw new SnapshotRefused('the stream holds what is no item');
  }
}
